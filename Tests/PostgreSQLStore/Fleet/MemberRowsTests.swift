import CoreData
import CoreDataSupport
import PostgreSQLServer
import Testing

@testable import PostgreSQLStore

/// The members of a relationship come with their rows: who looks at all of them does not ask for each.
@Suite(.enabled(if: PostgreSQLServer.isAvailable)) struct MemberRowsTests {
  @Test(arguments: ["books", "favourites", "tags"]) func membersAreReadTogether(
    _ relationship: String
  ) throws {
    let name = "r\(UUID().uuidString.lowercased().filter { $0 != "-" })"
    let url = try PostgreSQLServer.url(schema: name)
    let (proxy, address) = try CuttingProxy.before(url)
    defer { proxy.close() }
    let filling = try open(url)
    try filling.performAndWait { try ShelfModel.fill(filling, shelves: 30, "Book") }
    let context = try open(address)
    try context.performAndWait {
      let owner = ["books": "Shelf", "favourites": "Tag", "tags": "Book"][relationship] ?? ""
      let request = NSFetchRequest<NSManagedObject>(entityName: owner)
      request.returnsObjectsAsFaults = false
      let owners = try context.fetch(request)
      // What is prepared is prepared.
      _ = count(owners[0], relationship)
      var members = 0
      let trips = proxy.roundTrips {
        for owner in owners.dropFirst() { members += count(owner, relationship) }
      }
      #expect(members > 1)
      // The members, and the rows of those that nobody has.
      #expect(trips <= 2 * (owners.count - 1) + 4, "\(trips) for \(members)")
    }
  }

  /// How many members have a value.
  private func count(_ owner: NSManagedObject, _ relationship: String) -> Int {
    let members =
      (owner.value(forKey: relationship) as? NSOrderedSet)?.array
      ?? (owner.value(forKey: relationship) as? NSSet)?.allObjects ?? []
    return members.count { member in
      let object = member as? NSManagedObject
      return object?.value(forKey: object?.entity.name == "Tag" ? "name" : "title") != nil
    }
  }

  private func open(_ url: URL) throws -> NSManagedObjectContext {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: ShelfModel.make())
    try coordinator.addPersistentStore(type: .postgreSQL, at: url)
    let context = coordinator.makeContext()
    return context
  }
}
