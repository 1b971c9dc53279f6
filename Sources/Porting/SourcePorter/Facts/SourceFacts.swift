/// Declarations of a source file that matter to the porting of other files.
public struct SourceFacts: Codable, Equatable, Sendable {
  enum Kind: String, Codable {
    case aClass, aProtocol, anExtension, other
  }

  /// A type, or an extension of one.
  struct TypeDeclaration: Codable, Equatable {
    let kind: Kind
    /// The name, preceded by the names of enclosing types, joined by dots.
    let name: String
    /// The names after the colon.
    let inherited: [String]
    let isObjectiveC: Bool
    /// Whether `@objcMembers` applies, or `@objc` for an extension or a protocol.
    let exposesMembers: Bool
    let isOnMainActor: Bool
    let isGeneric: Bool
    /// Whether Objective-C's name of a class differs from `Module.Class`, or is missing.
    let isRenamed: Bool
  }

  /// A function or a property of a type.
  struct Member: Codable, Equatable {
    /// The full name of the type.
    let owner: String
    let name: String
    /// The argument labels, `_` for an empty one; nil for a property.
    let labels: [String]?
    /// The name given in `@objc(…)`.
    let objectiveCName: String?
    let isThrowing: Bool
    /// Whether conforming types may omit the requirement.
    let isOptional: Bool
    /// Whether Objective-C sees the member because of its own attributes or its type's.
    let isExposed: Bool
    /// Whether the property notifies observers and is visible to subclasses.
    var isObservable = false
    /// The written type of a property, without optional marks.
    var type: String?
  }

  /// An override in an extension; copies have it in the class.
  struct Override: Codable, Equatable {
    /// The name of the extended class.
    let owner: String
    let text: String
    let line: Int
    let path: String
    /// The condition of enclosing `#if`s.
    let condition: String?
  }

  var types: [TypeDeclaration] = []
  var members: [Member] = []
  var overrides: [Override] = []
}
