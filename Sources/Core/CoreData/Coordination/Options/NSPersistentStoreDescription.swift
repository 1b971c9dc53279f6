/// The description of a store to add: its type, URL and options.
///
/// Source: developer.apple.com/documentation/coredata/nspersistentstoredescription
open class NSPersistentStoreDescription: NSObject, NSCopying {
  /// The type of the store; SQLite by default.
  open var type: String = NSSQLiteStoreType
  /// The configuration of the model; nil for all entities.
  open var configuration: String?
  /// The URL of the store.
  open var url: URL?
  /// Whether the store is added in the background; false by default.
  open var shouldAddStoreAsynchronously = false
  /// Where an `NSPersistentCloudKitContainer` mirrors the store to: a sync server, with the options
  /// that CoreDataSync makes. A store with options of CloudKit cannot be loaded here.
  open var cloudKitContainerOptions: NSPersistentCloudKitContainerOptions?
  private var storedOptions: [String: NSObject]

  /// Describes a SQLite store at a URL, which is migrated automatically if it is of an earlier
  /// model.
  public init(url: URL) {
    self.url = url
    storedOptions = [
      NSMigratePersistentStoresAutomaticallyOption: NSNumber(value: true),
      NSInferMappingModelAutomaticallyOption: NSNumber(value: true),
    ]
  }

  /// Describes a SQLite store in memory, at `/dev/null`.
  public convenience override init() { self.init(url: URL(fileURLWithPath: "/dev/null")) }

  /// The options with which the store is added.
  open var options: [String: NSObject] { storedOptions }

  /// Sets an option; nil removes it.
  open func setOption(_ option: NSObject?, forKey key: String) { storedOptions[key] = option }

  /// Whether the store is opened read-only; false by default.
  open var isReadOnly: Bool {
    get { StoreOptions(storedOptions).isReadOnly }
    set { setFlag(newValue, forKey: NSReadOnlyPersistentStoreOption) }
  }

  /// The seconds to wait for a locked store; 240 by default.
  open var timeout: TimeInterval {
    get { StoreOptions(storedOptions).timeout ?? StoreOptions.defaultTimeout }
    set { storedOptions[NSPersistentStoreTimeoutOption] = NSNumber(value: newValue) }
  }

  /// The pragmas that a SQLite store sets on its connections.
  open var sqlitePragmas: [String: NSObject] {
    storedOptions[NSSQLitePragmasOption] as? [String: NSObject] ?? [:]
  }

  /// Sets a pragma; nil removes it.
  open func setValue(_ value: NSObject?, forPragmaNamed name: String) {
    var pragmas = sqlitePragmas
    pragmas[name] = value
    storedOptions[NSSQLitePragmasOption] = pragmas as NSDictionary
  }

  /// Whether a store of an earlier model is migrated; true by default.
  open var shouldMigrateStoreAutomatically: Bool {
    get { StoreOptions(storedOptions).migratesAutomatically }
    set { setFlag(newValue, forKey: NSMigratePersistentStoresAutomaticallyOption) }
  }

  /// Whether the mapping model of a migration is inferred; true by default.
  open var shouldInferMappingModelAutomatically: Bool {
    get { StoreOptions(storedOptions).infersMappingModel }
    set { setFlag(newValue, forKey: NSInferMappingModelAutomaticallyOption) }
  }

  private func setFlag(_ flag: Bool, forKey key: String) {
    storedOptions[key] = NSNumber(value: flag)
  }

  /// A copy with equal settings.
  open func copy(with zone: NSZone? = nil) -> Any {
    let copy = NSPersistentStoreDescription()
    copy.type = type
    copy.configuration = configuration
    copy.url = url
    copy.shouldAddStoreAsynchronously = shouldAddStoreAsynchronously
    copy.cloudKitContainerOptions = cloudKitContainerOptions
    copy.storedOptions = storedOptions
    return copy
  }

  open override var description: String {
    let shown = url.map { ServerStores.shown($0, ofType: type).absoluteString }
    return "<NSPersistentStoreDescription type: \(type), url: \(shown ?? "nil")>"
  }
}

extension NSPersistentStore {
  /// The description that the store was added with.
  final var storeDescription: NSPersistentStoreDescription? {
    get { descriptionObject as? NSPersistentStoreDescription }
    set { descriptionObject = newValue }
  }
}
