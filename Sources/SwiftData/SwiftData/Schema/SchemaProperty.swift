import Foundation

/// A property of an entity of a ``Schema``.
///
/// Source: developer.apple.com/documentation/swiftdata/schemaproperty
public protocol SchemaProperty: Codable, Hashable {
  /// The property's name.
  var name: String { get set }
  /// The name in earlier versions of the schema.
  var originalName: String { get set }
  /// The declared type of the property.
  var valueType: any Any.Type { get set }
  /// Whether the property holds a value.
  var isAttribute: Bool { get }
  /// Whether the property refers to models.
  var isRelationship: Bool { get }
  /// Whether the property is kept in memory only.
  var isTransient: Bool { get }
  /// Whether the value may be nil.
  var isOptional: Bool { get }
  /// Whether no two models may have equal values.
  var isUnique: Bool { get }
}

extension SchemaProperty {
  /// Default: false.
  public var isAttribute: Bool { false }
  /// Default: false.
  public var isRelationship: Bool { false }
  /// Default: false.
  public var isTransient: Bool { false }
  /// Default: whether `valueType` is an optional.
  public var isOptional: Bool { valueType is any AnyOptional.Type }
}

extension Schema {
  /// Description of one property of a model class; `@Model` generates it.
  public struct PropertyMetadata {
    let name: String
    let keypath: AnyKeyPath
    let defaultValue: Any?
    let metadata: (any SchemaProperty)?

    /// Creates a description.
    public init(
      name: String, keypath: AnyKeyPath, defaultValue: Any? = nil,
      metadata: (any SchemaProperty)? = nil
    ) {
      self.name = name
      self.keypath = keypath
      self.defaultValue = unwrapped(defaultValue)
      self.metadata = metadata
    }
  }
}

/// Encodes a type by its mangled name, which only a program with that type can decode.
enum CodedType {
  static func name(of type: any Any.Type) -> String { _mangledTypeName(type) ?? "" }

  /// Returns `Any` for a type that this program does not have.
  static func type(named name: String) -> any Any.Type { _typeByName(name) ?? Any.self }
}
