import Foundation

/// The contents of a path in the package.
enum PackageFile: Equatable {
  case data(Data)
  /// A symbolic link to a folder, with its relative path.
  case link(String)
}

/// Writes the package's files and keeps a list of them. Files that are not in the list belong to
/// the user and are never changed.
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

  /// Returns true if this writer wrote the file in the folder.
  func hasWritten(_ file: URL) -> Bool {
    written.contains { place($0).standardizedFileURL.path == file.standardizedFileURL.path }
  }

  func write(_ files: [String: PackageFile]) throws -> [String] {
    let written = self.written
    for path in files.keys.sorted() where !written.contains(path) && exists(path) {
      throw PortError(
        "\(place(path).path): is there, and `swift package port` has not written it. Move it away, or name another folder "
          + "with --output.")
    }
    let changed = try differences(files)
    // The list is written first: names of files that do not exist do no harm.
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try save(.data(listText(written.union(files.keys))), to: list)
    for path in changed {
      if let file = files[path] {
        let place = place(path)
        try FileManager.default.createDirectory(
          at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
        try save(file, to: place)
      } else {
        try FileManager.default.removeItem(at: place(path))
      }
    }
    try save(.data(listText(Set(files.keys))), to: list)
    if changed.contains(where: { $0.hasSuffix("/ported.json") }) { try renewManifest() }
    return changed
  }

  /// Updates the manifest's modification date: SwiftPM plans a package, with its sources, again if
  /// the manifest is newer than the last plan.
  private func renewManifest() throws {
    let manifest = place("Package.swift")
    do {
      try FileManager.default.setAttributes(
        [.modificationDate: Date()], ofItemAtPath: manifest.path)
    } catch {
      throw PortError("\(manifest.path): cannot be touched: \(error.localizedDescription)")
    }
  }

  private func listText(_ paths: Set<String>) -> Data {
    Data((paths.sorted().joined(separator: "\n") + "\n").utf8)
  }

  /// Paths of files that are new, have other contents, or are no longer written.
  func differences(_ files: [String: PackageFile]) throws -> [String] {
    let others = files.filter { path, file in
      switch file {
      // An unreadable file counts as different.
      case .data(let data): (try? Data(contentsOf: place(path))) != data
      case .link(let target): linkTarget(place(path)) != target
      }
    }
    let stale = written.filter { files[$0] == nil && exists($0) }
    return (others.map(\.key) + stale).sorted()
  }

  /// Whether a package was written here before.
  var isWritten: Bool { FileManager.default.fileExists(atPath: list.path) }

  private func place(_ path: String) -> URL { folder.appendingPathComponent(path) }

  /// Returns true for files and for links, also links with a missing target.
  private func exists(_ path: String) -> Bool {
    place(path).isThere || linkTarget(place(path)) != nil
  }

  private func linkTarget(_ place: URL) -> String? {
    // nil for anything but a link.
    try? FileManager.default.destinationOfSymbolicLink(atPath: place.path)
  }

  private func save(_ file: PackageFile, to place: URL) throws {
    do {
      switch file {
      case .data(let data): try data.write(to: place, options: .atomic)
      case .link(let target):
        if linkTarget(place) != nil { try FileManager.default.removeItem(at: place) }
        try FileManager.default.createSymbolicLink(
          atPath: place.path, withDestinationPath: target)
      }
    } catch {
      throw PortError("\(place.path): cannot be written: \(error.localizedDescription)")
    }
  }
}
