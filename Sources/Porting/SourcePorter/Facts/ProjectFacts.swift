/// Facts about all sources together. It records queries and answers: a ported source stays valid
/// while the answers are unchanged.
final class ProjectFacts {
  private let types: [String: [SourceFacts.TypeDeclaration]]
  private let members: [String: [SourceFacts.Member]]
  private let overrides: [String: [SourceFacts.Override]]
  /// Properties that notify observers, by class.
  private let observables: [String: [SourceFacts.Member]]
  /// Types with a member that is visible to Objective-C.
  private let exposingOwners: Set<String>
  /// Managed object classes that a model or another module declares.
  private let managedElsewhere: Set<String>
  /// To-many relationships whose properties are generated from a model.
  private let toManyElsewhere: Set<String>
  /// Answers by query.
  private(set) var answers: [String: String] = [:]

  /// - Parameter conditions: those of the sources, of which `managedObject(Book)` names a managed
  ///   object class that is declared elsewhere, and `toMany(books)` a generated property.
  init(_ facts: [SourceFacts], conditions: Set<String> = []) {
    managedElsewhere = Self.names("managedObject", in: conditions)
    toManyElsewhere = Self.names("toMany", in: conditions)
    types = Dictionary(grouping: facts.flatMap(\.types), by: \.name)
    members = Dictionary(grouping: facts.flatMap(\.members), by: \.name)
    exposingOwners = Set(facts.flatMap(\.members).filter(\.isExposed).map(\.owner))
    overrides = Dictionary(grouping: facts.flatMap(\.overrides), by: \.owner)
    observables = Dictionary(
      grouping: facts.flatMap(\.members).filter(\.isObservable), by: \.owner)
  }

  /// The names that conditions of one kind have in their parentheses.
  private static func names(_ kind: String, in conditions: Set<String>) -> Set<String> {
    Set(
      conditions.filter { $0.hasPrefix(kind + "(") }
        .map { String($0.dropFirst(kind.count + 1).dropLast()) })
  }

  /// Shares the facts of `other` and records queries separately, for one file.
  init(_ other: ProjectFacts) {
    types = other.types
    members = other.members
    overrides = other.overrides
    observables = other.observables
    exposingOwners = other.exposingOwners
    managedElsewhere = other.managedElsewhere
    toManyElsewhere = other.toManyElsewhere
  }

  /// Returns true if every recorded query still has its recorded answer.
  func agrees(with answers: [String: String]) -> Bool {
    answers.allSatisfy { answer(to: $0.key.split(separator: " ").map(String.init)) == $0.value }
  }

  private func ask(_ question: String...) -> String {
    let answer = answer(to: question)
    answers[question.joined(separator: " ")] = answer
    return answer
  }

  // Answers are texts, so that they can be stored and compared.
  private func answer(to question: [String]) -> String {
    let subject = question.dropFirst().joined(separator: " ")
    switch question[0] {
    case "optional":
      return optionalRequirement(subject).map { $0.isThrowing ? "throwing" : "plain" } ?? ""
    case "property": return members(subject).contains { $0.labels == nil } ? "yes" : ""
    case "selectors": return selectors(subject)
    case "key": return key(question[1], of: question[2])
    case "main": return isOnMainActor(subject, depth: 0) ? "yes" : ""
    case "exposing": return exposesMembers(subject, depth: 0) ? "yes" : ""
    case "exposed": return exposesAny(subject) ? "yes" : ""
    case "generic": return types[subject]?.contains { $0.isGeneric } ?? false ? "yes" : ""
    case "declared": return declaresClass(subject) ? "yes" : ""
    case "witness": return isWitness(question[1], type: question[2]) ? "yes" : ""
    case "superclass": return superclass(of: subject) ?? ""
    case "archived": return needsArchiveName(subject) ? "yes" : ""
    case "managed": return inherits(subject, from: "NSManagedObject") ? "yes" : ""
    case "session": return isSessionWithoutInitializer(subject) ? "yes" : ""
    case "unmade": return isManagedWithoutInitializer(subject) ? "yes" : ""
    case "below": return isDeclared(question[1], below: question[2]) ? "yes" : ""
    case "observable": return observable(subject)
    case "optionalProperty":
      return optionalProperty(question[1], of: question[2], depth: 0) ? "yes" : ""
    case "types": return types(ofProperty: subject)
    case "set": return isSet(subject) ? "yes" : ""
    case "overrides":
      return (overrides[subject] ?? [])
        .map { "\($0.path):\($0.line) \($0.condition ?? "")\n\($0.text)" }
        .joined(separator: "\n")
    default: return ""
    }
  }

