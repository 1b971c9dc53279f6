import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

/// An inverse that is not mutual, as shipped models have: `Image.artist` names `Artist.thumbnail`, whose own
/// inverse is another relationship.
struct OneSidedInverseTests {
  private func model(toMany: Bool, inverseToMany: Bool) throws -> NSManagedObjectModel {
    func count(_ many: Bool) -> String { many ? "toMany=\"YES\"" : "maxCount=\"1\"" }
    let text = """
      <model>
        <entity name="Image">
          <relationship name="artist" optional="YES" \(count(toMany)) deletionRule="Nullify" destinationEntity="Artist" inverseName="thumbnail"/>
          <relationship name="thumbnailOf" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Artist" inverseName="thumbnail"/>
        </entity>
        <entity name="Artist">
          <relationship name="thumbnail" optional="YES" \(count(inverseToMany)) deletionRule="Nullify" destinationEntity="Image" inverseName="thumbnailOf"/>
        </entity>
      </model>
      """
    return try ModelBuilder.model(
      of: ModelDocument(data: Data(text.utf8), file: "OneSided"))
  }

  private func values(_ object: NSManagedObject, _ key: String) -> [NSManagedObjectID] {
    let value = object.value(forKey: key)
    if let object = value as? NSManagedObject { return [object.objectID] }
    return (value as? Set<NSManagedObject> ?? []).map(\.objectID)
  }

  @Test(arguments: StoreKind.all, [false, true])
  func bothRelationshipsKeepWhatWasSet(kind: StoreKind, inverseToMany: Bool) throws {
    for toMany in [false, true] {
      let model = try model(toMany: toMany, inverseToMany: inverseToMany)
      let stack = try TestStack(kind, model: model)
      let ids = try stack.withContext { context in
        let image = NSEntityDescription.insertNewObject(forEntityName: "Image", into: context)
        let artist = NSEntityDescription.insertNewObject(forEntityName: "Artist", into: context)
        let other = NSEntityDescription.insertNewObject(forEntityName: "Artist", into: context)
        image.setValue(toMany ? NSSet(object: artist) : artist, forKey: "artist")
        image.setValue(other, forKey: "thumbnailOf")
        try context.save()
        return [image.objectID, artist.objectID, other.objectID]
      }
      try stack.withContext { context in
        let image = try context.existingObject(with: ids[0])
        let note: Comment = "to-many: \(toMany), inverse to-many: \(inverseToMany)"
        #expect(values(image, "artist") == [ids[1]], note)
        #expect(values(image, "thumbnailOf") == [ids[2]], note)
        #expect(values(try context.existingObject(with: ids[2]), "thumbnail") == [ids[0]], note)
        context.delete(image)
        try context.save()
        #expect(values(try context.existingObject(with: ids[2]), "thumbnail").isEmpty, note)
      }
    }
  }
}
