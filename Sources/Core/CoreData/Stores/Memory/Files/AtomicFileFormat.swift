/// The file format of a store that is read and written whole.
protocol AtomicFileFormat {
  static var storeType: String { get }

  /// The store's metadata, read without its objects. Throws ``FileDamage``.
  static func metadata(of url: URL) throws -> [String: Any]

  /// Replaces the metadata in the file.
  static func replaceMetadata(_ metadata: [String: Any], of url: URL) throws

  /// The whole contents of the file, values by the types of the attributes in `layouts`. Throws
  /// ``FileDamage``.
  static func read(_ url: URL, layouts: [EntityLayout]) throws -> StoredContents

  static func write(_ contents: StoredContents, layouts: [EntityLayout], to url: URL) throws
}

extension AtomicFileFormat {
  /// The metadata, ready to be written. Throws `persistentStoreSave` for values that no property
  /// list can hold.
  static func checked(_ metadata: [String: Any]) throws -> [String: Any] {
    guard PropertyListSerialization.propertyList(metadata, isValidFor: .binary) else {
      throw CoreDataError.make(
        .persistentStoreSave,
        reason: "The store's metadata must be a property list: strings, numbers, dates, data, and "
          + "arrays and dictionaries of them.")
    }
    return metadata
  }
}

/// The file of an atomic store, whether the store is open or not.
struct AtomicFile {
  let url: URL
  let format: any AtomicFileFormat.Type

  /// Throws `persistentStoreOpen` for a URL that is not a file's.
  init(_ url: URL?, format: any AtomicFileFormat.Type) throws {
    guard let url, url.isFileURL else {
      throw CoreDataError.make(
        .persistentStoreOpen,
        reason: "A store of type \(format.storeType) needs a file URL, not "
          + "\(url.map { ServerStores.shown($0, ofType: "").absoluteString } ?? "none").")
    }
    self.url = url
    self.format = format
  }

  /// Whether the store is in memory alone, as one at `/dev/null` is.
  var isNowhere: Bool { url.path == "/dev/null" }

  /// Whether the file holds a store. An empty file, made in advance for a new store, does not.
  var exists: Bool {
    get throws {
      var isFolder: ObjCBool = false
      guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) else {
        return false
      }
      if isFolder.boolValue {
        throw CoreDataError.file(
          .fileReadUnknown, url: url,
          reason: "A file was expected at \(url.path), but it is a folder.")
      }
      let size = try FileManager.default.attributesOfItem(atPath: url.path)[.size] as? NSNumber
      return size?.intValue ?? 0 > 0
    }
  }

  func checkExists() throws {
    guard try !exists else { return }
    throw CoreDataError.file(
      .fileReadNoSuchFile, url: url, reason: "There is no store at \(url.path) that could be read.")
  }

  var metadata: [String: Any] {
    get throws { try explaining { try format.metadata(of: url) } }
  }

  func contents(_ layouts: [EntityLayout]) throws -> StoredContents {
    try explaining { try format.read(url, layouts: layouts) }
  }

  /// Replaces the metadata in the file. Type and UUID stay unless the new metadata have them.
  func setMetadata(_ metadata: [String: Any]) throws {
    let old = try self.metadata
    var metadata = metadata
    for key in [NSStoreTypeKey, NSStoreUUIDKey] where metadata[key] == nil {
      metadata[key] = old[key]
    }
    try explaining { try format.replaceMetadata(metadata, of: url) }
  }

  /// Turns ``FileDamage`` into `fileReadCorruptFile` with the file's path and the store's type, and
  /// adds the path to file errors that have none.
  func explaining<Result>(_ body: () throws -> Result) throws -> Result {
    do { return try body() } catch let damage as FileDamage {
      throw CoreDataError.file(
        .fileReadCorruptFile, url: url,
        reason: "The file \(url.path) is no store of type \(format.storeType), or damaged: "
          + "\(damage.text). It was left as it is.")
    } catch let error as CocoaError where error.isFileError && error.filePath == nil {
      throw CoreDataError.file(error.code, url: url, underlying: error)
    }
  }
}
