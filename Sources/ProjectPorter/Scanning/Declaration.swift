/// A declaration at the top of a file, or in a type or an extension, however deep: what may be left out of the file by
/// itself.
struct Declaration {
  enum Kind { case function, property, type, anExtension, other }

  var kind = Kind.other
  /// Of an extension, that of the type, with those around it; nil of an operator and of what has no name.
  var name: String?
  let line: Int
  /// The type or the extension around it, by its place among the declarations of the file.
  let container: Int?
  var isProtocol = false
  var isClass = false
  var isImport = false
  /// Whether a type or an extension names a superclass or protocols.
  var isConforming = false
  /// The words behind the colon of a type or an extension.
  var inherited: [String] = []
  var modifiers: Set<String> = []
  var attributes: Set<String> = []
  /// Whether braces follow without a value before them.
  var isComputed = false
  var hasBody = false
  /// Whether a list of variables, or a pattern of them, is declared together.
  var isSeveral = false

  /// The last part of an extension's name.
  var typeName: String? {
    name.map { $0.split(separator: ".").last.map(String.init) ?? $0 }
  }

  /// Whether an extension's name has a word, or is what a reference names.
  func extends(_ word: String) -> Bool {
    guard !word.hasPrefix(":") else { return name == String(word.dropFirst()) }
    return name?.split(separator: ".").contains { $0 == word } ?? false
  }

  /// Whether nothing but its users would miss it: no requirement, no override, no storage of objects, nothing that is found
  /// by a name in a text.
  func canBeLeftOut(of container: Declaration?) -> Bool {
    guard let name, !isSeveral, attributes.isDisjoint(with: Self.bindingAttributes),
      modifiers.isDisjoint(with: Self.bindingModifiers)
    else { return false }
    if let container, container.isProtocol || container.attributes.contains("objcMembers") {
      return false
    }
    // It may be what a protocol of a framework asks for: most of these are single words.
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
        && (!isStored || modifiers.contains("static") || modifiers.contains("class"))
    case .type: return true
    case .anExtension: return container == nil
    case .other: return false
    }
  }

  /// Whether it names a protocol, or a superclass, that is not known here.
  private var mayHaveRequirements: Bool {
    isConforming && (inherited.isEmpty || !inherited.allSatisfy(Self.known.contains))
  }

  /// Raw types, and protocols of Swift and Foundation all of whose requirements are among ``requirements``.
  private static let known: Set<String> = [
    "AnyObject", "BitwiseCopyable", "Bool", "CaseIterable", "Character", "Codable", "CodingKey",
    "Comparable", "Copyable", "CustomDebugStringConvertible", "CustomNSError", "CustomReflectable",
    "CustomStringConvertible", "Decodable", "Double", "Encodable", "Equatable", "Error", "Float",
    "Hashable", "Identifiable", "Int", "Int16", "Int32", "Int64", "Int8", "LocalizedError",
    "NSObject", "Observable", "OptionSet", "PersistentModel", "RawRepresentable",
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

  /// What protocols of Swift and Foundation ask for: who does may not name it.
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
