import ModelDocuments

/// The functions that change a to-many relationship.
struct ToManyText {
  let code: EntityCode
  let property: ModelProperty
  let key: String

  private var name: String { SwiftName.capitalized(property.name) }
  private var isOrdered: Bool { property.relationship?.isOrdered == true }
  private var isIdiomatic: Bool { code.options.flavour == .idiomatic }
  private var member: String { code.names.name(ofEntity: property.relationship?.destination) }

  private var members: String {
    isIdiomatic ? "some Sequence<\(member)>" : isOrdered ? "NSOrderedSet" : "NSSet"
  }

  private var indexes: String { isIdiomatic ? "IndexSet" : "NSIndexSet" }

  var text: String {
    let functions = (isOrdered ? ordered : []) + unordered
    let lines = functions.map { head, body in
      "  \(code.options.modifier)func \(head) {\n    \(body)\n  }\n"
    }
    return """

      // MARK: Generated accessors for \(property.name)
      extension \(code.className) {
      \(lines.joined(separator: "\n"))}

      """
  }

  private var unordered: [(head: String, body: String)] {
    [
      ("addTo\(name)(_ value: \(member))", "managedAdd(value, to: \(key))"),
      ("removeFrom\(name)(_ value: \(member))", "managedRemove(value, from: \(key))"),
      ("addTo\(name)(_ values: \(members))", "managedAdd(values, to: \(key))"),
      ("removeFrom\(name)(_ values: \(members))", "managedRemove(values, from: \(key))"),
    ]
  }

  private var ordered: [(head: String, body: String)] {
    [
      (
        "insertInto\(name)(_ value: \(member), at idx: Int)",
        "managedInsert(value, into: \(key), at: idx)"
      ),
      ("removeFrom\(name)(at idx: Int)", "managedRemove(from: \(key), at: idx)"),
      (
        "insertInto\(name)(_ values: [\(member)], at indexes: \(indexes))",
        "managedInsert(values, into: \(key), at: indexes)"
      ),
      ("removeFrom\(name)(at indexes: \(indexes))", "managedRemove(from: \(key), at: indexes)"),
      (
        "replace\(name)(at idx: Int, with value: \(member))",
        "managedReplace(\(key), at: idx, with: value)"
      ),
      (
        "replace\(name)(at indexes: \(indexes), with values: [\(member)])",
        "managedReplace(\(key), at: indexes, with: values)"
      ),
    ]
  }
}
