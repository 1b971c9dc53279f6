import Foundation

/// A property of an entity of a ``Schema``.
///
/// Source: developer.apple.com/documentation/swiftdata/schemaproperty
public protocol SchemaProperty: Codable, Hashable {
  var name: String { get set }
  var originalName: String { get set }
  var valueType: any Any.Type { get set }
  var isAttribute: Bool { get }
  var isRelationship: Bool { get }
  var isTransient: Bool { get }
  var isOptional: Bool { get }
  var isUnique: Bool { get }
}

extension SchemaProperty {
  public var isAttribute: Bool { false }
  public var isRelationship: Bool { false }
  public var isTransient: Bool { false }
  public var isOptional: Bool { valueType is any AnyOptional.Type }
}

extension Schema {
  /// What a model class says of one of its properties; `@Model` makes them.
  public struct PropertyMetadata {
    let name: String
    let keypath: AnyKeyPath
    let defaultValue: Any?
    let metadata: (any SchemaProperty)?

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

/// A type in an encoded schema: by its name in Swift, which only a program that has the type can read back.
enum CodedType {
  static func name(of type: any Any.Type) -> String { _mangledTypeName(type) ?? "" }

  /// A type that this program does not have reads as `Any`.
  static func type(named name: String) -> any Any.Type { _typeByName(name) ?? Any.self }
}