  // MARK: - Queries

  enum Requirement: String {
    case plain, throwing
  }

  /// The kind of an optional protocol requirement `name(labels)`; nil if there is none.
  func optionalRequirement(named name: String, labels: [String]) -> Requirement? {
    Requirement(rawValue: ask("optional", Self.fullName(name, labels: labels)))
  }

  /// Returns true if an optional requirement has this base name, with any labels.
  func isOptionalRequirement(_ name: String) -> Bool { !ask("optional", name).isEmpty }

  func isProperty(_ name: String) -> Bool { !ask("property", name).isEmpty }

  /// The selectors of functions with a name; `owner` limits them to one type, if known.
  func selectors(_ name: String, labels: [String]?, owner: String?) -> [String] {
    ask("selectors", labels.map { Self.fullName(name, labels: $0) } ?? name, owner ?? "*")
      .split(separator: " ").map(String.init)
  }

  /// The key of a property in key-value coding; `owner` is its type, if known.
  func key(of name: String, in owner: String?) -> String { ask("key", name, owner ?? "*") }

  func isOnMainActor(_ type: String) -> Bool { !ask("main", type).isEmpty }

  /// Returns true if `@objcMembers` applies to a class, directly or by a superclass.
  func exposesMembers(_ type: String) -> Bool { !ask("exposing", type).isEmpty }

  /// Returns true if any member of a class is visible to Objective-C, in any file.
  func hasExposedMembers(_ type: String) -> Bool { !ask("exposed", type).isEmpty }

  func isGeneric(_ type: String) -> Bool { !ask("generic", type).isEmpty }

  func isDeclared(_ type: String) -> Bool { !ask("declared", type).isEmpty }

  /// Returns true if a method or property satisfies a requirement of an Objective-C protocol to
  /// which its type conforms.
  func isWitness(_ name: String, labels: [String]?, of type: String) -> Bool {
    !ask("witness", labels.map { Self.fullName(name, labels: $0) } ?? name, type).isEmpty
  }

  /// The first inherited type of a class; empty if it has none.
  func superclass(named type: String) -> String { ask("superclass", type) }

  /// Returns true if objects of a class can be archived and Foundation's archiver has no name for
  /// it or for a superclass.
  func needsArchiveName(named type: String) -> Bool { !ask("archived", type).isEmpty }

  /// Returns true for `NSManagedObject` and for classes below it.
  func isManaged(_ type: String) -> Bool { !ask("managed", type).isEmpty }

  /// Returns true if neither a managed object class nor a superclass declares `init()`.
  func isManagedWithoutInitializer(named type: String) -> Bool { !ask("unmade", type).isEmpty }

  /// Returns true if a class is below `URLSession` and neither it nor a superclass declares
  /// `init()`.
  func isSessionWithoutInitializer(named type: String) -> Bool { !ask("session", type).isEmpty }

  /// Returns true if a subclass declares a function with the full name.
  func isDeclared(_ fullName: String, belowClass type: String) -> Bool {
    !ask("below", fullName, type).isEmpty
  }

  /// The inherited properties of a class that notify observers, with their keys.
  func observableProperties(above type: String) -> [(name: String, key: String)] {
    ask("observable", type).split(separator: " ").map { pair in
      let parts = pair.split(separator: "=").map(String.init)
      return (parts[0], parts[1])
    }
  }

