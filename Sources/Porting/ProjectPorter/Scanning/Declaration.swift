/// A declaration at the top of a file or nested at any depth in types and extensions; the unit that
/// can be removed from a file.
struct Declaration {
  enum Kind { case function, property, type, anExtension, other }

  var kind = Kind.other
  /// The name; for extensions the dotted path of the extended type. nil for operators and nameless
  /// declarations.
  var name: String?
  let line: Int
  /// The keyword of a type, or of a declaration without a name that has a body: `init`, `deinit`,
  /// `subscript`.
  var keyword: String?
  /// The line on which the body begins.
  var bodyLine: Int?
  /// The index of the enclosing type or extension among the file's declarations.
  let container: Int?
  var isProtocol = false
  var isClass = false
  var isImport = false
  /// Whether a type or an extension names a superclass or protocols.
  var isConforming = false
  /// The words after the colon of a type or an extension.
  var inherited: [String] = []
  var modifiers: Set<String> = []
  var attributes: Set<String> = []
  /// Whether braces follow the declaration without an initial value before them.
  var isComputed = false
  var hasBody = false
  /// Whether the declaration is one of a variable.
  var isVariable = false
  /// Whether a property has an initial value, be it nil.
  var hasValue = false
  /// Whether a function has parameters.
  var hasParameters = false
  /// Whether the head of a function names a result.
  var hasResult = false
  /// Whether the declaration has several variables, in a list or a pattern.
  var isSeveral = false

  /// The argument labels of an initialiser, each with its colon.
  var labels: [String] = []

  /// The last component of a path by which copies find the declaration.
  var pathName: String? { name ?? (keyword == "init" ? "init(\(labels.joined()))" : nil) }

  /// The last component of a path by which copies find the body; nil if there is none.
  var bodyName: String? { bodyLine == nil ? nil : name ?? keyword }

  /// Whether the declaration is a test or prepares one: a framework calls it.
  var isCalledByTests: Bool {
    attributes.contains("Test") || (kind == .function && name?.hasPrefix("test") ?? false)
  }

  /// Whether the declaration is one test.
  var isTest: Bool {
    kind == .function && container != nil && isCalledByTests && !hasParameters
      && modifiers.isDisjoint(with: ["static", "class"])
      || kind == .function && attributes.contains("Test")
  }

  /// The last component of the name.
  var typeName: String? {
    name.map { $0.split(separator: ".").last.map(String.init) ?? $0 }
  }

  /// Returns true if the extension's path contains the word, or equals a reference
  /// (`:Outer.Inner`).
  func extends(_ word: String) -> Bool {
    guard !word.hasPrefix(":") else { return name == String(word.dropFirst()) }
    return name?.split(separator: ".").contains { $0 == word } ?? false
  }

  /// Returns true if only code that names the declaration depends on it: it is no requirement, no
  /// override, no stored instance property, and nothing that is found by name at run time.
  func canBeLeftOut(of container: Declaration?) -> Bool {
    guard !isSeveral, modifiers.isDisjoint(with: Self.bindingModifiers) else { return false }
    if keyword == "init" {
      // Whoever calls it hands over what is missing.
      guard let container else { return false }
      return !container.isProtocol && attributes.isDisjoint(with: Self.bindingAttributes)
        && !container.attributes.contains("objcMembers")
    }
    guard let name else { return false }
    let binding = attributes.intersection(Self.bindingAttributes)
    guard binding.isEmpty || binding == ["Published"] && isStateOfItsOwn(of: container) else {
      return false
    }
    if let container, container.attributes.contains("objcMembers") { return false }
    if let container, container.isProtocol { return isRequirement(of: container) }
    // The member may satisfy a framework's protocol; most requirements are single words.
    if let container, container.mayHaveRequirements, kind != .type,
      !name.contains(where: \.isUppercase)
    {
      return false
    }
    switch kind {
    case .function: return !Self.requirements.contains(name)
    case .property:
      let isStored = !isComputed && container != nil
      return !Self.requirements.contains(name)
        && (!isStored || modifiers.contains("static") || modifiers.contains("class")
          || isStateOfItsOwn(of: container))
    case .type: return true
    case .anExtension: return container == nil
    case .other: return false
    }
  }

