import CoreData
import Foundation
import Synchronization

/// The context of Core Data underneath. It lives for as long as somebody has its ``ModelContext``
/// or one of its models.
final class ModelObjectContext: NSManagedObjectContext, @unchecked Sendable {
  weak var modelContext: ModelContext?
  let stores: OpenStores
  var editingState = EditingState() {
    didSet { transactionAuthor = editingState.author }
  }
  /// What the next save deletes by one request, if it does nothing else.
  var batchDeletion: BatchDeletion?
  /// What a custom store has changed of what it has saved.
  var reregistered: [NSManagedObjectID] = []
  // By the addresses of model types.
  private var entities: [ObjectIdentifier: NSEntityDescription] = [:]
  private var lastEntity: (type: ModelType, entity: NSEntityDescription)?

  init(_ stores: OpenStores, type: NSManagedObjectContextConcurrencyType) {
    self.stores = stores
    super.init(concurrencyType: type)
    persistentStoreCoordinator = stores.coordinator
    name = stores.others?.contextName
    mergePolicy = UpsertPolicy.shared
    // Code written for Apple's SwiftData, where nobody checks, is to run.
    stopsAtForeignUse = false
    willForget = { ($0 as? ManagedModelObject)?.keepLastValues() }
    for store in stores.customStores { store.access.begin(editingState) }
  }

  deinit { for store in stores.customStores { store.access.end(editingState) } }

  /// nil for a class that the container does not have.
  func entity(of type: ModelType) -> NSEntityDescription? {
    if let lastEntity, lastEntity.type === type { return lastEntity.entity }
    let entity =
      entities[ObjectIdentifier(type)]
      ?? stores.coordinator.managedObjectModel.entitiesByName[type.entityName]
    entities[ObjectIdentifier(type)] = entity
    lastEntity = entity.map { (type, $0) }
    return entity
  }

  /// Made again where only models are left.
  var wrapper: ModelContext { modelContext ?? ModelContext(self) }
}

/// Contexts of models that somebody still has, and whose ``ModelContext`` is gone.
///
/// Models do not own their context: those that it has changed it owns itself.
enum OrphanedContexts {
  // Sendable: an entry is only looked at for whether its models are alive.
  private struct Entry: @unchecked Sendable {
    let context: ModelObjectContext
    let objects: [ManagedModelObject]

    var isWanted: Bool { objects.contains { $0.hasFace } }
  }

  private static let entries = Mutex<[Entry]>([])

  static func add(_ context: ModelObjectContext) {
    // Mostly there are none: a model that nobody has is gone, and its object with it.
    let objects = context.livingObjects.compactMap { $0 as? ManagedModelObject }
      .filter(\.hasFace)
    guard !objects.isEmpty else { return }
    let entry = Entry(context: context, objects: objects)
    entries.withLock { $0.append(entry) }
  }

  /// Lets go of those that nobody needs any more, and of one that somebody has again.
  static func sweep() {
    // Outside of the lock: what is let go may end other contexts.
    let unwanted = entries.withLock { all in
      let unwanted = all.filter { !$0.isWanted || $0.context.modelContext != nil }
      all.removeAll { !$0.isWanted || $0.context.modelContext != nil }
      return unwanted
    }
    withExtendedLifetime(unwanted) {}
  }
}

/// A place to work with models: keeps them unique, tracks what changes, saves it.
///
/// Not Sendable: a context belongs to the thread, or the actor, that made it. What other contexts
/// save, in this process or in another, is merged when the context is next used; into the main
/// context at once.
///
/// No method stops the program for what it is given. Where a method that cannot throw is given
/// something that makes no sense, such as two models of different contexts that are to be related,
/// the next ``save()`` throws.
///
/// Source: developer.apple.com/documentation/swiftdata/modelcontext
public class ModelContext: Equatable, SendableMetatype {
  /// The container whose stores the context reads and writes.
  public final var container: ModelContainer { managed.stores.container(of: self) }
  final let managed: ModelObjectContext
  private let inbox: SaveInbox
  /// Models with changes, which may hold what no store does.
  // Unchecked: nothing is called while it changes.
  @exclusivity(unchecked)
  private var pinned: [(object: ManagedModelObject, face: AnyObject)] = []
  /// What went wrong where nothing could be thrown.
  private var refusal: (any Error)?
  private lazy var autosave = Autosave(self)

