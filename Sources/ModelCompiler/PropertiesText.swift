import CoreData

/// The extension with an entity's own properties and the functions that change its to-many
/// relationships.
struct PropertiesText {
  let entity: NSEntityDescription
  let className: String
  let model: String

  func text() throws -> String {
    let attributes = sorted(NSAttributeDescription.self)
    let relationships = sorted(NSRelationshipDescription.self)
    let fetched = sorted(NSFetchedPropertyDescription.self)
    for property in entity.ownProperties { try check(property) }
    let properties =
      attributes.map { property(named: $0.name, type: SwiftType.type(of: $0)) }
      + relationships.map { property(named: $0.name, type: SwiftType.type(of: $0)) }
      + fetched.map { fetchedProperty($0) }
    return keys() + requestText(followedBy: properties.joined())
      + relationships.filter(\.isToMany).map(accessors).joined()
  }

  private func check(_ property: NSPropertyDescription) throws {
    guard SwiftName.isIdentifier(property.name) else {
      throw ModelFileError.generating(
        model: model, entity: entity.name ?? "", property: property.name,
        "its name cannot stand in Swift code")
    }
  }

  private func sorted<Property: NSPropertyDescription>(_ kind: Property.Type) -> [Property] {
    entity.ownProperties.compactMap { $0 as? Property }.sorted { $0.name < $1.name }
  }

  private var keysName: String { "\(className)Keys" }

  private func key(_ name: String) -> String { "\(keysName).\(SwiftName.escaped(name))" }

  private func keys() -> String {
    let lines = entity.ownProperties.map { property in
      "  static let \(SwiftName.escaped(property.name)) = "
        + "\(className).managedProperty(\(SwiftName.literal(property.name)))\n"
    }
    return "\nprivate enum \(keysName) {\n\(lines.joined())}\n"
  }

  private func requestText(followedBy properties: String) -> String {
    """

    extension \(className) {
      /// A request for all objects of the entity “\(entity.name ?? "")”.
      public class func fetchRequest() -> NSFetchRequest<\(className)> {
        NSFetchRequest<\(className)>(entityName: \(SwiftName.literal(entity.name ?? "")))
      }
    \(properties)}

    """
  }

  private func property(named name: String, type: String) -> String {
    """

      public var \(SwiftName.escaped(name)): \(type) {
        get { managedValue(\(key(name))) }
        set { setManagedValue(newValue, \(key(name))) }
      }

    """
  }

  private func fetchedProperty(_ property: NSFetchedPropertyDescription) -> String {
    let name = property.fetchRequest?.entityName
    let destination = entity.owningModel?.entitiesByName[name ?? ""]
    return """

        public var \(SwiftName.escaped(property.name)): [\(ClassName.swiftName(of: destination))]? {
          managedValue(\(key(property.name)))
        }

      """
  }

  private func accessors(of relationship: NSRelationshipDescription) -> String {
    let name = SwiftName.capitalized(relationship.name)
    let type = ClassName.swiftName(of: relationship.destinationEntity)
    let set = relationship.isOrdered ? "NSOrderedSet" : "NSSet"
    let key = key(relationship.name)
    let ordered = relationship.isOrdered ? orderedAccessors(name: name, type: type, key: key) : ""
    return """

      // MARK: Generated accessors for \(relationship.name)
      extension \(className) {
      \(ordered)  public func addTo\(name)(_ value: \(type)) {
          managedAdd(value, to: \(key))
        }

        public func removeFrom\(name)(_ value: \(type)) {
          managedRemove(value, from: \(key))
        }

        public func addTo\(name)(_ values: \(set)) {
          managedAdd(values, to: \(key))
        }

        public func removeFrom\(name)(_ values: \(set)) {
          managedRemove(values, from: \(key))
        }
      }

      """
  }

  private func orderedAccessors(name: String, type: String, key: String) -> String {
    """
      public func insertInto\(name)(_ value: \(type), at idx: Int) {
        managedInsert(value, into: \(key), at: idx)
      }

      public func removeFrom\(name)(at idx: Int) {
        managedRemove(from: \(key), at: idx)
      }

      public func insertInto\(name)(_ values: [\(type)], at indexes: NSIndexSet) {
        managedInsert(values, into: \(key), at: indexes)
      }

      public func removeFrom\(name)(at indexes: NSIndexSet) {
        managedRemove(from: \(key), at: indexes)
      }

      public func replace\(name)(at idx: Int, with value: \(type)) {
        managedReplace(\(key), at: idx, with: value)
      }

      public func replace\(name)(at indexes: NSIndexSet, with values: [\(type)]) {
        managedReplace(\(key), at: indexes, with: values)
      }


    """
  }
}
