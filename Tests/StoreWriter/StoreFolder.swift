import Foundation

/// The files of a store's folder, with those of external data.
struct StoreFolder {
  let folder: URL

  init(_ folder: URL) { self.folder = folder }

  /// By their paths in the folder. SQLite's index of the log is nobody's data.
  func files() throws -> [String: Data] {
    let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    var files: [String: Data] = [:]
    for path in paths where !path.hasSuffix("-shm") {
      var isFolder: ObjCBool = false
      let file = folder.appendingPathComponent(path)
      guard FileManager.default.fileExists(atPath: file.path, isDirectory: &isFolder),
        !isFolder.boolValue
      else { continue }
      files[path] = try Data(contentsOf: file)
    }
    return files
  }

  /// What a migration has left that should be gone.
  func leftovers() throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter {
      $0.contains("migrationdestination") || $0.contains(".migrating") || $0.contains("-journal")
    }
  }
}
