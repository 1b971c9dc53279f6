import CoreData
import CoreDataSupport
import Foundation
import Testing

/// Merges of so many objects that they are brought into the order of their keys first.
@Suite struct LargeMergeTests {
  enum Way: CaseIterable {
    case objects, ids, arraysOfIDs, uris
  }

  private static func makeContexts(
    _ store: String
  ) throws -> (writer: NSManagedObjectContext, reader: NSManagedObjectContext) {
    let number = NSAttributeDescription()
    number.name = "number"
    number.attributeType = .integer64AttributeType
    let entity = NSEntityDescription()
    entity.name = "Note"
    entity.properties = [number]
    let model = NSManagedObjectModel()
    model.entities = [entity]
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let url = store == NSSQLiteStoreType ? URL(fileURLWithPath: "/dev/null") : nil
    _ = try coordinator.addPersistentStore(
      ofType: store, configurationName: nil, at: url, options: nil)
    let contexts = (0..<2).map { _ in
      let context = coordinator.makeContext()
      return context
    }
    return (contexts[0], contexts[1])
  }

  private static func notes(_ context: NSManagedObjectContext) throws -> [NSManagedObject] {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
    request.sortDescriptors = [NSSortDescriptor(key: "number", ascending: true)]
    return try context.fetch(request)
  }

  private static func merge(
    _ saved: Notification, _ way: Way, into reader: NSManagedObjectContext
  ) {
    let keys = [NSInsertedObjectsKey, NSUpdatedObjectsKey, NSDeletedObjectsKey]
    let idKeys = [NSInsertedObjectIDsKey, NSUpdatedObjectIDsKey, NSDeletedObjectIDsKey]
    let ids = keys.map { key in
      (saved.userInfo?[key] as? Set<NSManagedObject> ?? []).map(\.objectID)
    }
    func merge(_ values: [Any], _ keys: [String]) {
      NSManagedObjectContext.mergeChanges(
        fromRemoteContextSave: Dictionary(uniqueKeysWithValues: zip(keys, values)), into: [reader])
    }
    switch way {
    case .objects: reader.performAndWait { reader.mergeChanges(fromContextDidSave: saved) }
    case .ids: merge(ids.map { Set($0) }, idKeys)
    case .arraysOfIDs: merge(ids, idKeys)
    case .uris: merge(ids.map { $0.map { $0.uriRepresentation() } }, keys)
    }
  }

  @Test(arguments: Way.allCases, [NSSQLiteStoreType, NSInMemoryStoreType])
  func eachObjectGetsItsOwnRow(way: Way, store: String) throws {
    let count: Int64 = 10_200
    let (writer, reader) = try Self.makeContexts(store)
    try writer.performAndWait {
      for number in 0..<count {
        NSEntityDescription.insertNewObject(forEntityName: "Note", into: writer)
          .setValue(number, forKey: "number")
      }
      try writer.save()
    }
    let held = try reader.performAndWait { try Self.notes(reader) }
    // The writer posts it while the test waits.
    nonisolated(unsafe) var told: Notification?
    let observer = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextDidSave, object: writer, queue: nil
    ) { told = $0 }
    defer { NotificationCenter.default.removeObserver(observer) }
    try writer.performAndWait {
      for (index, note) in try Self.notes(writer).enumerated() {
        if index < 100 { writer.delete(note) } else { note.setValue(-index, forKey: "number") }
      }
      NSEntityDescription.insertNewObject(forEntityName: "Note", into: writer)
        .setValue(count, forKey: "number")
      try writer.save()
    }
    Self.merge(try #require(told), way, into: reader)
    try reader.performAndWait {
      let wrong = held.enumerated().filter { index, note in
        index < 100
          ? note.managedObjectContext != nil && !note.isDeleted
          : note.value(forKey: "number") as? Int != -index
      }
      #expect(wrong.isEmpty)
      let stored = try reader.count(for: NSFetchRequest<NSManagedObject>(entityName: "Note"))
      #expect(stored == 10_101)
    }
  }
}
