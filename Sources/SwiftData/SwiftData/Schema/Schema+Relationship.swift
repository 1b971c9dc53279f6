extension Schema {
  /// A property that refers to models.
  ///
  /// Sendable: the parts of a schema are not changed once a container uses them.
  ///
  /// Source: developer.apple.com/documentation/swiftdata/schema/relationship
  public final class Relationship: SchemaProperty, CustomDebugStringConvertible,
    @unchecked Sendable
  {
    /// The property's name.
    public var name: String
    /// The name in earlier versions of the schema; equal to `name` if none is given.
    public var originalName: String
    /// The key path of the property.
    public var keypath: AnyKeyPath?
    /// The options of `@Relationship`.
    public var options: [Option]
    /// The declared type of the property: a model or a collection of models, or an optional of
    /// either.
    public var valueType: any Any.Type
    /// The name of the destination entity.
    public var destination: String
    /// The effect of a deletion on the destinations.
    public var deleteRule: DeleteRule
    /// The name of the property at the other end; nil without an inverse.
    public var inverseName: String?
    /// The key path of the property at the other end; nil without an inverse.
    public var inverseKeyPath: AnyKeyPath?
    /// The minimum number of destinations.
    public var minimumModelCount: Int?
    /// The maximum number of destinations; 0 for no limit.
    public var maximumModelCount: Int?
    /// Text that is mixed into the version hash, to mark a version as different.
    public var hashModifier: String?

    /// Creates the metadata of `@Relationship`, for use in a model class.
    public init(
      _ options: Option..., deleteRule: DeleteRule = .nullify, minimumModelCount: Int? = 0,
      maximumModelCount: Int? = 0, originalName: String? = nil, inverse: AnyKeyPath? = nil,
      hashModifier: String? = nil
    ) {
      name = ""
      self.originalName = originalName ?? ""
      self.options = options
      valueType = Any.self
      destination = ""
      self.deleteRule = deleteRule
      inverseKeyPath = inverse
      self.minimumModelCount = minimumModelCount
      self.maximumModelCount = maximumModelCount
      self.hashModifier = hashModifier
    }

    /// Whether the relationship has at most one destination.
    public var isToOneRelationship: Bool {
      let wrapped = (valueType as? any AnyOptional.Type)?.wrappedType ?? valueType
      return !(wrapped is any RelationshipCollection.Type)
    }

    private enum CodingKeys: CodingKey {
      case name, originalName, options, valueType, destination, deleteRule, inverseName
      case minimumModelCount, maximumModelCount, hashModifier
    }

    public init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      name = try container.decode(String.self, forKey: .name)
      originalName = try container.decode(String.self, forKey: .originalName)
      options = try container.decode([Option].self, forKey: .options)
      valueType = CodedType.type(named: try container.decode(String.self, forKey: .valueType))
      destination = try container.decode(String.self, forKey: .destination)
      deleteRule = try container.decode(DeleteRule.self, forKey: .deleteRule)
      inverseName = try container.decodeIfPresent(String.self, forKey: .inverseName)
      minimumModelCount = try container.decodeIfPresent(Int.self, forKey: .minimumModelCount)
      maximumModelCount = try container.decodeIfPresent(Int.self, forKey: .maximumModelCount)
      hashModifier = try container.decodeIfPresent(String.self, forKey: .hashModifier)
    }

    public func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(name, forKey: .name)
      try container.encode(originalName, forKey: .originalName)
      try container.encode(options, forKey: .options)
      try container.encode(CodedType.name(of: valueType), forKey: .valueType)
      try container.encode(destination, forKey: .destination)
      try container.encode(deleteRule, forKey: .deleteRule)
      try container.encodeIfPresent(inverseName, forKey: .inverseName)
      try container.encodeIfPresent(minimumModelCount, forKey: .minimumModelCount)
      try container.encodeIfPresent(maximumModelCount, forKey: .maximumModelCount)
      try container.encodeIfPresent(hashModifier, forKey: .hashModifier)
    }

    /// Whether the relationship has the option `.unique`.
    public var isUnique: Bool { options.contains(.unique) }
    /// Always false.
    public var isAttribute: Bool { false }
    /// Always true.
    public var isRelationship: Bool { true }
    /// Always false.
    public var isTransient: Bool { false }

    public static func == (left: Relationship, right: Relationship) -> Bool {
      left.name == right.name && left.originalName == right.originalName
        && left.options == right.options && left.valueType == right.valueType
        && left.destination == right.destination && left.deleteRule == right.deleteRule
        && left.inverseName == right.inverseName
        && left.minimumModelCount == right.minimumModelCount
        && left.maximumModelCount == right.maximumModelCount
        && left.hashModifier == right.hashModifier
    }

    public func hash(into hasher: inout Hasher) {
      hasher.combine(name)
      hasher.combine(destination)
    }

    public var debugDescription: String {
      "Relationship - name: \(name), options: \(options), valueType: \(valueType), "
        + "destination: \(destination), inverseName: \(inverseName ?? "nil"), "
        + "deleteRule: \(deleteRule)"
    }

    /// The effect of a model's deletion on the destinations of a relationship.
    public enum DeleteRule: String, Codable, Sendable {
      /// `noAction` leaves the destinations as they are, `nullify` clears their inverse, `cascade`
      /// deletes them, `deny` fails the save while there are any.
      case noAction, nullify, cascade, deny
    }

    /// An option of `@Relationship`.
    public struct Option: Codable, Hashable, Sendable, CustomDebugStringConvertible {
      private let name: String

      /// No two models have the same destination.
      public static var unique: Option { Option(name: "unique") }

      public var debugDescription: String { name }
    }
  }
}
