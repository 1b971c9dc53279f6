import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

/// From object IDs to URIs and back.
@Suite struct ObjectURITests {
  private let stack: StoreStack
  private let identity: NSManagedObjectID

  init() throws {
    stack = try StoreStack(.inMemory)
    identity = try stack.insert(stack.makeRow("Tag", ["name": .text("a")]))[0]
  }

  @Test func aPermanentURINamesStoreEntityAndKey() throws {
    let text = identity.uriRepresentation().absoluteString
    #expect(text == "x-coredata://\(stack.store.identifier ?? "")/Tag/p\(identity.packed.key)")
    #expect(
      stack.coordinator.managedObjectID(forURIRepresentation: identity.uriRepresentation())
        === identity)
    #expect(stack.coordinator.managedObjectID(for: text) === identity)
  }

  @Test(arguments: [
    "x-coredata:///Tag/t4E1E5A5E-0000-0000-0000-0000000000001",
    "x-coredata://00000000-0000-0000-0000-000000000000/Tag/p1", "https://example.org/Tag/p1",
    "x-coredata://STORE/Nothing/p1", "x-coredata://STORE/Tag/p0", "x-coredata://STORE/Tag/pX",
    "x-coredata://STORE/Tag/p-1", "x-coredata://STORE/Tag", "x-coredata://STORE/Tag/1",
    "x-coredata://STORE/Tag/p99999999999999999999", "",
  ])
  func otherURIsStandForNothing(text: String) throws {
    let text = text.replacing("STORE", with: stack.store.identifier)
    #expect(stack.coordinator.managedObjectID(for: text) == nil)
  }

  @Test func theObjectNeedNotExist() throws {
    let text = "x-coredata://\(stack.store.identifier ?? "")/Person/p4711"
    let found = try #require(stack.coordinator.managedObjectID(for: text))
    #expect(found.entity.name == "Person")
    #expect(found.persistentStore === stack.store)
  }

  @Test func aRemovedStoreLeavesItsIDsWithoutOne() throws {
    try stack.coordinator.remove(stack.store)
    #expect(identity.persistentStore == nil)
    #expect(stack.coordinator.identity(identity.packed) == nil)
    #expect(
      stack.coordinator.managedObjectID(forURIRepresentation: identity.uriRepresentation())
        == nil)
    let error = #expect(throws: NSError.self) { try stack.coordinator.row(of: identity) }
    #expect(error?.code == NSManagedObjectReferentialIntegrityError)
  }
}