  /// A context for the caller's thread or actor. It saves when it is told to.
  public convenience init(_ container: ModelContainer) {
    self.init(container.stores, type: .confinementConcurrencyType)
  }

  convenience init(_ stores: OpenStores, type: NSManagedObjectContextConcurrencyType) {
    self.init(ModelObjectContext(stores, type: type))
  }

  fileprivate init(_ managed: ModelObjectContext) {
    self.managed = managed
    inbox = SaveInbox(of: managed)
    managed.stores.saves.add(inbox)
    managed.automaticallyMergesChangesFromParent =
      managed.concurrencyType != .confinementConcurrencyType
    managed.modelContext = self
    OrphanedContexts.sweep()
  }

  deinit {
    unpin()
    managed.modelContext = nil
    OrphanedContexts.add(managed)
  }

  public static func == (left: ModelContext, right: ModelContext) -> Bool { left === right }

  // MARK: - Settings

  /// Whether changes are saved without being asked: in the main context at the end of the main
  /// queue's turn that made them, in a model actor's context at the end of each job. A context that
  /// was made by hand has no such moment and is saved by ``save()`` alone. False but for the main
  /// context.
  public var autosaveEnabled = false {
    didSet { autosave.isEnabled = autosaveEnabled }
  }

  /// nil by default: nothing is recorded.
  public var undoManager: UndoManager? {
    get { managed.undoManager }
    set { managed.undoManager = newValue }
  }

  /// Who makes the changes, in the history.
  public var author: String? {
    get { editingState.author }
    set { editingState.author = newValue }
  }

  /// The editor that the history and custom stores know of the context.
  public var editingState: EditingState {
    get { managed.editingState }
    set { managed.editingState = newValue }
  }

  // MARK: - What it has

  /// The models that the next save inserts.
  public var insertedModelsArray: [any PersistentModel] { faces(managed.insertedObjects) }

  /// The saved models that have been changed.
  public var changedModelsArray: [any PersistentModel] { faces(managed.updatedObjects) }

  /// The saved models that the next save deletes.
  public var deletedModelsArray: [any PersistentModel] { faces(managed.deletedObjects) }

  /// Whether the next save has something to write.
  public var hasChanges: Bool { managed.hasChanges }

  private func faces(_ objects: Set<NSManagedObject>) -> [any PersistentModel] {
    let objects = objects.compactMap { $0 as? ManagedModelObject }
    return objects.map { ($0.identifier, $0) }.sorted { $0.0 < $1.0 }.map(\.1.face)
  }

  func pin(_ object: ManagedModelObject, face: AnyObject) {
    object.isPinned = true
    pinned.append((object, face))
  }

  func unpin() {
    let unpinned = pinned
    pinned = []
    for (object, _) in unpinned { object.isPinned = false }
  }

  /// Merges what others have saved since. Changes of the main context are saved before that, where
  /// it saves by itself: then its save meets what others have made of the same models.
  func catchUp() {
    if managed.concurrencyType == .mainQueueConcurrencyType, managed.hasChanges { return }
    inbox.merge(into: managed)
  }

  /// Whether unsaved changes are saved before others' are merged, in a context that is saved by
  /// hand; who saves it by hand says what is wrong.
  package final var savesBeforeMerging = false

  /// What others have done is merged whether that succeeds or not.
  func saveBeforeMerging() {
    if savesBeforeMerging, managed.hasChanges {
      try? save()
    } else {
      autosaveNow()
    }
  }