  /// Returns true if a protocol, or one that it refines, has an optional property of this name.
  func hasOptionalProperty(_ name: String, in type: String) -> Bool {
    !ask("optionalProperty", name, type).isEmpty
  }

  /// The types of all properties with a name.
  func types(ofPropertyNamed name: String) -> [String] {
    ask("types", name).split(separator: "\n").map(String.init)
  }

  /// Returns true if a property with the name is a set of Foundation's, here or in a model.
  func isSet(propertyNamed name: String) -> Bool { !ask("set", name).isEmpty }

  func overrides(of type: String) -> [SourceFacts.Override] {
    _ = ask("overrides", type)
    return overrides[type] ?? []
  }

  // MARK: - Answers

  static func fullName(_ name: String, labels: [String]) -> String {
    "\(name)(\(labels.map { $0 + ":" }.joined()))"
  }

  private static func baseName(_ name: String) -> String { String(name.prefix { $0 != "(" }) }

  private func members(_ name: String) -> [SourceFacts.Member] {
    let all = members[Self.baseName(name)] ?? []
    return name.contains("(")
      ? all.filter { $0.labels.map { Self.fullName(Self.baseName(name), labels: $0) } == name }
      : all
  }

  private func optionalRequirement(_ name: String) -> SourceFacts.Member? {
    members(name).first(where: \.isOptional)
  }

  private func selectors(_ subject: String) -> String {
    let parts = subject.split(separator: " ").map(String.init)
    let functions = members(parts[0]).filter { $0.labels != nil }
    let own = functions.filter { $0.owner == parts[1] || $0.owner.hasSuffix("." + parts[1]) }
    let candidates = own.isEmpty ? functions : own
    let names = candidates.map { member in
      member.objectiveCName
        ?? SelectorName.method(
          member.name, labels: member.labels ?? [], isThrowing: member.isThrowing)
    }
    return Set(names).sorted().joined(separator: " ")
  }

  private func key(_ name: String, of owner: String) -> String {
    let all = (members[name] ?? []).filter { $0.labels == nil }
    let own = all.filter {
      $0.owner == owner || $0.owner.hasSuffix("." + owner) || owner.hasSuffix("." + $0.owner)
        || inherits(owner, from: $0.owner)
    }
    let names = Set((own.isEmpty ? all : own).map { $0.objectiveCName ?? name })
    return names.count == 1 ? names.first! : name
  }

  private func declaresClass(_ type: String) -> Bool {
    types[type]?.contains { $0.kind == .aClass } ?? managedElsewhere.contains(type)
  }

  private func superclass(of type: String) -> String? {
    types[type]?.first { $0.kind == .aClass }?.inherited.first
      ?? (managedElsewhere.contains(type) ? "NSManagedObject" : nil)
  }

  private func isOnMainActor(_ type: String, depth: Int) -> Bool {
    if types[type]?.contains(where: { $0.isOnMainActor }) ?? false { return true }
    guard depth < 16, let parent = superclass(of: type) else { return false }
    return isOnMainActor(parent, depth: depth + 1)
  }

  private func exposesMembers(_ type: String, depth: Int) -> Bool {
    if types[type]?.contains(where: { $0.kind == .aClass && $0.exposesMembers }) ?? false {
      return true
    }
    guard depth < 16, let parent = superclass(of: type) else { return false }
    return exposesMembers(parent, depth: depth + 1)
  }

  /// Members of subclasses count: they are found through the superclass's conformances.
  private func exposesAny(_ type: String) -> Bool {
    exposesMembers(type, depth: 0) || exposingOwners.contains { inherits($0, from: type) }
  }

  private func needsArchiveName(_ type: String) -> Bool {
    var (isRenamed, isArchived) = (false, false)
    var current = type
    for _ in 0..<16 {
      guard let found = types[current]?.first(where: { $0.kind == .aClass }) else { break }
      isRenamed = isRenamed || found.isRenamed
      isArchived = isArchived || Self.coding.contains { conforms(current, to: $0, depth: 0) }
      guard let superclass = found.inherited.first else { return false }
      current = declaration(of: superclass, in: current)
    }
    return isRenamed && (isArchived || Self.archivedClasses.contains(current))
  }

