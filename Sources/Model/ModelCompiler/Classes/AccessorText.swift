/// Writes the functions that `@NSManaged` leaves to the linker: one for each accessor, under the
/// accessor's own symbol.
struct AccessorText {
  let managedClass: ManagedClass

  /// The keys, and an extension with the functions. Appends to `errors` for functions of an unknown
  /// form.
  func text(errors: inout [String]) -> String {
    guard !managedClass.members.isEmpty else { return "" }
    var functions = ""
    for (number, member) in managedClass.members.enumerated() {
      functions += text(of: member, number: number, errors: &errors)
    }
    let names = Set(managedClass.members.compactMap(propertyName)).sorted()
    // Called on the class, so that no declaration of the target can shadow CoreData's function.
    let keys = names.map { name in
      "  static let \(SwiftName.escaped(name)) = "
        + "\(managedClass.name).managedProperty(\(SwiftName.literal(name)))\n"
    }
    return """

      private enum \(keysName) {
      \(keys.joined())}

      extension \(managedClass.name) {
      \(functions)}

      """
  }

  /// The imports that the text needs in addition to CoreData, which re-exports Foundation.
  static func imports(of classes: [ManagedClass]) -> String {
    let members = classes.flatMap(\.members)
    let exported = members.filter(\.isExported).reduce(into: Set()) { $0.formUnion($1.modules) }
    return members.reduce(into: Set()) { $0.formUnion($1.modules) }
      .subtracting(["Swift", "Foundation", "CoreData"]).sorted()
      .map { "\(exported.contains($0) ? "public " : "")import \($0)\n" }.joined()
  }

  /// The name of a function. It includes the class, so that a subclass's functions are no
  /// overrides.
  private func name(_ kind: String, number: Int) -> String {
    "managed\(kind)\(number)_\(managedClass.path.joined(separator: "_"))"
  }

  private var keysName: String { managedClass.path.joined(separator: "_") + "ManagedKeys" }

  private func key(_ name: String) -> String { "\(keysName).\(SwiftName.escaped(name))" }

  /// The attributes of a function. The declaration's visibility determines the linkage of the
  /// symbol, so the definition must have the same.
  private func attributes(of member: ManagedClass.Member, symbol: String) -> String {
    let isSeen = member.isExported && managedClass.isExported
    return "  @_silgen_name(\"\(symbol)\")\(isSeen ? " @usableFromInline" : "")\n"
  }

  private func text(
    of member: ManagedClass.Member, number: Int, errors: inout [String]
  ) -> String {
    switch member.kind {
    case .property(let type): return accessors(of: member, type: type, number: number)
    case .function(let parameters):
      guard let call = call(of: member, parameters) else {
        errors.append(
          member.place.error(
            "@NSManaged func \(member.name) is not an accessor of a to-many relationship that is known; the "
              + "article on the build plugin lists them"))
        return ""
      }
      let list = parameters.enumerated().map { "_ value\($0.offset): \($0.element.type)" }
      return attributes(of: member, symbol: member.symbol)
        + "  final func \(name("Function", number: number))(\(list.joined(separator: ", "))) { \(call) }\n"
    }
  }

  /// The accessors of a property. Its symbol ends in `vp`, the accessors' in `vg` and `vs`.
  private func accessors(
    of member: ManagedClass.Member, type: String, number: Int
  ) -> String {
    let stem = String(member.symbol.dropLast())
    let key = key(member.name)
    let isPrimitive = Self.isPrimitive(member.name)
    let read =
      isPrimitive
      ? "managedPrimitiveValue(\(key))"
      : Self.overloaded.contains(type)
        ? "managedValue(\(key))" : "managedValue(\(key), as: \(Self.metatype(type)))"
    let write =
      isPrimitive ? "setManagedPrimitiveValue(value, \(key))" : "setManagedValue(value, \(key))"
    return attributes(of: member, symbol: stem + "g")
      + "  final func \(name("Get", number: number))() -> \(type) { \(read) }\n"
      + attributes(of: member, symbol: stem + "s")
      + "  final func \(name("Set", number: number))(_ value: __owned \(type)) { \(write) }\n"
  }

  /// Types for which CoreData has a specific accessor.
  private static let overloaded: Set<String> = {
    let scalars = ["Int", "Int16", "Int32", "Int64", "Bool", "Double", "Float", "String"]
      .map { "Swift.\($0)" }
    let values = ["Swift.String", "Foundation.Date", "Foundation.Data"]
    let sets = ["NSSet", "NSOrderedSet"].map { "Foundation.\($0)" }
    return Set(
      scalars + ["Foundation.Date"] + values.map { "Swift.Optional<\($0)>" } + sets
        + sets.map { "Swift.Optional<\($0)>" })
  }()

  private static func metatype(_ type: String) -> String {
    type.contains(" ") ? "(\(type)).self" : "\(type).self"
  }

  /// Returns true if the name has the form of a primitive accessor, as `primitiveDate` for `date`.
  /// The model decides whether it is one: an attribute may have such a name.
  private static func isPrimitive(_ name: String) -> Bool {
    name.hasPrefix("primitive") && name.dropFirst("primitive".count).first?.isUppercase == true
  }

  private func propertyName(_ member: ManagedClass.Member) -> String? {
    switch member.kind {
    case .property: member.name
    case .function(let parameters): relationship(of: member.name, parameters)?.name
    }
  }

  /// The relationship that a function changes: the likeliest meaning whose property the class
  /// declares. If it declares none, the likeliest meaning, with the name as Apple's key-value
  /// coding forms it.
  private func relationship(
    of function: String, _ parameters: [ManagedClass.Member.Parameter]
  ) -> (action: RelationshipFunction.Action, name: String)? {
    let meanings = RelationshipFunction.meanings(of: function, labels: parameters.map(\.label))
    for meaning in meanings {
      if let name = declaredName(meaning.capitalizedName) { return (meaning.action, name) }
    }
    return meanings.first.map { ($0.action, Self.uncapitalized($0.capitalizedName)) }
  }

  private func declaredName(_ capitalized: String) -> String? {
    managedClass.members.first { member in
      guard case .property = member.kind else { return false }
      return SwiftName.capitalized(member.name) == capitalized
    }?.name
  }

  /// The name with a lowercase first letter; names such as `URLs` keep theirs.
  private static func uncapitalized(_ name: String) -> String {
    name.dropFirst().first?.isUppercase == true ? name : SwiftName.uncapitalized(name)
  }

  private func call(
    of member: ManagedClass.Member, _ parameters: [ManagedClass.Member.Parameter]
  ) -> String? {
    guard let (action, name) = relationship(of: member.name, parameters) else { return nil }
    let key = key(name)
    switch action {
    case .add: return "managedAdd(value0, to: \(key))"
    case .remove: return "managedRemove(value0, from: \(key))"
    case .removeAt: return "managedRemove(from: \(key), at: value0)"
    case .insertAt: return "managedInsert(value0, into: \(key), at: value1)"
    case .replaceAt: return "managedReplace(\(key), at: value0, with: value1)"
    }
  }
}
