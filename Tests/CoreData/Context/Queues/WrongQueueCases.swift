import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

/// A stack whose context is used from another queue than its own.
final class WrongQueueFixture: @unchecked Sendable {
  // Sound: one thread at a time uses it; that it is on the wrong queue is what is tested.
  let stack: TestStack
  let context: NSManagedObjectContext
  let other: NSManagedObjectContext
  let controller: NSFetchedResultsController<Item>
  /// Saved and read, saved and not read, and new.
  private(set) var items: [Item] = []
  var item: Item { items[0] }
  var fault: Item { items[1] }
  var new: Item { items[2] }
  private(set) var id: NSManagedObjectID

  init() throws {
    let stack = try TestStack(.sqlite)
    let (context, other) = (stack.makeContext(), stack.makeContext())
    (self.stack, self.context, self.other) = (stack, context, other)
    let request = NSFetchRequest<Item>(entityName: "Item")
    request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
    controller = NSFetchedResultsController(
      fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
    let ids = try stack.withContext { context in
      let items = ["a", "b"].map { context.makeItem($0) }
      try context.save()
      return items.map(\.objectID)
    }
    id = ids[0]
    try context.performAndWait {
      items = ids.compactMap { context.object(with: $0) as? Item }
      _ = items[0].title
      items.append(context.makeItem("c"))
      context.processPendingChanges()
      try controller.performFetch()
      context.undoManager = UndoManager()
    }
    // Nobody holds its row any more: it has to be read.
    context.performAndWait { context.refresh(items[1], mergeChanges: false) }
  }

  static let queue = DispatchQueue(label: "elsewhere")
}

/// The public methods of contexts, objects, controllers and coordinators, and what a call from another queue does.
struct WrongQueueCase: Sendable, CustomTestStringConvertible {
  enum Answer: Sendable {
    /// Debug builds stop.
    case refused
    /// The method enters the context's queue by itself.
    case enters
    /// It may be called anywhere.
    case anywhere
  }

  let name: String
  let answer: Answer
  let call: @Sendable (WrongQueueFixture) throws -> Void

  var testDescription: String { name }

  init(
    _ name: String, _ answer: Answer, _ call: @escaping @Sendable (WrongQueueFixture) throws -> Void
  ) {
    (self.name, self.answer, self.call) = (name, answer, call)
  }

  static let all = contexts + objects + controllers + coordinators
  static func named(_ name: String) -> WrongQueueCase { all.first { $0.name == name }! }
  static func names(_ answer: Answer) -> [String] {
    all.filter { $0.answer == answer }.map(\.name)
  }

  private static var request: NSFetchRequest<Item> { NSFetchRequest<Item>(entityName: "Item") }

  private static let contexts: [WrongQueueCase] = [
    .init("fetch", .refused) { _ = try $0.context.fetch(request) },
    .init("fetchLazily", .refused) { _ = try $0.context.fetchLazily(request) },
    .init("count", .refused) { _ = try $0.context.count(for: request) },
    .init("execute", .refused) {
      _ = try $0.context.execute(NSBatchUpdateRequest(entityName: "Item"))
    },
    .init("registeredObject", .refused) { _ = $0.context.registeredObject(for: $0.id) },
    .init("object", .refused) { _ = $0.context.object(with: $0.id) },
    .init("existingObject", .refused) { _ = try $0.context.existingObject(with: $0.id) },
    .init("insert", .refused) { _ = $0.context.makeItem("x") },
    .init("delete", .refused) { $0.context.delete($0.item) },
    .init("detectConflicts", .refused) { $0.context.detectConflicts(for: $0.item) },
    .init("assign", .refused) {
      $0.context.assign($0.new, to: $0.stack.coordinator.persistentStores[0])
    },
    .init("obtainPermanentIDs", .refused) { try $0.context.obtainPermanentIDs(for: [$0.new]) },
    .init("processPendingChanges", .refused) { $0.context.processPendingChanges() },
    .init("save", .refused) { try $0.context.save() },
    .init("undo", .refused) { $0.context.undo() },
    .init("redo", .refused) { $0.context.redo() },
    .init("refresh", .refused) { $0.context.refresh($0.item, mergeChanges: true) },
    .init("mergeChanges(fromContextDidSave:)", .refused) {
      $0.context.mergeChanges(
        fromContextDidSave: Notification(name: .NSManagedObjectContextDidSave, object: $0.other))
    },
    .init("setQueryGenerationFrom", .refused) { try $0.context.setQueryGenerationFrom(.current) },
    .init("objectChanges", .refused) { _ = $0.context.objectChanges() },
    .init("rollback", .enters) { $0.context.rollback() },
    .init("reset", .enters) { $0.context.reset() },
    .init("refreshAllObjects", .enters) { $0.context.refreshAllObjects() },
    .init("mergeChanges(fromRemoteContextSave:)", .enters) {
      NSManagedObjectContext.mergeChanges(
        fromRemoteContextSave: [NSDeletedObjectsKey: [$0.id]], into: [$0.context])
    },
    .init("performAndWait", .enters) { fixture in
      fixture.context.performAndWait {
        fixture.item.title = "x"
        fixture.context.processPendingChanges()
      }
    },
    .init("what a context is", .anywhere) {
      let context = $0.context
      _ = (context.hasChanges, context.concurrencyType, context.name, context.userInfo)
      _ = (context.parent, context.persistentStoreCoordinator, context.undoManager)
      _ = (context.mergePolicy, context.transactionAuthor, context.stalenessInterval)
      _ = (context.retainsRegisteredObjects, context.shouldDeleteInaccessibleFaults)
      _ = (context.propagatesDeletesAtEndOfEvent, context.queryGenerationToken)
      _ = context.automaticallyMergesChangesFromParent
    },
    .init("what a context has", .anywhere) {
      let context = $0.context
      _ = (context.insertedObjects, context.updatedObjects, context.deletedObjects)
      _ = context.registeredObjects
    },
    .init("perform", .anywhere) { $0.context.perform {} },
  ]

