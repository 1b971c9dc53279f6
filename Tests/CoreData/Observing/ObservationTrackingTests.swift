import CoreData
import CoreDataSupport
import Observation
import Synchronization
import Testing

@testable import CoreDataSamples

/// Of a class that says that it is `Observable`.
private final class TrackedItem: NSManagedObject, Observable {
  private static let titleProperty = ManagedProperty("title")
  private static let orderProperty = ManagedProperty("order")
  private static let parentProperty = ManagedProperty("parent")
  private static let childrenProperty = ManagedProperty("children")

  static func makeModel() -> NSManagedObjectModel {
    ManagedObjectClasses.register(
      "TrackedItem", module: "CoreDataObservingTests", type: TrackedItem.self
    ) {
      TrackedItem(entity: $0, insertInto: $1)
    }
    let item = NSEntityDescription()
    item.name = "TrackedItem"
    item.managedObjectClassName = "TrackedItem"
    let (parent, children) = ModelPart.relate(item, "parent", 1, item, "children", 0)
    item.properties = [
      ModelPart.attribute("title"),
      ModelPart.attribute("order", .integer64AttributeType, default: 0), parent, children,
    ]
    let model = NSManagedObjectModel()
    model.entities = [item]
    return model
  }

  var title: String? {
    get { managedValue(Self.titleProperty) }
    set { setManagedValue(newValue, Self.titleProperty) }
  }
  var order: Int64 {
    get { managedValue(Self.orderProperty) }
    set { setManagedValue(newValue, Self.orderProperty) }
  }
  var parent: TrackedItem? {
    get { managedValue(Self.parentProperty) }
    set { setManagedValue(newValue, Self.parentProperty) }
  }
  var children: Set<TrackedItem> {
    get { managedValue(Self.childrenProperty) }
    set { setManagedValue(newValue, Self.childrenProperty) }
  }
  var label: String { "\(order) \(title ?? "")" }
}

@Suite struct ObservationTrackingTests {
  private func withItems(
    _ body: (TestStack, NSManagedObjectContext, TrackedItem, TrackedItem) throws -> Void
  ) throws {
    let stack = try TestStack(.sqlite, model: TrackedItem.makeModel())
    try stack.withContext { context in
      let parent = TrackedItem(context: context)
      let item = TrackedItem(context: context)
      item.title = "a"
      item.parent = parent
      parent.title = "p"
      try context.save()
      try body(stack, context, parent, item)
    }
  }

  /// How often something that was read has changed: 0 or 1.
  private func changes(reading: () -> Void, after change: () throws -> Void) rethrows -> Int {
    let count = Mutex(0)
    withObservationTracking(reading) { count.withLock { $0 += 1 } }
    try change()
    return count.withLock { $0 }
  }

  @Test func whatWasReadIsTracked() throws {
    try withItems { _, context, parent, item in
      let readings: [(String, () -> Void, () -> Void)] = [
        ("title", { _ = item.title }, { item.title = "b" }),
        ("order", { _ = item.order }, { item.order += 1 }),
        ("computed", { _ = item.label }, { item.order += 1 }),
        ("by key", { _ = item.value(forKey: "title") }, { item.setValue("c", forKey: "title") }),
        ("to-one", { _ = item.parent }, { item.parent = nil }),
        ("to-many", { _ = parent.children }, { item.parent = parent }),
        ("path", { _ = item.parent?.title }, { parent.title = "q" }),
        ("set", { _ = item.value(forKeyPath: "parent.title") }, { parent.title = "r" }),
        ("refresh", { _ = item.title }, { context.refresh(item, mergeChanges: false) }),
        ("rollback", { item.order += 1 }, { context.rollback() }),
      ]
      for (name, read, change) in readings {
        #expect(changes(reading: read, after: change) == 1, "\(name)")
      }
    }
  }

  @Test func whatWasNotReadIsNot() throws {
    try withItems { _, context, parent, item in
      let count = try changes(reading: { _ = item.title }) {
        item.order = 9
        parent.title = "x"
        item.parent = nil
        try context.save()
        _ = item.title
      }
      #expect(count == 0)
      // Read by nobody who tracks: nothing is left behind.
      _ = parent.order
      #expect(changes(reading: {}, after: { parent.order = 1 }) == 0)
    }
  }

  @Test func whatOthersSaveIsTracked() throws {
    try withItems { stack, context, parent, item in
      context.automaticallyMergesChangesFromParent = true
      let id = item.objectID
      let count = try changes(reading: { _ = item.title }) {
        try stack.withContext { other in
          try other.existingObject(with: id).setValue("z", forKey: "title")
          try other.save()
        }
        context.performAndWait {}
        context.refreshAllObjects()
      }
      #expect(count == 1 && item.title == "z")
    }
  }

  @Test func aClassThatIsNotObservableIsNotTracked() throws {
    let stack = try TestStack(.inMemory)
    stack.withContext { context in
      let item = context.makeItem("a")
      #expect(changes(reading: { _ = item.title }, after: { item.title = "b" }) == 0)
    }
  }
}
