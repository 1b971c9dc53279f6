import CoreData
import ModelDocuments

/// The values of an object as a save of this tool left them. Values that differ later were changed
/// by other processes, and an undo leaves them alone.
struct LeftValues: Codable, Sendable {
  /// The text of each attribute, or the hash of a long one; nil without a value. Elements of
  /// composite attributes are listed by their paths.
  private var attributes: [String: String?] = [:]
  /// The names of each relationship's members.
  private(set) var relationships: [String: [String]] = [:]

  /// Reads the current values of an object.
  ///
  /// - Parameter keys: the properties that the save has changed; nil for all, of an inserted
  ///   object.
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

  /// Replaces the values of some properties by later ones.
  mutating func take(_ later: LeftValues) {
    attributes.merge(later.attributes) { $1 }
    relationships.merge(later.relationships) { $1 }
  }

  /// The attributes, and paths of elements of composites, whose values have not changed since.
  func untouchedAttributes(_ now: LeftValues) -> Set<String> {
    Set(attributes.filter { now.attributes[$0.key] ?? nil == $0.value }.keys)
  }

  var attributeKeys: Set<String> { Set(attributes.keys) }

  /// Whether no value has changed since.
  ///
  /// - Parameter rename: returns the current name of an object that was inserted again.
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
  /// The paths of all values in the composite, each beginning with its name.
  var valuePaths: [String] {
    elements.flatMap { element in
      (element as? NSCompositeAttributeDescription)?.valuePaths ?? [element.name]
    }.map { "\(name).\($0)" }
  }
}
