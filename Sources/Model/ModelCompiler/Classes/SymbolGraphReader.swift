import Foundation

/// Converts a skeleton and its compiler symbols to managed classes. Reports unsupported
/// declarations with their places.
struct SymbolGraphReader {
  /// The symbol of NSManagedObject, identical in the module and in its stub.
  private static let root = "s:8CoreData15NSManagedObjectC"
  private static let policyRoot = "s:8CoreData23NSEntityMigrationPolicyC"
  // Both: a graph does not say what classes of other modules inherit from.
  private static let transformerRoots = [
    "s:8CoreData16ValueTransformerC", "s:8CoreData021NSSecureUnarchiveFromB11TransformerC",
  ]

  private typealias Entry = (symbol: SymbolGraph.Symbol, declaration: Declaration, file: String)

  /// The file of generated declarations, which are left out.
  private let generated: String
  private let moduleName: String
  private let topLevel: Set<String>
  /// The target's compiled declarations by symbol.
  private let entries: [String: Entry]
  /// The members by the symbol of their type.
  private let members: [String: [Entry]]
  private let parents: [String: String]

  init(
    graph: SymbolGraph, skeleton: Skeleton, generated: String, moduleName: String,
    topLevel: Set<String>
  ) {
    self.generated = generated
    self.moduleName = moduleName
    self.topLevel = topLevel
    let files = Dictionary(uniqueKeysWithValues: skeleton.files.map { ($0.name, $0.declarations) })
    var entries: [String: Entry] = [:]
    for symbol in graph.symbols {
      guard let (file, line) = symbol.place, let declaration = files[file]?[line] else { continue }
      entries[symbol.identifier.precise] = (symbol, declaration, file)
    }
    self.entries = entries
    var members: [String: [Entry]] = [:]
    var parents: [String: String] = [:]
    for link in graph.relationships {
      if link.kind == "inheritsFrom" { parents[link.source] = link.target }
      if link.kind == "memberOf", let member = entries[link.source] {
        members[link.target, default: []].append(member)
      }
    }
    self.members = members.mapValues { $0.sorted { Self.precedes($0, $1) } }
    self.parents = parents
  }

  private static func precedes(_ left: Entry, _ right: Entry) -> Bool {
    let (left, right) = (left.declaration.place, right.declaration.place)
    return (left.file, left.line) < (right.file, right.line)
  }

  func classes() throws -> [ManagedClass] {
    var errors: [String] = []
    let classes = entries.values.filter { $0.declaration.isClass }.compactMap { entry in
      inherits(entry.symbol.identifier.precise, from: Self.root)
        ? managedClass(entry, errors: &errors) : unmanaged(entry, errors: &errors)
    }
    guard errors.isEmpty else { throw CompilationErrors(messages: Array(Set(errors)).sorted()) }
    return classes.sorted { $0.name < $1.name }
  }

  /// The names of migration policies that are visible to other files.
  func policyNames() -> [String] {
    names(of: visibleClasses(below: [Self.policyRoot]))
  }

  /// The names of transformers that are visible to other files and made without arguments.
  func transformerNames() -> [String] {
    names(
      of: visibleClasses(below: Self.transformerRoots).filter { entry in
        !entry.declaration.isOnMainActor && inheritsInitializers(entry.symbol.identifier.precise)
      })
  }

  private func visibleClasses(below roots: [String]) -> [Entry] {
    entries.values.filter { entry in
      entry.declaration.isClass && entry.declaration.detail.isEmpty && !entry.symbol.isPrivate
        && roots.contains { inherits(entry.symbol.identifier.precise, from: $0) }
        && !isInsidePrivate(entry.symbol)
    }
  }

  private func names(of classes: [Entry]) -> [String] {
    classes.map { $0.symbol.pathComponents.joined(separator: ".") }.sorted()
  }

  /// Whether neither the class nor its superclasses in the target declare a designated initializer.
  private func inheritsInitializers(_ identifier: String) -> Bool {
    guard let entry = entries[identifier] else { return true }
    return initializers(entry.declaration.members).isEmpty
      && parents[identifier].map(inheritsInitializers) ?? true
  }

  private func inherits(_ identifier: String, from root: String) -> Bool {
    var next: String? = identifier
    var seen: Set<String> = []
    while let current = next, seen.insert(current).inserted {
      if current == root { return true }
      next = parents[current]
    }
    return false
  }

  /// Returns nil. Appends an error if a class that is not managed has `@NSManaged` members.
  private func unmanaged(_ entry: Entry, errors: inout [String]) -> ManagedClass? {
    let name = entry.symbol.pathComponents.joined(separator: ".")
    let managed = (members[entry.symbol.identifier.precise] ?? []).first {
      $0.declaration.isManaged
    }
    guard let managed else { return nil }
    let parent = entry.declaration.inherited.first
    errors.append(
      managed.declaration.place.error(
        "the class \(name) declares @NSManaged \(managed.declaration.name) and is not known to inherit from "
          + "NSManagedObject: "
          + (parent.map { "“\($0)” is no managed object class of this target; declare it here" }
            ?? "it has no superclass")))
    return nil
  }

