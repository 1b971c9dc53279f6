import Synchronization

/// A complete Core Data stack: model, coordinator, stores, and the contexts that use them.
///
/// Source: developer.apple.com/documentation/coredata/nspersistentcontainer
///
/// Sendable: `descriptions` has a lock, all other properties are constant.
open class NSPersistentContainer: NSObject, @unchecked Sendable {
  /// The name of the container, after which the default store is named.
  open var name: String { parts.name }
  /// The model that the container was made with.
  open var managedObjectModel: NSManagedObjectModel { parts.model }
  /// The coordinator of the container's stores.
  open var persistentStoreCoordinator: NSPersistentStoreCoordinator { parts.coordinator }
  /// The context of the user interface, on the main queue. Subclasses override it to configure the
  /// context, or to give another one to tests.
  open var viewContext: NSManagedObjectContext { parts.viewContext }
  private let parts: Parts
  private let descriptions: Mutex<Descriptions>
  /// The progress of loading stores, 1000 units per store; a migration subdivides its store's
  /// units.
  ///
  /// The object stays the same for the life of the container, so other threads and
  /// ``migrationProgressHandler`` can watch its `fractionCompleted`. `cancel()`, from any thread,
  /// ends a migration with error 134120 and leaves that store as it was; stores already loaded stay
  /// loaded.
  public final let migrationProgress = Progress(parent: nil)

  /// What the properties of the same names give unless a subclass overrides them.
  private struct Parts: Sendable {
    let name: String
    let model: NSManagedObjectModel
    let coordinator: NSPersistentStoreCoordinator
    let viewContext: NSManagedObjectContext
  }

  /// Sendable: one thread at a time uses the descriptions, first the one that configures the
  /// container, then the one that loads its stores.
  private struct Descriptions: @unchecked Sendable {
    var all: [NSPersistentStoreDescription] = []
    var progressHandler: (@Sendable (Progress) -> Void)?
  }

  /// Makes a container for the model with this name, which is searched for among the embedded
  /// models, and as `name.momd` or `name.mom` in the bundles of the program.
  ///
  /// If there is no such model, an error is logged and the container's model is empty.
  public convenience init(name: String) {
    let model = NamedModel.find(name, for: Self.self)
    self.init(name: name, managedObjectModel: model ?? NSManagedObjectModel())
  }

  /// Makes a container for a model, with one description: `name.sqlite` in
  /// ``NSPersistentContainer/defaultDirectoryURL()``.
  public init(name: String, managedObjectModel model: NSManagedObjectModel) {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let viewContext = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
    parts = Parts(name: name, model: model, coordinator: coordinator, viewContext: viewContext)
    let url = Self.defaultDirectoryURL().appendingPathComponent("\(name).sqlite")
    descriptions = Mutex(Descriptions(all: [NSPersistentStoreDescription(url: url)]))
    super.init()
    viewContext.persistentStoreCoordinator = coordinator
  }

  /// The directory of default stores: the program's own folder in the user's directory for
  /// application data, `~/.local/share/PROGRAM` on Linux. Subclasses may override it.
  ///
  /// A default store beside that folder, where earlier versions made it, is moved into the folder
  /// when it is loaded, provided that the model has all of its entities.
  open class func defaultDirectoryURL() -> URL { DefaultDirectory.url }

  /// The descriptions of the stores to load.
  open var persistentStoreDescriptions: [NSPersistentStoreDescription] {
    get { descriptions.withLock { $0 }.all }
    set {
      let new = Descriptions(all: newValue)
      descriptions.withLock { $0.all = new.all }
    }
  }

  /// The handler called on each advance of ``migrationProgress``, on the loading thread. It
  /// replaces key-value observing, with which programs watch a `Progress` on Apple's platforms and
  /// which Foundation lacks here.
  public final var migrationProgressHandler: (@Sendable (Progress) -> Void)? {
    get { descriptions.withLock { $0.progressHandler } }
    set { descriptions.withLock { $0.progressHandler = newValue } }
  }

  /// Adds the stores whose descriptions are not loaded yet, making their directories first.
  ///
  /// `block` is called once per description, with an error if loading failed: before this method
  /// returns, or later in the background for a description with `shouldAddStoreAsynchronously`.
  open func loadPersistentStores(
    completionHandler block: @escaping (NSPersistentStoreDescription, (any Error)?) -> Void
  ) {
    // Selected before the first store is added: two descriptions of one file are a mistake of the
    // program and must fail.
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

  /// The number of contexts that may run at once on private queues: 64 by default. Work beyond that
  /// waits without a thread, see ``NSPersistentStoreCoordinator/maximumContextsAtWork``. Not
  /// Apple's.
  public final var maximumContextsAtWork: Int {
    get { persistentStoreCoordinator.maximumContextsAtWork }
    set { persistentStoreCoordinator.maximumContextsAtWork = newValue }
  }

  /// Makes a context on a private queue, connected to the container's coordinator.
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

  /// Runs a block on the queue of a new background context and returns its result.
  @preconcurrency
  public final func performBackgroundTask<Result>(
    _ block: @escaping @Sendable (NSManagedObjectContext) throws -> Result
  ) async rethrows -> Result {
    let context = newBackgroundContext()
    return try await context.perform { try block(context) }
  }
}

/// Gives container classes the property `defaultDirectoryURL` beside the method of that name; one
/// class cannot declare both.
public protocol DefaultDirectoryProviding {
  /// The directory of default stores.
  static func defaultDirectoryURL() -> URL
}

extension DefaultDirectoryProviding {
  /// The directory of default stores.
  public static var defaultDirectoryURL: URL { defaultDirectoryURL() }
}

extension NSPersistentContainer: DefaultDirectoryProviding {}
