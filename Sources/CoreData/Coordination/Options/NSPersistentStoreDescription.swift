/// Says which store to add: its type, place and options.
///
/// Source: developer.apple.com/documentation/coredata/nspersistentstoredescription
open class NSPersistentStoreDescription: NSObject, NSCopying {
  /// The type; SQLite by default.
  open var type: String = NSSQLiteStoreType
  /// The configuration of the model; all entities when nil.
  open var configuration: String?
  /// Where the store is.
  open var url: URL?
  /// Whether the store is added in the background; false by default.
  open var shouldAddStoreAsynchronously = false
  /// The CloudKit database that the store is mirrored to: none, since a store with such options cannot
  /// be loaded here.
  open var cloudKitContainerOptions: NSPersistentCloudKitContainerOptions?
  private var storedOptions: [String: NSObject]

  /// A SQLite store at a URL that is migrated automatically when it is of an earlier model.
  public init(url: URL) {
    self.url = url
    storedOptions = [
      NSMigratePersistentStoresAutomaticallyOption: NSNumber(value: true),
      NSInferMappingModelAutomaticallyOption: NSNumber(value: true),
    ]
  }

  /// A SQLite store in memory alone, at `/dev/null`.
  public convenience override init() { self.init(url: URL(fileURLWithPath: "/dev/null")) }

  /// The options that the store is added with.
  open var options: [String: NSObject] { storedOptions }

  /// Sets an option; nil removes it.
  open func setOption(_ option: NSObject?, forKey key: String) { storedOptions[key] = option }

  /// Whether the store is opened for reading alone; false by default.
  open var isReadOnly: Bool {
    get { StoreOptions(storedOptions).isReadOnly }
    set { setFlag(newValue, forKey: NSReadOnlyPersistentStoreOption) }
  }

  /// How long to wait for a locked store, in seconds; 240 by default.
  open var timeout: TimeInterval {
    get { StoreOptions(storedOptions).timeout ?? StoreOptions.defaultTimeout }
    set { storedOptions[NSPersistentStoreTimeoutOption] = NSNumber(value: newValue) }
  }

  /// The pragmas that the SQLite store sets.
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
    let shown = url.map { StoreRegistry.shown($0, ofType: type).absoluteString }
    return "<NSPersistentStoreDescription type: \(type), url: \(shown ?? "nil")>"
  }
}