  private static let coding = ["NSCoding", "NSSecureCoding"]

  /// Archivable classes of Foundation from which sources inherit.
  private static let archivedClasses: Set<String> = [
    "Dimension", "Formatter", "NSAttributedString", "NSMutableAttributedString", "Unit",
  ]

  /// The full name of the type that a name means inside another type.
  private func declaration(of name: String, in type: String) -> String {
    var outer = type[...]
    while true {
      if types["\(outer).\(name)"] != nil { return "\(outer).\(name)" }
      guard let dot = outer.lastIndex(of: ".") else { return name }
      outer = outer[..<dot]
    }
  }

  private func isManagedWithoutInitializer(_ type: String) -> Bool {
    lacksInitializer(type, below: "NSManagedObject")
  }

  private func isSessionWithoutInitializer(_ type: String) -> Bool {
    type != "URLSession" && lacksInitializer(type, below: "URLSession")
  }

  private func lacksInitializer(_ type: String, below ancestor: String) -> Bool {
    var current = type
    for _ in 0..<16 {
      if current == ancestor { return true }
      if members("init()").contains(where: { $0.owner == current }) { return false }
      guard let next = superclass(of: current) else { return false }
      current = declaration(of: next, in: current)
    }
    return false
  }

  private func isDeclared(_ fullName: String, below type: String) -> Bool {
    members(fullName).contains { $0.owner != type && inherits($0.owner, from: type) }
  }

  private func observable(_ type: String) -> String {
    var found: [String: String] = [:]
    var current = superclass(of: type)
    for _ in 0..<16 {
      guard let name = current else { break }
      for member in observables[name] ?? [] {
        found[member.name] = found[member.name] ?? member.objectiveCName ?? member.name
      }
      current = superclass(of: name)
    }
    return found.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
  }

  private func optionalProperty(_ name: String, of type: String, depth: Int) -> Bool {
    guard depth < 16, types[type]?.contains(where: { $0.kind == .aProtocol }) ?? false else {
      return false
    }
    let own = (members[name] ?? []).contains {
      $0.owner == type && $0.labels == nil && $0.isOptional
    }
    return own
      || (types[type] ?? []).flatMap(\.inherited).contains {
        optionalProperty(name, of: $0, depth: depth + 1)
      }
  }

  private func types(ofProperty name: String) -> String {
    Set((members[name] ?? []).filter { $0.labels == nil }.compactMap(\.type)).sorted()
      .joined(separator: "\n")
  }

  private func isSet(_ name: String) -> Bool {
    toManyElsewhere.contains(name)
      || (members[name] ?? []).contains { member in
        member.labels == nil && member.type.map(Self.sets.contains) ?? false
      }
  }

  /// Foundation's classes that have array literals on Apple's systems.
  static let sets: Set<String> = [
    "NSSet", "NSMutableSet", "NSOrderedSet", "NSMutableOrderedSet",
  ]

  private func inherits(_ type: String, from ancestor: String) -> Bool {
    var current: String? = type
    for _ in 0..<16 {
      guard let name = current else { return false }
      if name == ancestor { return true }
      current = superclass(of: name).map { declaration(of: $0, in: name) }
    }
    return false
  }

  private func isWitness(_ name: String, type: String) -> Bool {
    let isFunction = name.contains("(")
    let protocols = members(name).filter { ($0.labels != nil) == isFunction }.map(\.owner).filter {
      owner in
      types[owner]?.contains { $0.kind == .aProtocol && $0.isObjectiveC } ?? false
    }
    return protocols.contains { conforms(type, to: $0, depth: 0) }
  }

  private func conforms(_ type: String, to name: String, depth: Int) -> Bool {
    guard depth < 16 else { return false }
    return (types[type] ?? []).flatMap(\.inherited).contains {
      $0 == name || name.hasSuffix("." + $0) || conforms($0, to: name, depth: depth + 1)
    }
  }
}
