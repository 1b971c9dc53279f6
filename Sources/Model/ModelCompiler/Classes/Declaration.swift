/// A declaration of a source file, with the facts that can matter to managed object classes.
final class Declaration {
  enum Kind: Equatable {
    /// `class`, `struct`, `enum`, `actor` or `protocol`.
    case type(keyword: String)
    case typeExtension
    case alias
    /// A property with `@NSManaged`.
    case managedProperty
    case managedFunction
    /// A property that key-value coding can read, and perhaps set.
    case readableProperty(isSettable: Bool)
    /// A method `validate<Key>(_:)`, which key-value validation finds by its name.
    case validation(throwing: Bool)
    /// A static method or property `keyPathsForValuesAffecting<Key>`, which key-value observing
    /// finds by its name.
    case keyPathsAffecting(isFunction: Bool)
    /// A method of NSFetchedResultsControllerDelegate, without `override`.
    case listCallback
    /// A designated initializer; a class that declares one inherits no others.
    case initializer(makesObjects: Bool)
    /// `#if`, `#elseif`, `#else` or `#endif`, with the condition.
    case directive
  }

  let kind: Kind
  /// The name; for extensions, the type as it is written.
  let name: String
  /// The access level as written, such as `public`; empty if none is.
  let access: String
  /// The text after the name: generic parameters, a property's type, a function's parameters, an
  /// alias's type, or the whole directive.
  let detail: String
  /// The inherited types of a type.
  let inherited: [String]
  let place: SourcePlace
  /// The members of a type or an extension.
  var members: [Declaration] = []
  /// Whether a type or an extension has the attribute `@MainActor`.
  var isOnMainActor = false

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

  /// Whether generated code calls it on behalf of callers that know only its name, on any actor.
  var isCalledByName: Bool {
    switch kind {
    case .readableProperty, .validation, .keyPathsAffecting: true
    default: false
    }
  }

  var isClass: Bool { kind == .type(keyword: "class") }

  /// The key in the name of a validation or dependency member: `title` for `validateTitle`.
  var key: String? {
    switch kind {
    case .validation: Self.key(in: name, behind: "validate")
    case .keyPathsAffecting: Self.key(in: name, behind: "keyPathsForValuesAffecting")
    default: nil
    }
  }

  /// The key in a name behind a prefix; keys that begin with two capital letters keep them.
  static func key(in name: String, behind prefix: String) -> String? {
    guard name.hasPrefix(prefix) else { return nil }
    let rest = String(name.dropFirst(prefix.count))
    guard let first = rest.first, first.isUppercase else { return nil }
    return rest.dropFirst().first?.isUppercase == true ? rest : SwiftName.uncapitalized(rest)
  }

  /// The parts of a list of types. Commas within `<…>`, `(…)` and `[…]` separate none.
  static func types(inList text: some StringProtocol) -> [String] {
    var parts = [""]
    var depth = 0
    var previous: Character = " "
    for character in text {
      switch character {
      case "<", "(", "[": depth += 1
      case ")", "]": depth -= 1
      // The arrow of a function type closes nothing.
      case ">" where previous != "-": depth -= 1
      default: break
      }
      if character == ",", depth == 0 {
        parts.append("")
      } else {
        parts[parts.count - 1].append(character)
      }
      previous = character
    }
    return parts.map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }.filter { !$0.isEmpty }
  }

  /// The identifiers in the name of a type, without those in its arguments: `Repository<Book>` is
  /// no `Book`.
  static func names(ofType text: String) -> [String] {
    names(in: String(text.prefix { $0 != "<" }))
  }

  /// The identifiers in a text.
  static func names(in text: String) -> [String] {
    text.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init)
  }
}

/// A source file's declarations and imports.
struct SourceFile {
  /// The file name, which is part of the symbols of private declarations.
  let name: String
  var imports: [String] = []
  var declarations: [Declaration] = []
  /// Places where an extension overrides a member of its class; Swift allows that only for
  /// Objective-C classes.
  var overridesInExtensions: [SourcePlace] = []
  /// Places where a subclass of NSObject overrides `observeValue(forKeyPath:…)`, which NSObject
  /// lacks on this platform.
  var observers: [SourcePlace] = []
  /// Methods that look as if they were found by name, and are not.
  var unfoundMethods: [(place: SourcePlace, text: String)] = []
  /// Overrides of `didTurnIntoFault()` in classes without `deinit`.
  var faultOverrides: [SourcePlace] = []
}
