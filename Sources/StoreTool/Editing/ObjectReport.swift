import CoreData

/// One object with all its values, members of relationships included.
package struct ObjectReport: Codable, Sendable {
  package let object: String
  /// The texts of values; nil without a value. Members of to-many relationships are separated by
  /// commas.
  package let values: [String: String?]

  package init(_ object: NSManagedObject) {
    self.object = CellText.name(of: object.objectID)
    var values: [String: String?] = [:]
    for property in object.entity.properties where !(property is NSFetchedPropertyDescription) {
      values[property.name] = .some(Self.text(object, property))
    }
    self.values = values
  }

  /// The report of an object by its name, `Entity/p7`.
  package static func of(_ name: String, in store: OpenedStore) throws -> ObjectReport {
    try store.withContext { ObjectReport(try store.object(name, in: $0)) }
  }

  static func text(_ object: NSManagedObject, _ property: NSPropertyDescription) -> String? {
    guard let relationship = property as? NSRelationshipDescription else {
      return object.value(forKey: property.name).map(CellText.text)
    }
    guard relationship.isToMany else {
      return (object.value(forKey: property.name) as? NSManagedObject).map(ObjectLabel.name)
    }
    if relationship.isOrdered {
      return object.mutableOrderedSetValue(forKey: property.name).array
        .compactMap { ($0 as? NSManagedObject).map(ObjectLabel.name) }.joined(separator: ",")
    }
    return object.mutableSetValue(forKey: property.name).allObjects
      .compactMap { ($0 as? NSManagedObject).map(ObjectLabel.name) }
      .sorted { $0.localizedStandardCompare($1) == .orderedAscending }.joined(separator: ",")
  }

  package func text(_ terminal: Terminal = .standardOutput) -> String {
    let width = values.keys.map(\.count).max() ?? 0
    let lines = values.sorted { $0.key < $1.key }.map { key, value in
      let shown = value.map { CellText.visible($0) } ?? terminal.styled("nil", .faint)
      return "  \(key.padding(toLength: width, withPad: " ", startingAt: 0))  \(shown)"
    }
    return ([terminal.styled(object, .bold)] + lines).joined(separator: "\n")
  }
}
