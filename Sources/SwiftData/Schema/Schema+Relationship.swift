extension Schema {
  /// A property that leads to models.
  ///
  /// Source: developer.apple.com/documentation/swiftdata/schema/relationship
  public final class Relationship: SchemaProperty, CustomDebugStringConvertible,
    @unchecked Sendable
  {
    public var name: String
    /// The name in earlier versions of the schema; the name itself where none is given.
    public var originalName: String
    public var keypath: AnyKeyPath?
    public var options: [Option]
    public var valueType: any Any.Type
    /// The name of the entity that it leads to.
    public var destination: String
    public var deleteRule: DeleteRule
    public var inverseName: String?
    public var inverseKeyPath: AnyKeyPath?
    public var minimumModelCount: Int?
    /// 0: as many as there are.
    public var maximumModelCount: Int?
    public var hashModifier: String?

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

    public var isUnique: Bool { options.contains(.unique) }
    public var isAttribute: Bool { false }
    public var isRelationship: Bool { true }
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

    /// What becomes of the models that a deleted one leads to.
    public enum DeleteRule: String, Codable, Sendable {
      case noAction, nullify, cascade, deny
    }

    public struct Option: Codable, Hashable, Sendable, CustomDebugStringConvertible {
      private let name: String

      /// No two models lead to the same one.
      public static var unique: Option { Option(name: "unique") }

      public var debugDescription: String { name }
    }
  }
}
