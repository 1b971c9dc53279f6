import Foundation

/// Makes managed classes of a symbol graph, and tells what cannot be supported, with its place.
struct SymbolGraphReader {
  /// The symbol of NSManagedObject, in the module or its stand-in.
  private static let root = "s:8CoreData15NSManagedObjectC"
  private static let initializer = "init(entity:insertInto:)"

  let graph: SymbolGraph
  /// The file of the declarations that were generated, which are left out here.
  let generated: String

  func classes() throws -> [ManagedClass] {
    let managed = managedIdentifiers()
    // A protocol that is bound to managed objects inherits too.
    let all = graph.symbols.filter {
      managed.contains($0.identifier.precise) && $0.kind.identifier == "swift.class"
    }
    var errors: [String] = []
    let classes = all.compactMap { symbol in
      managedClass(symbol, errors: &errors)
    }
    guard errors.isEmpty else { throw CompilationErrors(messages: Array(Set(errors)).sorted()) }
    return classes.sorted { $0.name < $1.name }
  }

  /// The classes that inherit from NSManagedObject, directly or not.
  private func managedIdentifiers() -> Set<String> {
    var children: [String: [String]] = [:]
    for link in graph.relationships where link.kind == "inheritsFrom" {
      children[link.target, default: []].append(link.source)
    }
    var found: Set<String> = []
    var waiting = [Self.root]
    while let parent = waiting.popLast() {
      for child in children[parent] ?? [] where found.insert(child).inserted {
        waiting.append(child)
      }
    }
    return found
  }

  private func managedClass(
    _ symbol: SymbolGraph.Symbol, errors: inout [String]
  ) -> ManagedClass? {
    let members = self.members(of: symbol).filter { $0.place.file != generated }
    let declared = members.filter { $0.declaration.contains("@NSManaged") }
    let readable = readableNames(of: symbol, members: members)
    if symbol.place.file == generated && declared.isEmpty && readable.isEmpty { return nil }
    let name = symbol.pathComponents.joined(separator: ".")
    if symbol.isPrivate || isInsidePrivate(symbol) {
      // Generated code cannot name it; without managed properties it may well not be meant for a
      // model.
      guard !declared.isEmpty else { return nil }
      errors.append(
        symbol.place.error(
          "the class \(name) is private; generated code needs to see it: make it internal"))
      return nil
    }
    errors += problems(with: symbol, name: name, members: members)
    var managed = ManagedClass(
      path: symbol.pathComponents, isPublic: symbol.isPublic, place: symbol.place)
    managed.readable = readable
    managed.members = declared.compactMap { member(of: $0, className: name, errors: &errors) }
    return managed
  }

  private func members(of symbol: SymbolGraph.Symbol) -> [SymbolGraph.Symbol] {
    let sources = Set(
      graph.relationships
        .filter { $0.kind == "memberOf" && $0.target == symbol.identifier.precise }.map(\.source))
    return graph.symbols.filter { sources.contains($0.identifier.precise) }
  }

  private func isInsidePrivate(_ symbol: SymbolGraph.Symbol) -> Bool {
    graph.symbols.contains { outer in
      outer.isPrivate && outer.pathComponents.count < symbol.pathComponents.count
        && symbol.pathComponents.starts(with: outer.pathComponents)
        && !["swift.property", "swift.method"].contains(outer.kind.identifier)
    }
  }

  private func problems(
    with symbol: SymbolGraph.Symbol, name: String, members: [SymbolGraph.Symbol]
  ) -> [String] {
    if symbol.swiftGenerics != nil {
      return [
        symbol.place.error("the class \(name) is generic; managed object classes cannot be")
      ]
    }
    let own = members.filter {
      $0.kind.identifier == "swift.init" && !$0.declaration.contains("convenience ")
    }
    let visible = own.filter { $0.pathComponents.last == Self.initializer && !$0.isPrivate }
    guard !own.isEmpty, visible.isEmpty else { return [] }
    return [
      symbol.place.error(
        "the class \(name) has no visible initializer \(Self.initializer), which makes its objects: "
          + "override it, or make the other initializers convenience ones")
    ]
  }

  private func member(
    of symbol: SymbolGraph.Symbol, className: String, errors: inout [String]
  ) -> ManagedClass.Member? {
    if let type = unresolvedType(in: symbol) {
      errors.append(
        symbol.place.error(
          "“\(type)”, the type of \(className).\(symbol.pathComponents.last ?? ""), is not found in this target, "
            + "Foundation or CoreData; @NSManaged declarations cannot use types of other modules"))
      return nil
    }
    guard let kind = kind(of: symbol) else {
      errors.append(
        symbol.place.error("“\(symbol.declaration)” is no form of @NSManaged that is known"))
      return nil
    }
    let name = symbol.pathComponents.last ?? ""
    return ManagedClass.Member(
      name: String(name.prefix { $0 != "(" }), kind: kind,
      symbol: "$s" + symbol.identifier.precise.dropFirst(2), isPublic: symbol.isPublic,
      place: symbol.place)
  }

  /// The type that the compiler did not find: the symbol has an error type in its place.
  private func unresolvedType(in symbol: SymbolGraph.Symbol) -> String? {
    let name = "$s" + symbol.identifier.precise.dropFirst(2)
    guard SymbolName.hasErrorType(String(name)) else { return nil }
    return DeclarationText.propertyType(symbol.declaration) ?? symbol.declaration
  }

  /// The visible instance properties that are not managed ones, those of superclasses in the target
  /// included.
  private func readableNames(
    of symbol: SymbolGraph.Symbol, members: [SymbolGraph.Symbol]
  ) -> [String] {
    let own = members.filter { member in
      member.kind.identifier == "swift.property" && !member.isPrivate && member.availability == nil
        && !["@NSManaged", "@MainActor", " async", " throws"].contains {
          member.declaration.contains($0)
        }
    }
    let inherited = superclass(of: symbol).map { parent in
      readableNames(
        of: parent, members: self.members(of: parent).filter { $0.place.file != generated })
    }
    return Set(own.compactMap(\.pathComponents.last) + (inherited ?? [])).sorted()
  }

  private func superclass(of symbol: SymbolGraph.Symbol) -> SymbolGraph.Symbol? {
    let parent = graph.relationships.first {
      $0.kind == "inheritsFrom" && $0.source == symbol.identifier.precise
    }?.target
    return graph.symbols.first { $0.identifier.precise == parent }
  }

  private func kind(of symbol: SymbolGraph.Symbol) -> ManagedClass.Member.Kind? {
    switch symbol.kind.identifier {
    case "swift.property":
      guard let type = DeclarationText.propertyType(symbol.declaration) else { return nil }
      return .property(type: type)
    case "swift.method":
      return .function(parameters: DeclarationText.parameters(symbol.declaration))
    default: return nil
    }
  }
}
