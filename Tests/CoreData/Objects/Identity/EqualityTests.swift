import CoreData
import Testing

@testable import CoreDataSamples

/// Equality of objects and of IDs, asked as collections and as clients ask.
@Suite struct EqualityTests {
  /// What a value may be wrapped in on its way to a comparison.
  private static func wrappings(_ object: NSObject) -> [Any] {
    let optional: NSObject? = object
    return [object, optional as Any, Optional(optional) as Any, object as AnyObject]
  }

  private static var strangers: [Any] {
    [
      1, "text", NSObject(), NSNull(), Optional<NSManagedObject>.none as Any, [1],
      NSNumber(value: 1),
    ]
  }

  @Test(arguments: [StoreKind.inMemory, .sqlite])
  func anObjectIsEqualToItselfAlone(_ kind: StoreKind) throws {
    let stack = try TestStack.company(kind)
    try stack.withContext { context in
      let (ann, bea) = (try context.hire("Ann"), try context.hire("Bea"))
      let tag = NSManagedObject(entity: ann.entity, insertInto: nil)
      for isSaved in [false, true] {
        if isSaved { try context.save() }
        for value in Self.wrappings(ann) {
          #expect(ann.isEqual(value), "\(type(of: value))")
          #expect(!bea.isEqual(value) && !tag.isEqual(value), "\(type(of: value))")
        }
        for value in Self.strangers { #expect(!ann.isEqual(value), "\(type(of: value))") }
        #expect(!ann.isEqual(nil) && !ann.isEqual(ann.objectID))
        #expect(Set([ann, bea, ann]).count == 2 && [bea, ann].firstIndex(of: ann) == 1)
        #expect(NSSet(array: [ann, bea, ann]).count == 2)
      }
    }
  }

  @Test(arguments: [StoreKind.inMemory, .sqlite])
  func anIDIsEqualToThatOfTheSameObject(_ kind: StoreKind) throws {
    let stack = try TestStack.company(kind)
    try stack.withContext { context in
      let (ann, bea) = (try context.hire("Ann"), try context.hire("Bea"))
      let temporary = ann.objectID
      for isSaved in [false, true] {
        if isSaved { try context.save() }
        let id = ann.objectID
        for value in Self.wrappings(id) {
          #expect(id.isEqual(value) && !bea.objectID.isEqual(value), "\(type(of: value))")
        }
        for value in Self.strangers { #expect(!id.isEqual(value), "\(type(of: value))") }
        #expect(!id.isEqual(nil) && !id.isEqual(ann))
        #expect(Set([id, bea.objectID, id]).count == 2)
      }
      #expect(temporary != ann.objectID && !temporary.isEqual(ann.objectID))
      // Found by its address.
      if let coordinator = context.persistentStoreCoordinator,
        let again = coordinator.managedObjectID(
          forURIRepresentation: ann.objectID.uriRepresentation())
      {
        #expect(again == ann.objectID && again.hash == ann.objectID.hash)
      }
    }
  }
}