  /// Returns true if the declaration is a function or a property that a protocol of the project
  /// asks for: types conform without it, and who calls it names it. Objective-C finds requirements
  /// by name.
  private func isRequirement(of container: Declaration) -> Bool {
    [.function, .property].contains(kind) && !container.attributes.contains("objc")
      && !Self.requirements.contains(name ?? "")
  }

  /// Returns true if the declaration is a stored property with an initial value in a class whose
  /// stored properties matter to nobody but those who name them: no initialiser is asked for a
  /// value, and nothing is coded or kept.
  private func isStateOfItsOwn(of container: Declaration?) -> Bool {
    guard kind == .property, !isComputed, hasValue, let container,
      ["class", "actor"].contains(container.keyword)
    else { return false }
    return container.attributes.isDisjoint(with: ["Model", "objcMembers"])
      && Set(container.inherited).isDisjoint(with: ["Codable", "Decodable", "Encodable"])
  }

  /// Whether an initialiser has to give the property a value.
  var isStoredWithoutValue: Bool {
    kind == .property && !isComputed && !hasValue
      && modifiers.isDisjoint(with: ["static", "class"]) && !attributes.contains("NSManaged")
  }

  /// Whether the type names a superclass or a protocol outside of `known`.
  var mayHaveRequirements: Bool {
    isConforming && (inherited.isEmpty || !inherited.allSatisfy(Self.known.contains))
  }

  /// Raw types, and protocols of Swift and Foundation whose requirements are all among
  /// ``requirements``.
  private static let known: Set<String> = [
    "AnyObject", "BitwiseCopyable", "Bool", "CaseIterable", "Character", "Codable", "CodingKey",
    "Comparable", "Copyable", "CustomDebugStringConvertible", "CustomNSError", "CustomReflectable",
    "CustomStringConvertible", "Decodable", "Double", "Encodable", "Equatable", "Error", "Float",
    "Hashable", "Identifiable", "Int", "Int16", "Int32", "Int64", "Int8", "LocalizedError",
    "NSObject", "Observable", "ObservableObject", "OptionSet", "PersistentModel",
    "RawRepresentable",
    "RecoverableError", "Sendable", "SendableMetatype", "String", "Swift", "Foundation", "UInt",
    "UInt16", "UInt32", "UInt64", "UInt8", "nonisolated", "unchecked",
  ]

  private static let bindingAttributes: Set<String> = [
    "objc", "NSManaged", "main", "UIApplicationMain", "NSApplicationMain", "objcMembers",
    "Published", "Model", "resultBuilder", "propertyWrapper",
  ]
  private static let bindingModifiers: Set<String> = [
    "override", "required", "dynamic", "optional",
  ]

  /// Requirements of protocols of Swift and Foundation; callers need not name them.
  private static let requirements: Set<String> = [
    "allCases", "body", "buildBlock", "combineIdentifier", "compare", "copy", "customMirror",
    "debugDescription", "description",
    "encode", "endIndex", "errorCode", "errorDescription", "errorDomain", "errorUserInfo",
    "failureReason", "hash", "hashValue",
    "helpAnchor", "id", "index", "isEqual", "localizedDescription", "intValue", "makeIterator",
    "modelContainer", "modelExecutor", "mutableCopy",
    "attemptRecovery", "codingPath", "next", "objectWillChange", "persistentBackingData",
    "recoveryOptions", "schemaMetadata", "projectedValue", "rawValue", "recoverySuggestion",
    "startIndex",
    "stringValue", "supportsSecureCoding",
    "underestimatedCount", "unownedExecutor", "versionIdentifier", "wrappedValue",
  ]
}
