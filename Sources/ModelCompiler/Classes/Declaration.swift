/// A declaration of a source file, as far as it can matter to managed object classes.
final class Declaration {
  enum Kind: Equatable {
    /// `class`, `struct`, `enum`, `actor` or `protocol`.
    case type(keyword: String)
    case typeExtension
    case alias
    /// `@NSManaged`.
    case managedProperty
    case managedFunction
    /// A property that key-value coding can read.
    case readableProperty
    /// A method `validate<Key>(_:)`, which key-value validation finds by its name.
    case validation(throwing: Bool)
    /// A method or property of the class, `keyPathsForValuesAffecting<Key>`, which key-value observing finds by its name.
    case keyPathsAffecting(isFunction: Bool)
    /// An initializer that a class may inherit nothing beside: no convenience one.
    case initializer(makesObjects: Bool)
    /// `#if` and its like, with the condition.
    case directive
  }

  let kind: Kind
  /// The name; of an extension the type as it is written there.
  let name: String
  /// `public`, `private` and so on; empty where none is written.
  let access: String
  /// What follows the name: parameters of a generic type, a property's type, a function's parameters, the type
  /// behind an alias, the whole directive.
  let detail: String
  /// The types after the colon of a type's head.
  let inherited: [String]
  let place: SourcePlace
  /// Those inside a type or an extension.
  var members: [Declaration] = []

  init(
    _ kind: Kind, name: String, access: String = "", detail: String = "", inherited: [String] = [],
    place: SourcePlace
  ) {
    self.kind = kind
    self.name = name
    self.access = access
    self.detail = detail
    self.inherited = inherited
    self.place = place
  }

  var isPrivate: Bool { access == "private" || access == "fileprivate" }

  var isManaged: Bool { kind == .managedProperty || kind == .managedFunction }

  /// Whether generated code calls it for those who know its name alone, on whatever actor they are.
  var isCalledByName: Bool {
    switch kind {
    case .readableProperty, .validation, .keyPathsAffecting: true
    default: false
    }
  }

  var isClass: Bool { kind == .type(keyword: "class") }

  /// The key in the name of what is found by name: `validateTitle` is of `title`.
  var key: String? {
    switch kind {
    case .validation: Self.key(in: name, behind: "validate")
    case .keyPathsAffecting: Self.key(in: name, behind: "keyPathsForValuesAffecting")
    default: nil
    }
  }

  /// Keys that begin with two capital letters keep them.
  static func key(in name: String, behind prefix: String) -> String? {
    guard name.hasPrefix(prefix) else { return nil }
    let rest = String(name.dropFirst(prefix.count))
    guard let first = rest.first, first.isUppercase else { return nil }
    return rest.dropFirst().first?.isUppercase == true ? rest : SwiftName.uncapitalized(rest)
  }

  /// The names in a text, without the marks between them.
  static func names(in text: String) -> [String] {
    text.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init)
  }
}

/// A source file's declarations and imports.
struct SourceFile {
  /// The name that the compiler makes private symbols of.
  let name: String
  var imports: [String] = []
  var declarations: [Declaration] = []
  /// Where an extension overrides a member of its class, which Swift allows in Objective-C's classes alone.
  var overridesInExtensions: [SourcePlace] = []
  /// Where a class that inherits from NSObject overrides `observeValue(forKeyPath:…)`, which that one has not here.
  var observers: [SourcePlace] = []
}
