import Foundation

/// The files of a model or mapping model, written atomically as a whole.
package struct WrittenPackage {
  private let files: [String: Data]

  /// - Parameter files: contents by path inside the folder; an empty path means a single file.
  package init(files: [String: Data]) {
    self.files = files
  }

  /// Writes the files, replacing the item at `url`. The old item stays until the new one is
  /// complete.
  /// - Throws: ``ModelFileError`` if the files cannot be written.
  package func write(to url: URL) throws {
    do { try put(at: url) } catch {
      throw ModelFileError(
        file: url.path, problem: "it cannot be written: \(error.localizedDescription)")
    }
  }

  private func put(at url: URL) throws {
    let manager = FileManager.default
    let folder = url.deletingLastPathComponent()
    try manager.createDirectory(at: folder, withIntermediateDirectories: true)
    let name = "\(url.lastPathComponent).\(UUID().uuidString)"
    let (new, old) = (".new-", ".old-")
    let beside = folder.appendingPathComponent(new + name)
    let replaced = folder.appendingPathComponent(old + name)
    defer { try? manager.removeItem(at: beside) }  // Gone after success.
    for (path, data) in files {
      let file = path.isEmpty ? beside : beside.appendingPathComponent(path)
      try manager.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try data.write(to: file)
    }
    guard manager.fileExists(atPath: url.path) else {
      return try manager.moveItem(at: beside, to: url)
    }
    // `rename` replaces a file by a file in one step; a folder needs two.
    if files.keys.contains(""), rename(beside.path, url.path) == 0 { return }
    try manager.moveItem(at: url, to: replaced)
    do { try manager.moveItem(at: beside, to: url) } catch {
      try manager.moveItem(at: replaced, to: url)
      throw error
    }
    try manager.removeItem(at: replaced)
  }
}

/// The versions of a model as the files of an `.xcdatamodeld` or a `.momd`.
extension WrittenPackage {
  /// An `.xcdatamodeld`, made of the texts of the versions' `contents` by name.
  package init(sources: [String: String], currentVersion: String) throws {
    var files: [String: Data] = [:]
    for (name, text) in sources { files["\(name).xcdatamodel/contents"] = Data(text.utf8) }
    let list = ModelElement(
      name: "plist", attributes: ["version": "1.0"],
      children: [
        ModelElement(
          name: "dict",
          children: [
            ModelElement(name: "key", content: "_XCCurrentVersionName"),
            ModelElement(name: "string", content: currentVersion + ".xcdatamodel"),
          ])
      ])
    let head =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\""
      + " \"http://www.apple.com/DTDs/PropertyList-1.0.dtd\">\n"
    files[".xccurrentversion"] = Data((head + list.lines).utf8)
    self.init(files: files)
  }

  /// A `.momd`, made of the contents and version hashes of the `.mom` files by name.
  package init(
    compiled: [String: Data], hashes: [String: [String: Data]], currentVersion: String
  ) throws {
    var files: [String: Data] = [:]
    for (name, data) in compiled { files["\(name).mom"] = data }
    files[VersionInfo.fileName] = try VersionInfo(currentVersion: currentVersion, hashes: hashes)
      .data()
    self.init(files: files)
  }
}
