extension Schema {
  /// A model class in a schema.
  ///
  /// Sendable: the parts of a schema are not changed once a container uses them.
  ///
  /// Source: developer.apple.com/documentation/swiftdata/schema/entity
  public final class Entity: Codable, Hashable, CustomDebugStringConvertible, @unchecked Sendable {
    /// The entity's name: that of the model class.
    public var name: String
    /// The entities of the direct subclasses.
    public var subentities: Set<Entity> = []
    /// The name of the superclass's entity, if it is a model.
    public var superentityName: String?
    // Weak, because the superentity retains this entity in `subentities`.
    /// The superclass's entity, if it is a model.
    public weak var superentity: Entity?
    /// The properties that the class itself declares.
    public var storedProperties: [any SchemaProperty]
    /// The properties that the class inherits.
    public var inheritedProperties: [any SchemaProperty] = []
    /// Sets of properties that are unique together, by name.
    public var uniquenessConstraints: [[String]] = []
    /// Binary indexes, each a list of property names.
    public var indices: [[String]] = []
    var spatialIndices: [[String]] = []
    /// The model class; nil for an entity that was created by name or decoded.
    var modelType: ModelType?

    /// Creates an entity without properties.
    public init(_ name: String) {
      self.name = name
      storedProperties = []
    }

    /// Creates an entity and makes it the superentity of `subentities`.
    public convenience init(
      _ name: String, subentities: Entity..., properties: any SchemaProperty...
    ) {
      self.init(name)
      storedProperties = properties
      self.subentities = Set(subentities)
      for entity in subentities { entity.inherit(from: self) }
    }

    /// Creates an entity with these properties.
    public convenience init(_ name: String, properties: any SchemaProperty...) {
      self.init(name)
      storedProperties = properties
    }

    func inherit(from entity: Entity) {
      superentity = entity
      superentityName = entity.name
      inheritedProperties = entity.properties
    }

    /// All properties, inherited ones first.
    public var properties: [any SchemaProperty] { inheritedProperties + storedProperties }

    /// All attributes. Setting them replaces those that the class itself declares.
    public var attributes: Set<Attribute> {
      get { Set(properties.compactMap { $0 as? Attribute }) }
      set { replace(newValue.sorted { $0.name < $1.name }) { $0 is Attribute } }
    }

    /// All relationships. Setting them replaces those that the class itself declares.
    public var relationships: Set<Relationship> {
      get { Set(properties.compactMap { $0 as? Relationship }) }
      set { replace(newValue.sorted { $0.name < $1.name }) { $0 is Relationship } }
    }

    private func replace(
      _ properties: [any SchemaProperty], isOld: (any SchemaProperty) -> Bool
    ) {
      let inherited = Set(inheritedProperties.map(\.name))
      storedProperties.removeAll(where: isOld)
      storedProperties += properties.filter { !inherited.contains($0.name) }
    }

    /// All attributes by name.
    public var attributesByName: [String: Attribute] {
      get { Dictionary(attributes.map { ($0.name, $0) }) { $1 } }
      set { attributes = Set(newValue.values) }
    }

    /// All relationships by name.
    public var relationshipsByName: [String: Relationship] {
      get { Dictionary(relationships.map { ($0.name, $0) }) { $1 } }
      set { relationships = Set(newValue.values) }
    }

    /// The properties that the class itself declares, by name.
    public var storedPropertiesByName: [String: any SchemaProperty] {
      get { Dictionary(storedProperties.map { ($0.name, $0) }) { $1 } }
      set { storedProperties = newValue.sorted { $0.key < $1.key }.map(\.value) }
    }

    /// The inherited properties, by name.
    public var inheritedPropertiesByName: [String: any SchemaProperty] {
      get { Dictionary(inheritedProperties.map { ($0.name, $0) }) { $1 } }
      set { inheritedProperties = newValue.sorted { $0.key < $1.key }.map(\.value) }
    }

    private enum CodingKeys: CodingKey {
      case name, subentities, superentityName, attributes, relationships
      case uniquenessConstraints, indices
    }

    public init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      name = try container.decode(String.self, forKey: .name)
      superentityName = try container.decodeIfPresent(String.self, forKey: .superentityName)
      let attributes = try container.decode([AnyAttribute].self, forKey: .attributes)
      storedProperties = attributes.map(\.attribute)
      storedProperties += try container.decode([Relationship].self, forKey: .relationships)
      uniquenessConstraints = try container.decode(
        [[String]].self, forKey: .uniquenessConstraints)
      indices = try container.decode([[String]].self, forKey: .indices)
      subentities = Set(try container.decode([Entity].self, forKey: .subentities))
      for entity in subentities { entity.inherit(from: self) }
    }

    public func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(name, forKey: .name)
      try container.encodeIfPresent(superentityName, forKey: .superentityName)
      let attributes = storedProperties.compactMap { $0 as? Attribute }
      try container.encode(attributes.map(AnyAttribute.init), forKey: .attributes)
      try container.encode(
        storedProperties.compactMap { $0 as? Relationship }, forKey: .relationships)
      try container.encode(uniquenessConstraints, forKey: .uniquenessConstraints)
      try container.encode(indices, forKey: .indices)
      try container.encode(
        subentities.sorted { $0.name < $1.name }, forKey: .subentities)
    }

    public static func == (left: Entity, right: Entity) -> Bool {
      left === right
        || (left.name == right.name && left.superentityName == right.superentityName
          && left.attributes == right.attributes && left.relationships == right.relationships
          && left.uniquenessConstraints == right.uniquenessConstraints
          && left.indices == right.indices && left.subentities == right.subentities)
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(name) }

    public var debugDescription: String {
      "Entity - name: \(name), superentity: \(superentityName ?? "nil"), "
        + "properties: \(properties.map(\.name))"
    }
  }
}