  func autosaveNow() {
    guard autosaveEnabled, managed.hasChanges else { return }
    do { try save() } catch {
      FileHandle.standardError.write(
        Data(
          "SwiftData: error: the autosave failed; it is tried again with the next change: \(error)\n"
            .utf8))
    }
  }

  /// What holds the models, for the views of this package.
  package var managedObjectContext: NSManagedObjectContext { managed }

  func refuse(_ error: any Error) {
    refusal = refusal ?? error
    FileHandle.standardError.write(Data("SwiftData: error: \(error)\n".utf8))
  }

  // MARK: - Finding

  /// The model of an identifier. One whose row is gone has no values but those that stand for
  /// nothing.
  public func model(for persistentModelID: PersistentIdentifier) -> any PersistentModel {
    catchUp()
    if let object = object(for: persistentModelID) { return object.face }
    let entity = managed.stores.schema.entitiesByName[persistentModelID.entityName]
    let type =
      entity?.modelType ?? managed.stores.schema.entities.lazy.compactMap(\.modelType).first
    guard let type else {
      fatalError(
        "The container has no model \(persistentModelID.entityName), nor any other that could stand for it"
      )
    }
    refuse(
      SwiftDataError(
        .modelValidationFailure,
        explanation:
          "There is no model \(persistentModelID.uri.absoluteString) in this context's stores"))
    return Self.empty(type.type)
  }

  static func empty<M: PersistentModel>(_ type: M.Type) -> any PersistentModel {
    M(backingData: M.createBackingData())
  }

  /// The model of an identifier if the context has met it.
  public func registeredModel<T: PersistentModel>(
    for persistentModelID: PersistentIdentifier
  ) -> T? {
    if persistentModelID.isTemporary {
      return newObject(persistentModelID)?.face as? T
    }
    guard let id = objectID(of: persistentModelID) else { return nil }
    return (managed.registeredObject(for: id) as? ManagedModelObject)?.face as? T
  }

  func object(for identifier: PersistentIdentifier) -> ManagedModelObject? {
    if identifier.isTemporary { return newObject(identifier) }
    return objectID(of: identifier).flatMap { managed.object(with: $0) as? ManagedModelObject }
  }

  private func newObject(_ identifier: PersistentIdentifier) -> ManagedModelObject? {
    managed.insertedObjects.lazy.compactMap { $0 as? ManagedModelObject }
      .first { $0.identifier == identifier }
  }

  func objectID(of identifier: PersistentIdentifier) -> NSManagedObjectID? {
    if identifier.isTemporary { return newObject(identifier)?.objectID }
    if let store = managed.stores.customStore(identifier.storeIdentifier) {
      return store.id(of: identifier)
    }
    return managed.stores.coordinator.managedObjectID(forURIRepresentation: identifier.uri)
  }

  // MARK: - Inserting

  /// Adds a model, and all that it leads to, to what the next save writes.
  public func insert<T: PersistentModel>(_ model: T) { insert(anyModel: model) }

  func insert(anyModel model: any PersistentModel) {
    let content = model._$modelContent
    if let object = content.managed, !object.isGone {
      if object.managedObjectContext === managed {
        if object.isDeleted { managed.insert(object) }
      } else {
        refuse(Self.foreign(model))
      }
      return
    }
    Insertion(into: self).insert(model, content: content)
  }

  static func foreign(_ model: any PersistentModel) -> SwiftDataError {
    SwiftDataError(
      .missingModelContext,
      explanation:
        "The \(type(of: model)) \(model.persistentModelID.uri.absoluteString) is in another context, unsaved; save that one "
        + "first, and take the model from this one with model(for:)")
  }

  /// The object of a model that is to be related to one of this context; nil, with an error for the
  /// next save, where that cannot be.
  func object(
    for model: any PersistentModel, toRelateTo owner: ManagedModelObject,
    _ property: ModelProperty
  ) -> ManagedModelObject? {
    if let object = model.managed, !object.isGone {
      if object.managedObjectContext === managed { return object }
      if !object.objectID.isTemporaryID {
        return managed.object(with: object.objectID) as? ManagedModelObject
      }
      refuse(Self.foreign(model))
      return nil
    }
    insert(anyModel: model)
    return model.managed
  }

