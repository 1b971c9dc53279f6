import CoreData

/// The difference of the objects of two stores, by entity and key.
package struct StoreDifference: Codable, Sendable {
  package struct Change: Codable, Sendable {
    package let object: String
    /// The values in the first and in the second store, by property.
    package let values: [String: [String?]]
  }

  package private(set) var onlyInFirst: [String] = []
  package private(set) var onlyInSecond: [String] = []
  package private(set) var changed: [Change] = []

  package var isEmpty: Bool { onlyInFirst.isEmpty && onlyInSecond.isEmpty && changed.isEmpty }

  package init(_ first: OpenedStore, _ second: OpenedStore) throws {
    let (one, other) = (ObjectPages(store: first), ObjectPages(store: second))
    let names = Set((one.entities + other.entities).compactMap(\.name)).sorted()
    for name in names {
      var objects: [String: ExchangedObject] = [:]
      if let entity = one.entities.first(where: { $0.name == name }) {
        try one.forEach(of: entity) { objects[$0.id] = $0 }
      }
      if let entity = other.entities.first(where: { $0.name == name }) {
        try other.forEach(of: entity) { object in
          guard let former = objects.removeValue(forKey: object.id) else {
            return onlyInSecond.append(object.id)
          }
          let values = Self.values(former, object)
          if !values.isEmpty { changed.append(Change(object: object.id, values: values)) }
        }
      }
      onlyInFirst += objects.keys.sorted { $0.localizedStandardCompare($1) == .orderedAscending }
    }
  }

  private static func values(_ one: ExchangedObject, _ other: ExchangedObject) -> [String:
    [String?]]
  {
    var values: [String: [String?]] = [:]
    for key in Set(one.attributes.keys).union(other.attributes.keys)
    where one.attributes[key] != other.attributes[key] {
      values[key] = [one.attributes[key], other.attributes[key]]
    }
    for key in Set(one.relationships.keys).union(other.relationships.keys)
    where one.relationships[key] != other.relationships[key] {
      values[key] = [
        one.relationships[key]?.joined(separator: ","),
        other.relationships[key]?.joined(separator: ","),
      ]
    }
    return values
  }

  package func text(_ terminal: Terminal = .standardOutput) -> String {
    if isEmpty { return "The stores have the same objects." }
    var lines =
      onlyInFirst.map { terminal.styled("− \($0)", style: .red) }
      + onlyInSecond.map { terminal.styled("+ \($0)", style: .green) }
    for change in changed {
      lines.append("~ \(change.object)")
      lines += change.values.sorted { $0.key < $1.key }.map { key, values in
        "    \(key): \(CellText.visible(values[0] ?? "nil")) → \(CellText.visible(values[1] ?? "nil"))"
      }
    }
    return lines.joined(separator: "\n")
  }
}
