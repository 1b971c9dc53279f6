import Foundation

/// Builds the object table of a keyed archive in the layout of `NSKeyedArchiver`.
///
/// Foundation's archiver is unsuitable: it ignores class names other than a class's own.
package final class ArchiveBuilder {
  package typealias Reference = ArchiveReference

  private var objects: [Any] = ["$null"]
  private var classes: [String: Reference] = [:]
  private var strings: [String: Reference] = [:]

  package init() {}

  /// Reserves an entry for an object, so that others can refer to it before `fill` is called.
  package func reserve() -> Reference {
    objects.append("$null")
    return Reference(identifier: objects.count - 1)
  }

  /// Fills a reserved entry with its fields. References among them are written as identifiers.
  package func fill(_ reference: Reference, class names: [String], fields: [String: Any]) {
    var record = fields
    record["$class"] = classReference(names)
    objects[reference.identifier] = record
  }

  package func add(class names: [String], _ fields: [String: Any]) -> Reference {
    let reference = reserve()
    fill(reference, class: names, fields: fields)
    return reference
  }

  package func string(_ text: String) -> Reference {
    if let known = strings[text] { return known }
    let reference = plain(text)
    strings[text] = reference
    return reference
  }

  package func string(_ text: String?) -> Reference {
    text.map { string($0) } ?? .null
  }

  /// Adds a string, number or data as an entry of its own.
  package func plain(_ value: Any) -> Reference {
    objects.append(value)
    return Reference(identifier: objects.count - 1)
  }

  package func list(_ elements: [Reference], class names: [String]) -> Reference {
    add(class: names, ["NS.objects": elements])
  }

  package func dictionary(
    _ pairs: [(key: String, value: Reference)], class names: [String]
  ) -> Reference {
    add(class: names, ["NS.keys": pairs.map { string($0.key) }, "NS.objects": pairs.map(\.value)])
  }

  private func classReference(_ names: [String]) -> Reference {
    if let known = classes[names[0]] { return known }
    let reference = plain(["$classname": names[0], "$classes": names])
    classes[names[0]] = reference
    return reference
  }

  /// The archive as a binary property list.
  package func data(root: Reference) throws -> Data {
    try BinaryPropertyList.data([
      "$version": 100_000, "$archiver": "NSKeyedArchiver", "$top": ["root": root],
      "$objects": objects,
    ])
  }
}

/// The class names that archives use, each followed by its ancestors.
package enum ArchiveClass {
  package static let array = ["NSArray", "NSObject"]
  package static let mutableArray = ["NSMutableArray", "NSArray", "NSObject"]
  package static let set = ["NSSet", "NSObject"]
  package static let dictionary = ["NSDictionary", "NSObject"]
  package static let mutableDictionary = ["NSMutableDictionary", "NSDictionary", "NSObject"]
  package static let knownKeysDictionary = [
    "NSKnownKeysDictionary1", "NSKnownKeysDictionary", "NSMutableDictionary", "NSDictionary",
    "NSObject",
  ]
  package static let knownKeysMapping = [
    "NSKnownKeysMappingStrategy1", "NSKnownKeysMappingStrategy", "NSObject",
  ]
  package static let model = ["NSManagedObjectModel", "NSObject"]
  package static let entity = ["NSEntityDescription", "NSObject"]
  package static let fetchIndex = ["NSFetchIndexDescription", "NSObject"]
  package static let fetchIndexElement = ["NSFetchIndexElementDescription", "NSObject"]
  package static let fetchRequest = ["NSFetchRequest", "NSPersistentStoreRequest", "NSObject"]
  package static let sortDescriptor = ["NSSortDescriptor", "NSObject"]
  package static let mappingModel = ["NSMappingModel", "NSObject"]
  package static let entityMapping = ["NSEntityMapping", "NSObject"]
  package static let propertyMapping = ["NSPropertyMapping", "NSObject"]
  package static let decimal = ["NSDecimalNumber", "NSNumber", "NSValue", "NSObject"]

  package static func property(_ name: String) -> [String] {
    [name, "NSPropertyDescription", "NSObject"]
  }

  package static func attribute(_ name: String) -> [String] {
    [name, "NSAttributeDescription", "NSPropertyDescription", "NSObject"]
  }

  package static func expression(_ name: String) -> [String] {
    name == "NSKeyPathExpression"
      ? [name, "NSFunctionExpression", "NSExpression", "NSObject"]
      : [name, "NSExpression", "NSObject"]
  }

  package static func predicate(_ name: String) -> [String] {
    [name, "NSPredicate", "NSObject"]
  }

  package static func comparison(_ name: String) -> [String] {
    [name, "NSPredicateOperator", "NSObject"]
  }
}
