import CoreData
import Foundation

extension Schema {
  /// A property that holds a value.
  ///
  /// Sendable: the parts of a schema are not changed once a container uses them.
  ///
  /// Source: developer.apple.com/documentation/swiftdata/schema/attribute
  public class Attribute: SchemaProperty, CustomDebugStringConvertible, @unchecked Sendable {
    /// The property's name.
    public var name: String
    /// The name in earlier versions of the schema; equal to `name` if none is given.
    public var originalName: String
    /// The options of `@Attribute`.
    public var options: [Option]
    /// The declared type of the property, with its optional.
    public var valueType: any Any.Type
    /// The default value; nil for none.
    public var defaultValue: Any?
    /// Whether the value may be nil.
    public var isOptional: Bool
    /// Text that is mixed into the version hash, to mark a version as different.
    public var hashModifier: String?

    /// Creates the metadata of `@Attribute`, for use in a model class.
    public init(
      _ options: Option..., originalName: String? = nil, hashModifier: String? = nil
    ) {
      name = ""
      self.originalName = originalName ?? ""
      self.options = options
      valueType = Any.self
      isOptional = false
      self.hashModifier = hashModifier
    }

    /// Creates an attribute.
    public init(
      name: String, originalName: String? = nil, options: [Option] = [],
      valueType: any Any.Type, defaultValue: Any? = nil, hashModifier: String? = nil
    ) {
      self.name = name
      self.originalName = originalName ?? name
      self.options = options
      self.valueType = valueType
      self.defaultValue = unwrapped(defaultValue)
      isOptional = valueType is any AnyOptional.Type
      self.hashModifier = hashModifier
    }

    private enum CodingKeys: CodingKey {
      case name, originalName, options, valueType, defaultValue, isOptional, hashModifier
    }

    public required init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      name = try container.decode(String.self, forKey: .name)
      originalName = try container.decode(String.self, forKey: .originalName)
      options = try container.decode([Option].self, forKey: .options)
      let type = CodedType.type(named: try container.decode(String.self, forKey: .valueType))
      valueType = type
      isOptional = try container.decode(Bool.self, forKey: .isOptional)
      hashModifier = try container.decodeIfPresent(String.self, forKey: .hashModifier)
      let wrapped = (type as? any AnyOptional.Type)?.wrappedType ?? type
      if let codable = wrapped as? any Decodable.Type, container.contains(.defaultValue) {
        defaultValue = try container.decode(codable, forKey: .defaultValue)
      }
    }

