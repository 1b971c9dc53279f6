import ModelDocuments

/// The extension with an entity's own properties and the functions that change its to-many
/// relationships.
struct PropertiesText {
  let entity: ModelEntity
  let className: String
  let model: SourceModel

  func text() throws -> String {
    for property in entity.properties { try check(property) }
    let attributes = sorted(\.attribute)
    let relationships = sorted(\.relationship)
    let properties =
      attributes.map { property(named: $0.name, type: SwiftType.type(of: $0.detail)) }
      + relationships.map { property(named: $0.name, type: type(of: $0.detail)) }
      + sorted(\.fetchRequest).map { fetchedProperty(named: $0.name, request: $0.detail) }
    let toMany = relationships.filter(\.detail.isToMany)
    return keys() + requestText(followedBy: properties.joined())
      + toMany.map { accessors(named: $0.name, of: $0.detail) }.joined()
  }

  private func check(_ property: ModelProperty) throws {
    guard SwiftName.isIdentifier(property.name) else {
      throw ModelFileError.generating(
        model: model.name, entity: entity.name, property: property.name,
        "its name cannot stand in Swift code")
    }
  }

  /// The properties of one kind.
  private func sorted<Detail>(
    _ detail: (ModelProperty) -> Detail?
  ) -> [(name: String, detail: Detail)] {
    entity.properties.compactMap { property in detail(property).map { (property.name, $0) } }
      .sorted { $0.name < $1.name }
  }

  private func type(of relationship: ModelRelationship) -> String {
    guard !relationship.isToMany else { return relationship.isOrdered ? "NSOrderedSet?" : "NSSet?" }
    return className(ofEntity: relationship.destination) + "?"
  }

  private func className(ofEntity name: String) -> String {
    ClassName.swiftName(of: name, in: model.current)
  }

  private var keysName: String { "\(className)Keys" }

  private func key(_ name: String) -> String { "\(keysName).\(SwiftName.escaped(name))" }

  private func keys() -> String {
    let lines = entity.properties.map { property in
      "  static let \(SwiftName.escaped(property.name)) = "
        + "\(className).managedProperty(\(SwiftName.literal(property.name)))\n"
    }
    return "\nprivate enum \(keysName) {\n\(lines.joined())}\n"
  }

  private func requestText(followedBy properties: String) -> String {
    """

    extension \(className) {
      /// A request for all objects of the entity “\(entity.name)”.
      public class func fetchRequest() -> NSFetchRequest<\(className)> {
        NSFetchRequest<\(className)>(entityName: \(SwiftName.literal(entity.name)))
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

  private func fetchedProperty(named name: String, request: ModelFetchRequest) -> String {
    """

      public var \(SwiftName.escaped(name)): [\(className(ofEntity: request.entityName))]? {
        managedValue(\(key(name)))
      }

    """
  }

  private func accessors(
    named property: String, of relationship: ModelRelationship
  ) -> String {
    let name = SwiftName.capitalized(property)
    let type = className(ofEntity: relationship.destination)
    let set = relationship.isOrdered ? "NSOrderedSet" : "NSSet"
    let key = key(property)
    let ordered = relationship.isOrdered ? orderedAccessors(name: name, type: type, key: key) : ""
    return """

      // MARK: Generated accessors for \(property)
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
