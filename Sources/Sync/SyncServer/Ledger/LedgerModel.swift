import CoreData
import CoreDataSync
import Foundation

/// The model of the server's own store.
///
/// | entity | one for each |
/// |---|---|
/// | `Zone` | zone: its last number, horizon, epoch, clocks, schema |
/// | `Record` | record, with its registers in a blob; an alias has none |
/// | `Reference` | to-one reference of a record, with the record at its end, aliases resolved |
/// | `Unique` | constraint of a record all of whose values are there, by their hash |
/// | `Pair` | pair of a many-to-many relationship |
/// | `Fact` | increment of a counter |
/// | `Grave` | record that was forgotten |
/// | `Push` | message since the horizon, with its answer |
/// | `Replica` | replica, with its last message |
///
/// `Reference` and `Unique` are indexes of the records' registers, which say the same.
enum LedgerModel {
  static let model: NSManagedObjectModel = {
    let model = NSManagedObjectModel()
    model.entities = [
      entity(
        "Zone",
        attributes: """
          name:text number:integer head:integer horizon:integer epoch:id ceiling:integer tick:integer \
          pushes:integer schema:data
          """, unique: ["name", "number"]),
      entity(
        "Record",
        attributes: """
          zone:integer identifier:id entity:text hasLife:flag isDead:flag lifeTicks:integer \
          lifeReplica:integer lifeNumber:integer alias:id number:integer registers:data hasFacts:flag
          """, indexes: ["zone identifier", "zone number", "zone alias"]),
      entity(
        "Reference", attributes: "zone:integer record:id property:text target:id",
        indexes: ["zone target", "zone record"]),
      entity(
        "Unique", attributes: "zone:integer record:id key:integer",
        indexes: ["zone key", "zone record"]),
      entity(
        "Pair",
        attributes: """
          zone:integer relationship:text firstRecord:id secondRecord:id ticks:integer replica:integer isOn:flag \
          number:integer
          """, indexes: ["zone firstRecord secondRecord", "zone number"]),
      entity(
        "Fact",
        attributes: "zone:integer record:id property:text name:id amount:data number:integer",
        indexes: ["zone record", "zone name"]),
      entity("Grave", attributes: "zone:integer identifier:id", indexes: ["zone identifier"]),
      entity(
        "Push",
        attributes: """
          zone:integer identifier:id replica:integer number:integer time:integer answer:data
          """, indexes: ["zone identifier", "zone number"]),
      entity(
        "Replica", attributes: "zone:integer replica:integer last:id key:text time:integer",
        indexes: ["zone replica"]),
    ]
    return model
  }()

  private static let types: [String: NSAttributeType] = [
    "text": .stringAttributeType, "integer": .integer64AttributeType, "id": .UUIDAttributeType,
    "data": .binaryDataAttributeType, "flag": .booleanAttributeType,
  ]

  /// - Parameters:
  ///   - attributes: words "name:type".
  ///   - unique: attributes each of which is unique.
  ///   - indexes: words of attributes.
  private static func entity(
    _ name: String, attributes: String, unique: [String] = [], indexes: [String] = []
  ) -> NSEntityDescription {
    let entity = NSEntityDescription()
    entity.name = name
    entity.properties = attributes.split(separator: " ").map { word in
      let parts = word.split(separator: ":").map(String.init)
      let attribute = NSAttributeDescription()
      attribute.name = parts[0]
      attribute.attributeType = types[parts[1]] ?? .undefinedAttributeType
      attribute.isOptional = true
      return attribute
    }
    entity.uniquenessConstraints = unique.map { [$0] }
    entity.indexes = indexes.map { words in
      let elements = words.split(separator: " ").compactMap { word in
        entity.attributesByName[String(word)].map {
          NSFetchIndexElementDescription(property: $0, collationType: .binary)
        }
      }
      return NSFetchIndexDescription(
        name: "by" + words.capitalized.filter { $0 != " " }, elements: elements)
    }
    return entity
  }
}

/// Reading and writing of attributes by name.
extension NSManagedObject {
  func integer(_ key: String) -> Int64 { (value(forKey: key) as? Int64) ?? 0 }
  func flag(_ key: String) -> Bool { (value(forKey: key) as? Bool) ?? false }
  func text(_ key: String) -> String { (value(forKey: key) as? String) ?? "" }
  func data(_ key: String) -> Data { (value(forKey: key) as? Data) ?? Data() }
  func id(_ key: String) -> RecordID? { (value(forKey: key) as? UUID).map(RecordID.init) }

  /// Sets what differs: an object whose values are the same is not written.
  func set(_ values: [String: Any?]) {
    for (key, value) in values { setValue(value, forKey: key) }
  }
}

extension NSManagedObjectContext {
  func insert(_ entity: String, values: [String: Any?]) -> NSManagedObject {
    let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: self)
    object.set(values)
    return object
  }

  /// The objects of an entity, whole.
  func all(
    _ entity: String, where format: String, arguments: [Any], sortedBy key: String? = nil,
    limit: Int = 0
  ) throws -> [NSManagedObject] {
    let request = NSFetchRequest<NSManagedObject>(entityName: entity)
    request.predicate = NSPredicate(format: format, argumentArray: arguments)
    request.returnsObjectsAsFaults = false
    request.fetchLimit = limit
    if let key { request.sortDescriptors = [NSSortDescriptor(key: key, ascending: true)] }
    return try fetch(request)
  }

  /// The objects of an entity whose attribute is one of many values, in steps that an engine
  /// takes.
  func all(
    _ entity: String, zone: Int64, where key: String, isIn ids: some Collection<RecordID>
  ) throws -> [NSManagedObject] {
    var found: [NSManagedObject] = []
    var rest = Array(ids)[...]
    while !rest.isEmpty {
      let step = rest.prefix(500)
      rest = rest.dropFirst(500)
      found += try all(
        entity, where: "zone == %@ AND \(key) IN %@", arguments: [zone, step.map { UUID($0) }])
    }
    return found
  }
}
