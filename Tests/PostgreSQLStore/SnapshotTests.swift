import CoreData
import CoreDataSupport
import PostgreSQLServer
import Synchronization
import Testing

@testable import PostgreSQLStore

/// What one fetch finds is of one moment, however many statements it takes.
@Suite(.enabled(if: PostgreSQLServer.isAvailable)) struct SnapshotTests {
  enum Form: CaseIterable {
    case rows, limited, identities, count, dictionaries
  }

  /// Two books exchange what the predicate looks at, again and again, in one save each: exactly one holds at any moment.
  @Test(
    arguments: Form.allCases,
    [
      "shelf.name ENDSWITH 'here'", "shelf.name CONTAINS[cd] 'HÉRE'", "shelf.name MATCHES '.*here'",
      "shelf.name ==[l] 'é here'", "ANY tags.name LIKE[cd] '*hére*'",
      "SUBQUERY(tags, $t, $t.name ENDSWITH[d] 'here').@count == 1",
    ])
  func oneOfTwoIsFound(_ form: Form, _ format: String) throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: ShelfModel.make())
    let name = "moment\(UUID().uuidString.lowercased().filter { $0 != "-" })"
    try coordinator.addPersistentStore(
      type: .postgreSQL, at: PostgreSQLServer.url(schema: name))
    func context() -> NSManagedObjectContext { coordinator.makeContext() }
    let writer = context()
    let changing = try writer.performAndWait { () throws in
      let pairs = (0..<2).map { number in
        let objects = ["Shelf", "Book", "Tag"].map {
          NSEntityDescription.insertNewObject(forEntityName: $0, into: writer)
        }
        objects[1].setValue(objects[0], forKey: "shelf")
        objects[1].setValue(Set([objects[2]]), forKey: "tags")
        return [objects[0], objects[2]]
      }
      for (number, pair) in pairs.enumerated() {
        for object in pair { object.setValue(number == 0 ? "é here" : "é away!", forKey: "name") }
      }
      try writer.save()
      return Held(objects: pairs.flatMap { $0 })
    }
    let isOver = Atomic(false)
    let ended = DispatchSemaphore(value: 0)
    writer.perform {
      while !isOver.load(ordering: .relaxed) {
        for object in changing.objects {
          let isHere = object.value(forKey: "name") as? String == "é here"
          object.setValue(isHere ? "é away!" : "é here", forKey: "name")
        }
        do { try writer.save() } catch { Issue.record(error) }
      }
      ended.signal()
    }
    let reader = context()
    try reader.performAndWait { () throws in
      for _ in 0..<60 { #expect(try found(form, format, reader) == 1) }
    }
    isOver.store(true, ordering: .relaxed)
    ended.wait()
  }

  private func found(
    _ form: Form, _ format: String, _ context: NSManagedObjectContext
  ) throws -> Int {
    let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Book")
    request.predicate = NSPredicate(format: format, argumentArray: nil)
    switch form {
    case .rows: break
    case .limited:
      request.fetchLimit = 5
      request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
    case .identities: request.resultType = .managedObjectIDResultType
    case .count: return try context.count(for: request)
    case .dictionaries:
      request.resultType = .dictionaryResultType
      request.propertiesToFetch = ["title"]
    }
    return try context.fetch(request).count
  }

  /// Sendable: used on the context's queue alone.
  private struct Held: @unchecked Sendable {
    let objects: [NSManagedObject]
  }
}
