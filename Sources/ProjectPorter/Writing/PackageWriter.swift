import Foundation

/// Writes the package's files, and keeps a list of them: what is not in the list was written by somebody else, and is
/// not touched.
struct PackageWriter {
  private static let listName = ".written-by-port"

  private let folder: URL

  init(_ folder: URL) { self.folder = folder }

  private var list: URL { folder.appendingPathComponent(Self.listName) }

  private var written: Set<String> {
    // Without a list, nothing was written.
    guard let text = try? String(contentsOf: list, encoding: .utf8) else { return [] }
    return Set(text.split(separator: "\n").map(String.init))
  }

  func write(_ files: [String: Data]) throws -> [String] {
    let written = self.written
    for path in files.keys.sorted() where !written.contains(path) && exists(path) {
      throw PortError(
        "\(place(path).path): is there, and `swift package port` has not written it. Move it away, or name another folder "
          + "with --output.")
    }
    let changed = try differences(files)
    // The list first: what it names beyond what is there harms nobody.
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try save(
      Data((written.union(files.keys).sorted().joined(separator: "\n") + "\n").utf8), to: list)
    for path in changed {
      if let data = files[path] {
        let place = place(path)
        try FileManager.default.createDirectory(
          at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
        try save(data, to: place)
      } else {
        try FileManager.default.removeItem(at: place(path))
      }
    }
    try save(Data((files.keys.sorted().joined(separator: "\n") + "\n").utf8), to: list)
    return changed
  }

  /// Paths of what is new, has another content, or is not written any more.
  func differences(_ files: [String: Data]) throws -> [String] {
    let others = files.filter { path, data in
      // A file that cannot be read differs.
      (try? Data(contentsOf: place(path))) != data
    }
    let stale = written.filter { files[$0] == nil && exists($0) }
    return (others.map(\.key) + stale).sorted()
  }

  /// Whether a package was written here before.
  var isWritten: Bool { FileManager.default.fileExists(atPath: list.path) }

  private func place(_ path: String) -> URL { folder.appendingPathComponent(path) }

  private func exists(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: place(path).path)
  }

  private func save(_ data: Data, to place: URL) throws {
    do {
      try data.write(to: place, options: .atomic)
    } catch {
      throw PortError("\(place.path): cannot be written: \(error.localizedDescription)")
    }
  }
}
