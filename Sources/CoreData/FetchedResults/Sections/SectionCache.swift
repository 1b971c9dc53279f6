/// The section caches of the user's cache directory: a property list for each name.
///
/// A file says what it was made of, in full: it counts only for a list that is made of the same. One
/// that is damaged or of something else is as good as none.
struct SectionCache {
  /// The sections of a list, and what they follow from.
  struct Contents: Codable, Equatable {
    var origin: Origin
    var names: [String]
    var sizes: [Int]
  }

  /// What the sections of a list follow from.
  struct Origin: Codable, Equatable {
    var format = 1
    var entityName: String
    var entityVersionHash: Data
    var sectionNameKeyPath: String
    /// Key, direction and selector of each sort descriptor.
    var sortDescriptors: [String]
    var predicate: String?
    /// Localized orders and descriptions follow it.
    var locale: String
    /// The stores' UUIDs and the states of their files.
    var stores: [String]
    var count: Int
    /// Of the identities in their order.
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

  /// The file of a name; names may have any characters and any length.
  func url(_ name: String) -> URL {
    let hash = SHA256Digest.hash(Array(name.utf8))
    let text = hash.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    return directory.appendingPathComponent("\(text).sections")
  }

  /// The sections that were kept under a name, if they are of the same origin.
  func sections(_ name: String, of origin: Origin) -> [FetchedSection]? {
    // Neither a file that is missing nor one that is damaged is an error: the sections are found
    // without it.
    guard let data = try? Data(contentsOf: url(name)),
      let contents = try? PropertyListDecoder().decode(Contents.self, from: data),
      contents.origin == origin, contents.isSound
    else { return nil }
    return zip(contents.names, contents.sizes).map { FetchedSection(name: $0, size: $1) }
  }

  /// Keeps sections under a name, in place of what was there.
  func keep(_ sections: [FetchedSection], _ name: String, of origin: Origin) {
    let contents = Contents(
      origin: origin, names: sections.map(\.name), sizes: sections.map(\.size))
    let encoder = PropertyListEncoder()
    encoder.outputFormat = .binary
    do {
      try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
      try encoder.encode(contents).write(to: url(name), options: .atomic)
    } catch {
      // The next fetch finds the sections anew.
      FetchedResultsLog.error("The section cache '\(name)' could not be written: \(error)")
    }
  }

  /// Deletes one cache, or all for nil.
  func delete(_ name: String?) {
    // What is not there need not be deleted.
    try? FileManager.default.removeItem(at: name.map(url) ?? directory)
  }
}

extension SectionCache.Contents {
  /// Whether these can be the sections of a list of this length.
  fileprivate var isSound: Bool {
    names.count == sizes.count && Set(names).count == names.count
      && sizes.allSatisfy { $0 > 0 && $0 <= origin.count } && sizes.reduce(0, +) == origin.count
  }
}
