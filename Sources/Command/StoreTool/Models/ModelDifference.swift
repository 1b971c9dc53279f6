import CoreData

/// The difference of two models.
package struct ModelDifference: Codable, Sendable {
  package let checksums: [String]
  package let entities: [StoreMigrationPlan.Entity]
  /// Differences without an effect on version hashes.
  package let unhashed: [String]

  package init(from source: NSManagedObjectModel, to destination: NSManagedObjectModel) {
    checksums = [source.versionChecksum, destination.versionChecksum]
    entities = destination.changes(from: source).filter {
      $0.change != .copied || !$0.properties.isEmpty
    }
    let name = ModelSource.Version(name: "", model: source, isCurrent: true)
    let other = ModelSource.Version(name: "", model: destination, isCurrent: true)
    unhashed = Self.unhashed(ModelReport(name), destination: ModelReport(other))
  }

  package var isEmpty: Bool { entities.isEmpty && unhashed.isEmpty && checksums[0] == checksums[1] }

  package var text: String {
    if isEmpty { return "The models are the same." }
    var lines = entities.flatMap(\.lines).map { CellText.visible($0) }
    lines += unhashed.map { "   ~ " + CellText.visible($0) }
    if checksums[0] == checksums[1] {
      lines.append("The version hashes are the same: stores of the one open with the other.")
    }
    return lines.joined(separator: "\n")
  }

  private static func unhashed(_ source: ModelReport, destination: ModelReport) -> [String] {
    destination.entities.flatMap { entity -> [String] in
      guard let old = source.entities.first(where: { $0.name == entity.name }) else { return [] }
      var lines: [String] = []
      func compare(_ what: String, _ old: String, _ new: String) {
        if old != new { lines.append("\(entity.name): \(what): \(old) → \(new)") }
      }
      compare("class", old.className, entity.className)
      compare(
        "indexes", old.indexes.sorted().joined(separator: "; "),
        entity.indexes.sorted().joined(separator: "; "))
      for attribute in entity.attributes {
        guard let former = old.attributes.first(where: { $0.name == attribute.name }) else {
          continue
        }
        compare(
          "default of \(attribute.name)", former.defaultValue ?? "none",
          attribute.defaultValue ?? "none")
      }
      for relationship in entity.relationships {
        guard let former = old.relationships.first(where: { $0.name == relationship.name }) else {
          continue
        }
        compare("delete rule of \(relationship.name)", former.deleteRule, relationship.deleteRule)
      }
      return lines
    }
  }
}
