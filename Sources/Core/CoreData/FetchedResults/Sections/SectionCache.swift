/// The section caches in the user's cache directory: one property list per name.
///
/// A file holds the origin of its sections in full, and is valid only for a list of the same
/// origin. A damaged file, or one of another origin, is ignored.
struct SectionCache {
  /// The sections of a list, and their origin.
  struct Contents: Codable, Equatable {
    var origin: Origin
    var names: [String]
    var sizes: [Int]
  }

  /// The values that determine the sections of a list.
  struct Origin: Codable, Equatable {
    var format = 1
    var entityName: String
    var entityVersionHash: Data
    var sectionNameKeyPath: String
    /// Key, direction and selector of each sort descriptor.
    var sortDescriptors: [String]
    var predicate: String?
    /// Determines localized orders and descriptions.
    var locale: String
    /// The stores' UUIDs and the states of their files.
    var stores: [String]
    var count: Int
    /// A hash of the identities in their order.
    var digest: UInt64
  }

  let directory: URL

  /// The cache of this program.
  static var standard: SectionCache {
    let manager = FileManager.default
    let caches =
      manager.urls(for: .cachesDirectory, in: .userDomainMask).first ?? manager.temporaryDirectory
    let program = Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName
    return SectionCache(
      directory: caches.appendingPathComponent(program)
        .appendingPathComponent("NSFetchedResultsController"))
  }

  /// The file of a cache name. The name is hashed, so that it may have any characters and length.
  func url(_ name: String) -> URL {
    let hash = SHA256Digest.hash(Array(name.utf8))
    let text = hash.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    return directory.appendingPathComponent("\(text).sections")
  }

  /// The sections cached under a name, if they have this origin.
  func sections(_ name: String, of origin: Origin) -> [FetchedSection]? {
    // A missing or damaged file is no error: the caller finds the sections without it.
    guard let data = try? Data(contentsOf: url(name)),
      let contents = try? PropertyListDecoder().decode(Contents.self, from: data),
      contents.origin == origin, contents.isSound
    else { return nil }
    return zip(contents.names, contents.sizes).map { FetchedSection(name: $0, size: $1) }
  }

  /// Writes sections under a name, replacing the previous ones.
  func keep(_ sections: [FetchedSection], name: String, of origin: Origin) {
    let contents = Contents(
      origin: origin, names: sections.map(\.name), sizes: sections.map(\.size))
    let encoder = PropertyListEncoder()
    encoder.outputFormat = .binary
    do {
      try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
      try encoder.encode(contents).write(to: url(name), options: .atomic)
    } catch {
      // No error for the caller: the next fetch finds the sections again.
      FetchedResultsLog.error("The section cache '\(name)' could not be written: \(error)")
    }
  }

  /// Deletes one cache; all caches for nil.
  func delete(_ name: String?) {
    // Fails if there is no such file, which is fine.
    try? FileManager.default.removeItem(at: name.map(url) ?? directory)
  }
}

extension SectionCache.Contents {
  /// Whether the sections fit a list of the origin's length.
  fileprivate var isSound: Bool {
    names.count == sizes.count && Set(names).count == names.count
      && sizes.allSatisfy { $0 > 0 && $0 <= origin.count } && sizes.reduce(0, +) == origin.count
  }
}