  private static let objects: [WrongQueueCase] = [
    .init("setValue", .refused) { $0.item.setValue("x", forKey: "title") },
    .init("a setter", .refused) { $0.item.title = "x" },
    .init("willChangeValue", .refused) { $0.item.willChangeValue(forKey: "title") },
    .init("mutableSetValue", .refused) {
      $0.item.mutableSetValue(forKey: "children").add($0.new)
    },
    .init("changes", .refused) { _ = $0.item.changes() },
    .init("the members of a relationship", .refused) { _ = $0.item.children },
    .init("what an object is", .anywhere) {
      _ = ($0.item.objectID, $0.item.entity, $0.item.managedObjectContext, $0.item.isFault)
      _ = ($0.item.isInserted, $0.item.isUpdated, $0.item.isDeleted, $0.item.hasChanges)
      _ = ($0.item.hasFault(forRelationshipNamed: "children"), $0.item.faultingState)
    },
    .init("values that were read", .anywhere) {
      _ = ($0.item.title, $0.item.value(forKey: "order"), $0.item.primitiveValue(forKey: "date"))
      _ = ($0.item.changedValues(), $0.item.committedValues(forKeys: ["title"]))
      _ = ($0.item.changedValuesForCurrentEvent(), $0.item.hasPersistentChangedValues)
      _ = $0.item.description
    },
    .init("validation", .anywhere) { try $0.item.validateForUpdate() },
  ]

  private static let first = IndexPath(row: 0, section: 0)

  private static let controllers: [WrongQueueCase] = [
    .init("performFetch", .enters) { try $0.controller.performFetch() },
    .init("refetch", .enters) { try $0.controller.refetch() },
    .init("what a controller shows", .anywhere) {
      _ = ($0.controller.fetchedObjects, $0.controller.object(at: first))
      _ = ($0.controller.existingObject(at: first), $0.controller.sections?[0].objects)
      _ = ($0.controller.indexPath(forObject: $0.item), $0.controller.sectionIndexTitles)
      _ = ($0.controller.sections?[0].numberOfObjects, $0.controller.sections?[0].name)
    },
    .init("what a controller is", .anywhere) {
      _ = ($0.controller.fetchRequest, $0.controller.managedObjectContext)
      _ = ($0.controller.sectionNameKeyPath, $0.controller.cacheName, $0.controller.delegate)
      _ = $0.controller.sectionIndexTitle(forSectionName: "a")
      NSFetchedResultsController<Item>.deleteCache(withName: "none")
    },
  ]

  private static let coordinators: [WrongQueueCase] = [
    .init("a coordinator's execute for objects", .refused) {
      _ = try $0.stack.coordinator.execute(request, with: $0.context)
    },
    .init("a coordinator's execute for a number", .anywhere) {
      let request = request
      request.resultType = .countResultType
      _ = try $0.stack.coordinator.execute(request, with: $0.context)
    },
    .init("a coordinator", .anywhere) { fixture in
      let coordinator = fixture.stack.coordinator
      let store = coordinator.persistentStores[0]
      _ = coordinator.managedObjectID(forURIRepresentation: fixture.id.uriRepresentation())
      _ = (coordinator.url(for: store), coordinator.metadata(for: store), coordinator.name)
      coordinator.setMetadata(coordinator.metadata(for: store), for: store)
      let second = try coordinator.addPersistentStore(
        ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
      try coordinator.remove(second)
      coordinator.performAndWait {}
      coordinator.perform {}
      _ = coordinator.currentPersistentHistoryToken(fromStores: nil)
    },
  ]
}
