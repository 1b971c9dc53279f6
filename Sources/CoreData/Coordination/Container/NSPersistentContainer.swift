import Synchronization

/// A whole stack: model, coordinator, stores, and contexts that work with them.
///
/// Source: developer.apple.com/documentation/coredata/nspersistentcontainer
///
/// Sendable: `state` has its lock, the rest is constant.
open class NSPersistentContainer: NSObject, @unchecked Sendable {
  /// The name, which the default store is named after.
  public final let name: String
  /// The model.
  public final let managedObjectModel: NSManagedObjectModel
  /// The coordinator.
  public final let persistentStoreCoordinator: NSPersistentStoreCoordinator
  /// The context for the user interface, on the main queue.
  public final let viewContext: NSManagedObjectContext
  private let descriptions: Mutex<Descriptions>
  /// How far the loading of stores has come, 1000 units for each; migrations divide a store's units further.
  ///
  /// One object for as long as the container is there, so that other threads, or
  /// ``migrationProgressHandler``, can watch it and show its `fractionCompleted`. `cancel()`, from any thread, ends
  /// a migration with error 134120 and leaves its store as it was; what is loaded already stays.
  public final let migrationProgress = Progress(parent: nil)

  /// Sendable: descriptions belong to whoever configures the container, then to its loading.
  private struct Descriptions: @unchecked Sendable {
    var all: [NSPersistentStoreDescription] = []
    var progressHandler: (@Sendable (Progress) -> Void)?
  }

  /// A container for the model of this name, which is looked for among the embedded models and as
  /// `name.momd` or `name.mom` in the bundles of the program.
  ///
  /// Without such a model an error is logged and the model is empty.
  public convenience init(name: String) {
    let model = NamedModel.find(name, for: Self.self)
    self.init(name: name, managedObjectModel: model ?? NSManagedObjectModel())
  }

  /// A container for a model, with one description: `name.sqlite` in ``NSPersistentContainer/defaultDirectoryURL()``.
  public init(name: String, managedObjectModel model: NSManagedObjectModel) {
    self.name = name
    managedObjectModel = model
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    persistentStoreCoordinator = coordinator
    viewContext = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
    let url = Self.defaultDirectoryURL().appendingPathComponent("\(name).sqlite")
    descriptions = Mutex(Descriptions(all: [NSPersistentStoreDescription(url: url)]))
    super.init()
    viewContext.persistentStoreCoordinator = coordinator
  }

  /// The directory of the default stores: the program's own folder in the user's directory for application data,
  /// `~/.local/share/PROGRAM` on Linux. Subclasses may override it.
  ///
  /// A default store that lies beside that folder, as earlier versions made them, is moved into it when it is loaded,
  /// provided that the model has all of its entities.
  open class func defaultDirectoryURL() -> URL { DefaultDirectory.url }

  /// The stores to load.
  open var persistentStoreDescriptions: [NSPersistentStoreDescription] {
    get { descriptions.withLock { $0 }.all }
    set {
      let new = Descriptions(all: newValue)
      descriptions.withLock { $0.all = new.all }
    }
  }

  /// Called whenever ``migrationProgress`` has gone on, by the thread that loads: key-value observing, by which one
  /// watches a `Progress` on Apple's platforms, does not exist here.
  public final var migrationProgressHandler: (@Sendable (Progress) -> Void)? {
    get { descriptions.withLock { $0.progressHandler } }
    set { descriptions.withLock { $0.progressHandler = newValue } }
  }

  /// Adds the stores of the descriptions that are not loaded yet, making their directories.
  ///
  /// `block` is called once for each, with the error if there is one: before this returns, or later in
  /// the background for a description that says so.
  open func loadPersistentStores(
    completionHandler block: @escaping (NSPersistentStoreDescription, (any Error)?) -> Void
  ) {
    // Chosen before the first is added: two descriptions of one file are a mistake, which is told.
    let wanted = persistentStoreDescriptions.filter { !isLoaded($0) }
    MigrationProgress.expect(wanted.count, in: migrationProgress)
    for description in wanted {
      do {
        try DefaultDirectory.make(for: description)
        try DefaultDirectory.moveIn(description, of: managedObjectModel)
      } catch {
        block(description, error)
        continue
      }
      let progress = MigrationProgress(migrationProgress) { [weak self] in
        if let self { migrationProgressHandler?(migrationProgress) }
      }
      MigrationProgress.$current.withValue(progress) {
        persistentStoreCoordinator.addPersistentStore(with: description, completionHandler: block)
      }
    }
  }

  private func isLoaded(_ description: NSPersistentStoreDescription) -> Bool {
    let stores = persistentStoreCoordinator.persistentStores
    if stores.contains(where: { $0.storeDescription === description }) { return true }
    guard let url = description.url, url.path != "/dev/null" else { return false }
    return persistentStoreCoordinator.persistentStore(for: url) != nil
  }

  /// How many contexts may be at work at once on queues of their own: 64, unless set otherwise. What comes beyond that waits
  /// for its turn without a thread, see ``NSPersistentStoreCoordinator/maximumContextsAtWork``. Not Apple's.
  public final var maximumContextsAtWork: Int {
    get { persistentStoreCoordinator.maximumContextsAtWork }
    set { persistentStoreCoordinator.maximumContextsAtWork = newValue }
  }

  /// A new context on a queue of its own, with the container's coordinator.
  open func newBackgroundContext() -> NSManagedObjectContext {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = persistentStoreCoordinator
    return context
  }

  /// Runs a block on the queue of a new background context.
  @preconcurrency
  open func performBackgroundTask(
    _ block: @escaping @Sendable (NSManagedObjectContext) -> Void
  ) {
    let context = newBackgroundContext()
    context.perform { block(context) }
  }

  /// Runs a block on the queue of a new background context, and returns what it returns.
  @preconcurrency
  public final func performBackgroundTask<Result>(
    _ block: @escaping @Sendable (NSManagedObjectContext) throws -> Result
  ) async rethrows -> Result {
    let context = newBackgroundContext()
    return try await context.perform { try block(context) }
  }
}

/// Gives a container's class the property beside the method of the same name, which a class cannot
/// declare itself.
public protocol DefaultDirectoryProviding {
  static func defaultDirectoryURL() -> URL
}

extension DefaultDirectoryProviding {
  /// The directory of the default stores.
  public static var defaultDirectoryURL: URL { defaultDirectoryURL() }
}

extension NSPersistentContainer: DefaultDirectoryProviding {}
