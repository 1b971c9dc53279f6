import Synchronization

/// A store that is held in memory whole, and whose file every save replaces.
///
/// Sendable: `core` and `file` have their locks.
class AtomicFileStore: NSPersistentStore, MemoryRowStore, @unchecked Sendable {
  final let core = MemoryCore()
  private let file = Mutex(FileState())

  // Sendable: used under the lock of `file` alone.
  private struct FileState: @unchecked Sendable {
    /// The metadata as they are in the file: immutable values of a property list.
    var metadata: NSDictionary = [:]
    var hasContents = false
  }

  /// The format of the file. Traps unless overridden.
  class var format: any AtomicFileFormat.Type {
    fatalError("\(self) must say how its files are laid out")
  }

  override var type: String { Swift.type(of: self).format.storeType }

  private func atomicFile() throws -> AtomicFile {
    try AtomicFile(url, format: Swift.type(of: self).format)
  }

  // MARK: - Opening

  override func loadMetadata() throws {
    try refuseDerivedAttributes()
    let file = try atomicFile()
    if try !file.isNowhere && file.exists { return try loadMetadata(file) }
    if isReadOnly { try file.checkExists() }
    metadata = StoreMetadata.new(
      type: type, model: coordinatorModel,
      configuration: configurationName)
    metadata?[StoreMetadataKey.frameworkVersion] = StoreMetadataTable.frameworkVersion
    try write(core.current)
  }

  private func loadMetadata(_ file: AtomicFile) throws {
    let found = try file.metadata
    metadata = found
    let written = NSDictionary(dictionary: found)
    self.file.withLock { $0 = FileState(metadata: written, hasContents: true) }
    guard found[NSStoreModelVersionHashesKey] == nil, !StoreOptions(options).ignoresVersioning
    else { return }
    throw CoreDataError.incompatibleModel(
      url: file.url, metadata: found,
      reason: "The store names no version of a model; it opens with "
        + "NSIgnorePersistentStoreVersioningOption.")
  }

  override func loadContents() throws {
    guard file.withLock({ $0.hasContents }) else { return }
    let options = StoreOptions(options)
    let file = try atomicFile()
    var reader = StoredContentsReader(
      identities, layouts: layouts, skipsUnknown: options.ignoresVersioning,
      isStrict: options.isOn(NSValidateXMLStoreOption))
    core.replace(
      with: try file.explaining { try reader.contents(file.contents(layouts)) })
    if options.ignoresVersioning, let model = coordinatorModel {
      let versions = StoreMetadata.versions(of: model, configuration: configurationName)
      metadata?.merge(versions) { $1 }
    }
  }

  // MARK: - Saving

  func save(_ changes: StoreChanges) throws {
    if changes.isEmpty, changes.watched.isEmpty {
      let metadata = NSDictionary(dictionary: metadata ?? [:])
      if file.withLock({ $0.metadata.isEqual(metadata) }) { return }
    }
    try core.apply(changes) { try write($0) }
  }

  private func write(_ contents: MemoryContents) throws {
    let file = try atomicFile()
    addVersions()
    let metadata = metadata ?? [:]
    if !file.isNowhere {
      let stored = try StoredContents(
        contents, metadata: metadata, lastKey: core.current.lastKey(root: 0))
      try file.format.write(stored, layouts: layouts, to: file.url)
    }
    let written = NSDictionary(dictionary: metadata)
    self.file.withLock { $0.metadata = written }
  }

  /// Reserves keys that are unique in the store: the files number the objects of all entities
  /// together.
  func reserveKeys(_ count: Int, for layout: EntityLayout) throws -> Int64 {
    core.reserveKeys(count, root: 0)
  }

  // MARK: - Stores that are not open

  override class func metadataForPersistentStore(with url: URL) throws -> [String: Any] {
    let file = try AtomicFile(url, format: format)
    try file.checkExists()
    return try file.metadata
  }

  override class func setMetadata(
    _ metadata: [String: Any]?, forPersistentStoreAt url: URL
  ) throws {
    let file = try AtomicFile(url, format: format)
    try file.checkExists()
    try file.setMetadata(metadata ?? [:])
  }

  override class func destroy(at url: URL, options: StoreOptions) throws {
    let file = try AtomicFile(url, format: format)
    guard try !file.isNowhere && file.exists else { return }
    // The file is not removed unless it is a store of this type.
    if !options.isOn(NSPersistentStoreForceDestroyOption) { _ = try file.metadata }
    try FileManager.default.removeItem(at: url)
  }

  override class func replace(
    at destination: URL, options: StoreOptions, from source: URL, sourceOptions: StoreOptions
  ) throws {
    let file = try AtomicFile(source, format: format)
    guard try file.exists else { return }
    _ = try file.metadata
    let bytes = try Data(contentsOf: source)
    try FileReplacement.write(to: destination) { try $0.write(bytes, for: destination) }
  }
}

/// The store of type `NSBinaryStoreType`. Sendable: without state of its own.
final class BinaryStore: AtomicFileStore, @unchecked Sendable {
  override class var format: any AtomicFileFormat.Type { BinaryStoreFile.self }
}

/// The store of type `NSXMLStoreType`. Sendable: without state of its own.
final class XMLStore: AtomicFileStore, @unchecked Sendable {
  override class var format: any AtomicFileFormat.Type { XMLStoreFile.self }
}