  private func managedClass(_ entry: Entry, errors: inout [String]) -> ManagedClass? {
    let (symbol, declaration, file) = entry
    let own = (members[symbol.identifier.precise] ?? []).filter { $0.file != generated }
    let declared = own.filter { $0.declaration.isManaged }
    let readable = readableProperties(of: symbol.identifier.precise)
    let found = own.filter(\.declaration.isCalledByName)
    if file == generated && declared.isEmpty && readable.isEmpty && found.isEmpty { return nil }
    let name = symbol.pathComponents.joined(separator: ".")
    if symbol.isPrivate || isInsidePrivate(symbol) {
      // A class without managed properties need not be meant for a model.
      guard !declared.isEmpty else { return nil }
      errors.append(
        declaration.place.error(
          "the class \(name) is private; generated code needs to see it: make it internal"))
      return nil
    }
    errors += problems(with: declaration, name: name, members: own.map(\.declaration))
    var managed = ManagedClass(path: symbol.pathComponents, isExported: symbol.isExported)
    managed.readable = readable
    managed.noteWhatIsFoundByName(own.map(\.declaration))
    managed.inheritsInitializer = initializers(declaration.members).isEmpty
    managed.members = declared.compactMap { member(of: $0, className: name, errors: &errors) }
    return managed
  }

  private func isInsidePrivate(_ symbol: SymbolGraph.Symbol) -> Bool {
    entries.values.contains { outer in
      guard outer.symbol.isPrivate, case .type = outer.declaration.kind else { return false }
      return outer.symbol.pathComponents.count < symbol.pathComponents.count
        && symbol.pathComponents.starts(with: outer.symbol.pathComponents)
    }
  }

  private func problems(
    with declaration: Declaration, name: String, members: [Declaration]
  ) -> [String] {
    if !declaration.detail.isEmpty {
      return [
        declaration.place.error("the class \(name) is generic; managed object classes cannot be")
      ]
    }
    let initializers = initializers(members)
    guard !initializers.isEmpty, !initializers.contains(true) else { return [] }
    return [
      declaration.place.error(
        "the class \(name) has no visible initializer init(entity:insertInto:), which makes its "
          + "objects: override it, neither private nor unavailable, or make the other initializers "
          + "convenience ones")
    ]
  }

  /// For each initializer among the members, true if it is `init(entity:insertInto:)`.
  private func initializers(_ members: [Declaration]) -> [Bool] {
    members.compactMap { member in
      if case .initializer(let makesObjects) = member.kind { makesObjects } else { nil }
    }
  }

  /// Visible instance properties without `@NSManaged`, including those of superclasses in the
  /// target, by name.
  private func readableProperties(of identifier: String) -> [ManagedClass.Readable] {
    var found: [String: ManagedClass.Readable] = [:]
    for property in parents[identifier].map(readableProperties) ?? [] {
      found[property.name] = property
    }
    for member in members[identifier] ?? [] where member.file != generated {
      guard case .readableProperty(let isSettable) = member.declaration.kind else { continue }
      let name = member.declaration.name
      found[name] = ManagedClass.Readable(name: name, isSettable: isSettable)
    }
    return found.values.sorted { $0.name < $1.name }
  }

  // MARK: - Members

  private func member(
    of entry: Entry, className: String, errors: inout [String]
  ) -> ManagedClass.Member? {
    let declaration = entry.declaration
    let name = "\(className).\(declaration.name)"
    let isFunction = declaration.kind == .managedFunction
    guard let readable = SymbolName.demangled(entry.symbol.name),
      !readable.contains("<ERROR TYPE>")
    else {
      errors.append(declaration.place.error(Self.unknownType(declaration, name: name)))
      return nil
    }
    let type = TypeText(
      moduleName: moduleName, topLevel: topLevel,
      existentials: Self.existentials(declaration.detail)
    ).result(
      isFunction ? SymbolName.parameters(readable) : SymbolName.propertyType(readable))
    if let hidden = type.privateType {
      errors.append(
        declaration.place.error(
          "“\(hidden)”, the type of \(name), is private; generated code needs to see it: make it "
            + "internal"))
      return nil
    }
    return ManagedClass.Member(
      name: declaration.name,
      kind: isFunction
        ? .function(parameters: Self.parameters(type.text)) : .property(type: type.text),
      symbol: entry.symbol.name, isExported: entry.symbol.isExported, modules: type.modules,
      place: declaration.place)
  }

  private static func unknownType(_ declaration: Declaration, name: String) -> String {
    "a type in “\(declaration.detail)”, the type of \(name), is found neither in this target nor in Foundation "
      + "or CoreData; declare it in this target, or write the property by hand (see the article on the "
      + "build plugin)"
  }

  /// The type names after `any`.
  private static func existentials(_ text: String) -> Set<String> {
    let names = text.matches(of: /\bany\s+([\w.]+(?:\s*&\s*[\w.]+)*)/)
      .flatMap { $0.1.split(separator: "&") }
    return Set(names.compactMap { $0.split(separator: ".").last?.filter { !$0.isWhitespace } })
  }

  private static func parameters(_ text: String) -> [ManagedClass.Member.Parameter] {
    SymbolName.split(text).map { part in
      guard let colon = part.range(of: ": ") else { return .init(label: "_", type: part) }
      let label = String(part[..<colon.lowerBound])
      guard label.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" }) else {
        return .init(label: "_", type: part)
      }
      return .init(label: label, type: String(part[colon.upperBound...]))
    }
  }
}

extension ManagedClass {
  /// Records the members that key-value coding and observing find by name.
  fileprivate mutating func noteWhatIsFoundByName(_ members: [Declaration]) {
    for member in members {
      guard let key = member.key, !member.isPrivate else { continue }
      switch member.kind {
      case .validation(let isThrowing):
        validations.append(
          Validation(key: key, function: member.name, isThrowing: isThrowing))
      case .keyPathsAffecting(let isFunction):
        keyPathsAffecting.append(
          KeyPathsAffecting(key: key, name: member.name, isFunction: isFunction))
      default: continue
      }
    }
  }
}
