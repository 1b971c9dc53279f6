/// What a source file declares that matters to the porting of others.
public struct SourceFacts: Codable, Equatable, Sendable {
  enum Kind: String, Codable {
    case aClass, aProtocol, anExtension, other
  }

  /// A type, or an extension of one.
  struct TypeDeclaration: Codable, Equatable {
    let kind: Kind
    /// With the names of the types around it, joined by dots.
    let name: String
    /// The names after the colon.
    let inherited: [String]
    let isObjectiveC: Bool
    /// Whether `@objcMembers` stands before it, or `@objc` before an extension.
    let exposesMembers: Bool
    let isOnMainActor: Bool
    let isGeneric: Bool
    /// Whether a class has another name in Objective-C than its own at the top of a module, or none.
    let isRenamed: Bool
  }

  /// A function or a property of a type.
  struct Member: Codable, Equatable {
    /// The type's name, as above.
    let owner: String
    let name: String
    /// nil of a property; `_` where there is no label.
    let labels: [String]?
    /// The one that is given in `@objc(…)`.
    let objectiveCName: String?
    let isThrowing: Bool
    /// Whether a protocol's conforming types may leave it out.
    let isOptional: Bool
    /// Whether Objective-C sees it by what stands before it, or before its type.
    let isExposed: Bool
    /// A property that tells its observers of changes, where a subclass can name it.
    var isObservable = false
    /// The type of a property, as it is written; without marks of an optional.
    var type: String?
  }

  /// A declaration that overrides from an extension, which belongs into the class here.
  struct Override: Codable, Equatable {
    /// The name of the extended class.
    let owner: String
    let text: String
    let line: Int
    let path: String
    /// Of the `#if` around it or its extension.
    let condition: String?
  }

  var types: [TypeDeclaration] = []
  var members: [Member] = []
  var overrides: [Override] = []
}
