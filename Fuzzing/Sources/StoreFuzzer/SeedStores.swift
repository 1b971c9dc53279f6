import CoreData
import Foundation

/// Small sound stores for the fuzzer to begin with.
enum SeedStores {
  /// Items in a tree, with values of every kind, and tags.
  static let model: NSManagedObjectModel = {
    let (item, tag) = (NSEntityDescription(), NSEntityDescription())
    item.name = "Item"
    tag.name = "Tag"
    let (parent, children) = pair("parent", item, 1, "children", item, 0)
    let (tags, items) = pair("tags", tag, 0, "items", item, 0)
    children.isOrdered = true
    let types: [(String, NSAttributeType)] = [
      ("title", .stringAttributeType), ("order", .integer64AttributeType),
      ("price", .decimalAttributeType), ("date", .dateAttributeType),
      ("uuid", .UUIDAttributeType), ("link", .URIAttributeType), ("flag", .booleanAttributeType),
      ("bytes", .binaryDataAttributeType), ("words", .transformableAttributeType),
    ]
    item.properties = types.map(attribute) + [parent, children, tags]
    tag.properties = [attribute("name", .stringAttributeType), items]
    tag.uniquenessConstraints = [["name"]]
    let model = NSManagedObjectModel()
    model.entities = [item, tag]
    return model
  }()

  private static func attribute(
    _ name: String, _ type: NSAttributeType
  ) -> NSAttributeDescription {
    let attribute = NSAttributeDescription()
    attribute.name = name
    attribute.attributeType = type
    attribute.isOptional = true
    attribute.allowsExternalBinaryDataStorage = name == "bytes"
    return attribute
  }

  private static func pair(
    _ name: String, _ destination: NSEntityDescription, _ count: Int, _ inverse: String,
    _ source: NSEntityDescription, _ inverseCount: Int
  ) -> (NSRelationshipDescription, NSRelationshipDescription) {
    let (one, other) = (NSRelationshipDescription(), NSRelationshipDescription())
    (one.name, one.destinationEntity, one.maxCount) = (name, destination, count)
    (other.name, other.destinationEntity, other.maxCount) = (inverse, source, inverseCount)
    (one.inverseRelationship, other.inverseRelationship) = (other, one)
    return (one, other)
  }

  /// Puts stores into a folder that has none; a file is an input to be tried once more.
  static func fill(_ folder: String?) throws {
    guard let folder else { return }
    let url = URL(fileURLWithPath: folder)
    var isFolder: ObjCBool = true
    if FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder), !isFolder.boolValue {
      return
    }
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    guard try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty else { return }
    for count in [0, 3, 40] {
      try make(url.appendingPathComponent("\(count).sqlite"), count)
    }
  }

  private static func make(_ url: URL, _ count: Int) throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let pragmas = ["journal_mode": "DELETE", "page_size": "512"]
    let store = try coordinator.addPersistentStore(
      type: .sqlite, at: url, options: [NSSQLitePragmasOption: pragmas])
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    try context.performAndWait {
      var last: NSManagedObject?
      for number in 0..<count {
        let item = NSEntityDescription.insertNewObject(forEntityName: "Item", into: context)
        item.setValue("Item \(number)", forKey: "title")
        item.setValue(number, forKey: "order")
        item.setValue(Decimal(number) / 4, forKey: "price")
        item.setValue(Date(timeIntervalSinceReferenceDate: Double(number)), forKey: "date")
        item.setValue(UUID(), forKey: "uuid")
        item.setValue(URL(string: "https://example.com/\(number)"), forKey: "link")
        item.setValue(Data([1, 2, 3]), forKey: "bytes")
        item.setValue(["a", "b"] as NSArray, forKey: "words")
        item.setValue(last, forKey: "parent")
        last = item
      }
      try context.save()
    }
    try coordinator.remove(store)
  }
}