    public func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(name, forKey: .name)
      try container.encode(originalName, forKey: .originalName)
      try container.encode(options, forKey: .options)
      try container.encode(CodedType.name(of: valueType), forKey: .valueType)
      try container.encode(isOptional, forKey: .isOptional)
      try container.encodeIfPresent(hashModifier, forKey: .hashModifier)
      if let value = defaultValue as? any Encodable {
        try container.encode(value, forKey: .defaultValue)
      }
    }

    public static func == (left: Attribute, right: Attribute) -> Bool { left.isEqual(to: right) }

    func isEqual(to other: Attribute) -> Bool {
      type(of: self) == type(of: other) && name == other.name
        && originalName == other.originalName
        && options == other.options && valueType == other.valueType
        && isOptional == other.isOptional && hashModifier == other.hashModifier
    }

    public func hash(into hasher: inout Hasher) {
      hasher.combine(name)
      hasher.combine(ObjectIdentifier(valueType))
    }

    /// Always true.
    public var isAttribute: Bool { true }
    /// Always false.
    public var isRelationship: Bool { false }
    /// Whether the property is kept in memory only.
    public var isTransient: Bool { options.contains(.ephemeral) }
    /// Whether the attribute has the option `.unique`.
    public var isUnique: Bool { options.contains(.unique) }
    /// Whether a value transformer stores the attribute.
    public var isTransformable: Bool { transformerName != nil }

    /// The name of the value transformer that stores the attribute.
    var transformerName: String? { options.lazy.compactMap(\.transformer).first }

    public var debugDescription: String {
      "\(type(of: self)) - name: \(name), options: \(options), valueType: \(valueType), "
        + "defaultValue: \(defaultValue.map { "\($0)" } ?? "nil"), "
        + "hashModifier: \(hashModifier ?? "nil")"
    }
  }

  /// An attribute of a structure type, with one element for each stored property.
  ///
  /// Sendable: as ``Schema/Attribute``.
  public final class CompositeAttribute: Attribute, @unchecked Sendable {
    /// The elements, one for each stored property of the structure.
    public var properties: [Attribute] = []

    public override init(
      name: String, originalName: String? = nil, options: [Option] = [],
      valueType: any Any.Type, defaultValue: Any? = nil, hashModifier: String? = nil
    ) {
      super.init(
        name: name, originalName: originalName, options: options, valueType: valueType,
        defaultValue: defaultValue, hashModifier: hashModifier)
    }

    private enum CodingKeys: CodingKey { case properties }

    public required init(from decoder: any Decoder) throws {
      try super.init(from: decoder)
      let container = try decoder.container(keyedBy: CodingKeys.self)
      properties = try container.decode([AnyAttribute].self, forKey: .properties).map(\.attribute)
    }

    public override func encode(to encoder: any Encoder) throws {
      try super.encode(to: encoder)
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(properties.map(AnyAttribute.init), forKey: .properties)
    }

    public static func == (left: CompositeAttribute, right: CompositeAttribute) -> Bool {
      left.isEqual(to: right)
    }

    override func isEqual(to other: Attribute) -> Bool {
      super.isEqual(to: other) && properties == (other as? CompositeAttribute)?.properties
    }

    public override var debugDescription: String {
      super.debugDescription + ", properties: \(properties)"
    }
  }
}

/// Encodes an attribute of either class.
struct AnyAttribute: Codable {
  let attribute: Schema.Attribute

  private enum CodingKeys: CodingKey { case composite, attribute }

  init(_ attribute: Schema.Attribute) { self.attribute = attribute }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    attribute =
      try container.decodeIfPresent(Schema.CompositeAttribute.self, forKey: .composite)
      ?? container.decode(Schema.Attribute.self, forKey: .attribute)
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    if let composite = attribute as? Schema.CompositeAttribute {
      try container.encode(composite, forKey: .composite)
    } else {
      try container.encode(attribute, forKey: .attribute)
    }
  }
}

extension Schema.Attribute {
  /// An option of `@Attribute`.
  public struct Option: Codable, Hashable, Sendable, CustomDebugStringConvertible {
    private let name: String
    let transformer: String?

    private init(_ name: String, transformer: String? = nil) {
      self.name = name
      self.transformer = transformer
    }

    /// No two models have equal values: a new model that is saved with the value of a stored one
    /// updates that row.
    public static var unique: Option { Option("unique") }

    /// A value transformer stores the value; it is registered under the name of its class.
    public static func transformable(by transformerType: ValueTransformer.Type) -> Option {
      Option("transformable", transformer: String(describing: transformerType))
    }

    /// A value transformer stores the value; it is registered under this name.
    public static func transformable(by transformerName: String) -> Option {
      Option("transformable", transformer: transformerName)
    }

    /// Large values are stored in files beside the store.
    public static var externalStorage: Option { Option("externalStorage") }
    /// Has no effect on this platform.
    public static var allowsCloudEncryption: Option { Option("allowsCloudEncryption") }
    /// The history keeps the value when the model is deleted.
    public static var preserveValueOnDeletion: Option { Option("preserveValueOnDeletion") }
    /// The value is kept in memory only.
    public static var ephemeral: Option { Option("ephemeral") }
    /// Has no effect on this platform.
    public static var spotlight: Option { Option("spotlight") }

    public var debugDescription: String { transformer.map { "\(name)(\($0))" } ?? name }
  }
}
