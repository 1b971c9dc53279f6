/// Defines what `@NSManaged` leaves to the linker: a function for each accessor, under the
/// accessor's own symbol.
struct AccessorText {
  let managedClass: ManagedClass

  /// The keys, then the extension with the functions; throws what has a form that is not known.
  func text(errors: inout [String]) -> String {
    guard !managedClass.members.isEmpty else { return "" }
    var functions = ""
    for (number, member) in managedClass.members.enumerated() {
      functions += text(of: member, number: number, errors: &errors)
    }
    let names = Set(managedClass.members.compactMap(propertyName)).sorted()
    let keys = names.map { name in
      "  static let \(SwiftName.escaped(name)) = ManagedProperty(\(SwiftName.literal(name)))\n"
    }
    return """

      private enum \(keysName) {
      \(keys.joined())}

      extension \(managedClass.name) {
      \(functions)}

      """
  }

  private var keysName: String { managedClass.path.joined(separator: "_") + "ManagedKeys" }

  private func key(_ name: String) -> String { "\(keysName).\(SwiftName.escaped(name))" }

  /// The declaration's visibility decides how the linker sees the symbol, and so must the
  /// definition's.
  private func attributes(of member: ManagedClass.Member, symbol: String) -> String {
    let isSeen = member.isPublic && managedClass.isPublic
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
            "@NSManaged func \(member.name) is not an accessor of a to-many relationship that is known"
          ))
        return ""
      }
      let list = parameters.enumerated().map { "_ value\($0.offset): \($0.element.type)" }
      return attributes(of: member, symbol: member.symbol)
        + "  final func managedFunction\(number)(\(list.joined(separator: ", "))) { \(call) }\n"
    }
  }

  /// The symbol of a property ends in `vp`, those of its accessors in `vg` and `vs`.
  private func accessors(
    of member: ManagedClass.Member, type: String, number: Int
  ) -> String {
    let stem = String(member.symbol.dropLast())
    let (read, write) = bodies(of: member, type: type)
    return attributes(of: member, symbol: stem + "g")
      + "  final func managedGet\(number)() -> \(type) { \(read) }\n"
      + attributes(of: member, symbol: stem + "s")
      + "  final func managedSet\(number)(_ value: __owned \(type)) { \(write) }\n"
  }

  private func bodies(of member: ManagedClass.Member, type: String) -> (String, String) {
    if let name = primitiveName(member.name) {
      let literal = SwiftName.literal(name)
      let read = Self.cast("primitiveValue(forKey: \(literal))", to: type)
      return (read, "setPrimitiveValue(value, forKey: \(literal))")
    }
    return ("managedValue(\(key(member.name)))", "setManagedValue(value, \(key(member.name)))")
  }

  private static let scalars: Set = [
    "Int", "Int16", "Int32", "Int64", "Double", "Float", "TimeInterval",
  ]

  /// Nil reads as 0 where the type has no nil, as it does on Apple's platforms.
  private static func cast(_ value: String, to type: String) -> String {
    if type.hasSuffix("?") { return "\(value) as? \(type.dropLast())" }
    if scalars.contains(type) { return "(\(value) as? \(type)) ?? 0" }
    return type == "Bool" ? "(\(value) as? Bool) ?? false" : "\(value) as! \(type)"
  }

  /// `primitiveDate` is the stored value of `date`, unless the class has no such property.
  private func primitiveName(_ name: String) -> String? {
    let prefix = "primitive"
    guard name.hasPrefix(prefix), name.dropFirst(prefix.count).first?.isUppercase == true else {
      return nil
    }
    return SwiftName.uncapitalized(String(name.dropFirst(prefix.count)))
  }

  private func propertyName(_ member: ManagedClass.Member) -> String? {
    switch member.kind {
    case .property: primitiveName(member.name) == nil ? member.name : nil
    case .function: relationshipName(member.name)?.name
    }
  }

  private enum Verb: String, CaseIterable {
    case add = "addTo"
    case remove = "removeFrom"
    case insert = "insertInto"
    case replace = "replace"
  }

  /// The relationship that a function's name ends with, as the class declares it or in lower case.
  private func relationshipName(_ function: String) -> (verb: Verb, name: String)? {
    for verb in Verb.allCases where function.hasPrefix(verb.rawValue) {
      let rest = String(function.dropFirst(verb.rawValue.count))
      guard !rest.isEmpty else { continue }
      let declared = managedClass.members.first { member in
        if case .property = member.kind {
          SwiftName.capitalized(member.name) == rest
        } else {
          false
        }
      }
      return (verb, declared?.name ?? SwiftName.uncapitalized(rest))
    }
    return nil
  }

  private func call(
    of member: ManagedClass.Member, _ parameters: [ManagedClass.Member.Parameter]
  ) -> String? {
    guard let (verb, name) = relationshipName(member.name) else { return nil }
    let key = key(name)
    switch (verb, parameters.map(\.label)) {
    case (.add, ["_"]): return "managedAdd(\(argument(parameters[0])), to: \(key))"
    case (.remove, ["_"]): return "managedRemove(\(argument(parameters[0])), from: \(key))"
    case (.remove, ["at"]): return "managedRemove(from: \(key), at: value0)"
    case (.insert, ["_", "at"]): return "managedInsert(value0, into: \(key), at: value1)"
    case (.replace, ["at", "with"]): return "managedReplace(\(key), at: value0, with: value1)"
    default: return nil
    }
  }

  /// A Swift set, which clients write in place of `NSSet`, goes over as one.
  private func argument(_ parameter: ManagedClass.Member.Parameter) -> String {
    parameter.type.hasPrefix("Set<") ? "NSSet(set: value0)" : "value0"
  }
}
