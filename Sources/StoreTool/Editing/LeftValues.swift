import CoreData
import ModelDocuments

/// What a save of this tool has left of an object: of what is different by now, others have changed it since, and undo
/// leaves it alone.
struct LeftValues: Codable, Sendable {
  /// Of each attribute its text, or the hash of a long one; nil where it has no value. Composites by the paths of their
  /// elements.
  private var attributes: [String: String?] = [:]
  /// Of each relationship the names of its members.
  private(set) var relationships: [String: [String]] = [:]

  /// - Parameter keys: the properties that the save has changed; nil for all, of an object that it has inserted.
  init(_ object: NSManagedObject, keys: Set<String>? = nil) {
    let texts = ExchangedObject(object, keys: keys)
    for property in object.entity.properties where keys?.contains(property.name) ?? true {
      switch property {
      case is NSFetchedPropertyDescription, is NSDerivedAttributeDescription: continue
      case _ where property.isTransient: continue
      case let relationship as NSRelationshipDescription:
        relationships[relationship.name] = texts.relationships[relationship.name] ?? []
      case let composite as NSCompositeAttributeDescription:
        for path in composite.valuePaths { attributes.updateValue(nil, forKey: path) }
      default: attributes.updateValue(nil, forKey: property.name)
      }
    }
    for (path, text) in texts.attributes { attributes[path] = Self.shortened(text) }
  }

  /// Later values of some properties.
  mutating func take(_ later: LeftValues) {
    attributes.merge(later.attributes) { $1 }
    relationships.merge(later.relationships) { $1 }
  }

  /// The attributes, and the paths of elements of composites, that are as they were left.
  func untouchedAttributes(_ now: LeftValues) -> Set<String> {
    Set(attributes.filter { now.attributes[$0.key] ?? nil == $0.value }.keys)
  }

  var attributeKeys: Set<String> { Set(attributes.keys) }

  /// - Parameter rename: what objects are called now.
  func isSame(as now: LeftValues, rename: (String) -> String) -> Bool {
    untouchedAttributes(now).count == attributes.count
      && relationships.allSatisfy { key, names in
        Set(names.map(rename)) == Set(now.relationships[key] ?? [])
      }
  }

  private static let longest = 120

  private static func shortened(_ text: String) -> String {
    guard text.utf8.count > longest else { return text }
    return "#" + Data(SHA256Digest.hash(Array(text.utf8))).base64EncodedString()
  }
}

extension NSCompositeAttributeDescription {
  /// The paths of all values in it, with its own name first.
  var valuePaths: [String] {
    elements.flatMap { element in
      (element as? NSCompositeAttributeDescription)?.valuePaths ?? [element.name]
    }.map { "\(name).\($0)" }
  }
}