  // MARK: - Deleting

  /// Marks a model for deletion at the next save; one that was never saved is just dropped.
  public func delete<T: PersistentModel>(_ model: T) {
    guard let object = model.managed, let context = object.managedObjectContext else { return }
    let own =
      context === managed
      ? object : managed.object(with: object.objectID) as? ManagedModelObject
    guard let own else { return }
    if !own.isPinned { pin(own, face: own.face) }
    managed.delete(own)
  }

  // MARK: - Saving

  /// Merges what other contexts have saved, and tells observers and the undo manager of pending
  /// changes.
  public func processPendingChanges() {
    catchUp()
    managed.processPendingChanges()
  }

  /// Takes back what is not saved, and empties the undo manager.
  public func rollback() {
    managed.rollback()
    managed.undoManager?.removeAllActions()
    refusal = nil
    managed.batchDeletion = nil
    unpin()
  }

  /// Writes all changes, or none.
  ///
  /// Throws Core Data's errors of validation, 1550 and its neighbours, and those of the store.
  public func save() throws {
    catchUp()
    if let refusal {
      self.refusal = nil
      throw refusal
    }
    guard managed.hasChanges else { return }
    NotificationCenter.default.post(name: Self.willSave, object: self)
    managed.processPendingChanges()
    let inserted = managed.insertedInOrder
    let updated = managed.updatedInOrder
    let deleted = identifiers(managed.deletedInOrder)
    try managed.save()
    unpin()
    takeOverWhatStoresHaveChanged()
    NotificationCenter.default.post(
      name: Self.didSave, object: self,
      userInfo: [
        NotificationKey.insertedIdentifiers.rawValue: identifiers(inserted),
        NotificationKey.updatedIdentifiers.rawValue: identifiers(updated),
        NotificationKey.deletedIdentifiers.rawValue: deleted,
      ])
  }

  /// The values that a custom store has saved instead of those that it was given.
  private func takeOverWhatStoresHaveChanged() {
    managed.batchDeletion = nil
    let ids = managed.reregistered
    managed.reregistered = []
    if ids.isEmpty { return }
    NSManagedObjectContext.mergeChanges(
      fromRemoteContextSave: [NSUpdatedObjectIDsKey: ids], into: [managed])
  }

  private func identifiers(_ objects: [NSManagedObject]) -> [PersistentIdentifier] {
    guard managed.stores.customStores.isEmpty else {
      return objects.map { PersistentIdentifier($0.objectID) }
    }
    return ManagedModelObject.identifiersInFile(objects)
  }

  /// Runs the block and saves. When the block throws, nothing of the context is saved.
  public func transaction(block: () throws -> Void) throws {
    try block()
    try save()
  }

  // MARK: - Notifications

  /// Posted before a save; without user info.
  public static let willSave = Notification.Name("SwiftDataModelContextWillSave")
  /// Posted after a save, with the identifiers of what it wrote: see ``NotificationKey``.
  public static let didSave = Notification.Name("SwiftDataModelContextDidSave")

  /// Keys of the user info, by their raw values; each leads to an array of
  /// ``PersistentIdentifier``.
  public enum NotificationKey: String, Sendable {
    case queryGeneration, invalidatedAllIdentifiers, insertedIdentifiers, updatedIdentifiers
    case deletedIdentifiers
  }
}

/// Who edits: what a history and a custom store know of a context.
///
/// Source: developer.apple.com/documentation/swiftdata/editingstate
public struct EditingState: Identifiable, Sendable {
  /// Distinguishes editors.
  public let id = UUID()
  /// The author that the history notes; nil for none.
  public var author: String?

  /// For a store that is asked by hand.
  public init(author: String? = nil) { self.author = author }
}
