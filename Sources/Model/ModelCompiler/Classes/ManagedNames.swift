/// Names that matter to a target's managed object classes.
///
/// Simple names are collected, whatever their scope. Too many do no harm: the compiler resolves
/// inheritance and types.
struct ManagedNames {
  /// Classes that may inherit from one whose subclasses are found by name, and aliases of such
  /// classes.
  private(set) var classes: Set<String> = [
    "NSManagedObject", "NSEntityMigrationPolicy", "ValueTransformer",
    "NSSecureUnarchiveFromDataTransformer",
  ]
  /// Types in `@NSManaged` declarations, and the types behind aliases among them.
  private(set) var types: Set<String> = []

  init(files: [SourceFile]) {
    var all: [Declaration] = []
    func collect(_ declarations: [Declaration]) {
      for declaration in declarations {
        all.append(declaration)
        collect(declaration.members)
      }
    }
    for file in files { collect(file.declarations) }
    findClasses(all)
    findTypes(all)
  }

  private mutating func findClasses(_ all: [Declaration]) {
    let heirs = all.filter { $0.kind == .alias || ($0.isClass && !$0.inherited.isEmpty) }
      .map { ($0.name, Self.parents(of: $0)) }
    var count = 0
    while count != classes.count {
      count = classes.count
      for (name, parents) in heirs where !classes.isDisjoint(with: parents) { classes.insert(name) }
    }
  }

  /// The names of the parents; for nested types the last component, since enclosing types are no
  /// ancestors.
  private static func parents(of declaration: Declaration) -> [String] {
    let heritage = declaration.kind == .alias ? [declaration.aliased] : declaration.inherited
    return heritage.flatMap { type in
      type.prefix { $0 != "<" }.split { !($0.isLetter || $0.isNumber || "_.".contains($0)) }
        .compactMap { $0.split(separator: ".").last.map(String.init) }
    }
  }

  private mutating func findTypes(_ all: [Declaration]) {
    var waiting = all.filter(\.isManaged).flatMap { Declaration.names(in: $0.detail) } + classes
    let aliases = Dictionary(grouping: all.filter { $0.kind == .alias }, by: \.name)
    var extensions = all.filter { $0.kind == .typeExtension }
    while !waiting.isEmpty {
      while let name = waiting.popLast() {
        guard types.insert(name).inserted else { continue }
        for alias in aliases[name] ?? [] { waiting += Declaration.names(in: alias.detail) }
      }
      // Types extended with one of these matter as well.
      let kept = extensions.filter(holdsSomething)
      extensions.removeAll(where: holdsSomething)
      waiting = kept.flatMap { Declaration.names(in: $0.name) }
    }
  }

  private func holdsSomething(_ declaration: Declaration) -> Bool {
    declaration.members.contains { member in
      switch member.kind {
      case .managedProperty, .managedFunction: true
      case .alias: types.contains(member.name)
      case .type: types.contains(member.name) || holdsSomething(member)
      default: false
      }
    }
  }

  /// The inherited types of a class that may lead to NSManagedObject.
  func managedParents(of declaration: Declaration) -> [String] {
    declaration.inherited.filter { !classes.isDisjoint(with: Declaration.names(ofType: $0)) }
  }
}
