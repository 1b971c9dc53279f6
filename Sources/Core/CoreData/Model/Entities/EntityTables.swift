import Foundation

/// The properties of an entity, inherited ones included, by name and kind.
///
/// Made by `NSEntityDescription`; immutable, so that a frozen entity can share it between threads.
package struct EntityTables {
  package let properties: [NSPropertyDescription]
  package let propertiesByName: [String: NSPropertyDescription]
  package let attributesByName: [String: NSAttributeDescription]
  package let relationshipsByName: [String: NSRelationshipDescription]

  /// An own property replaces an inherited one of the same name.
  package init(inherited: [NSPropertyDescription], own: [NSPropertyDescription]) {
    let ownNames = Set(own.map(\.name))
    properties = inherited.filter { !ownNames.contains($0.name) } + own
    propertiesByName = Self.table(of: properties)
    attributesByName = Self.table(of: properties.compactMap { $0 as? NSAttributeDescription })
    relationshipsByName = Self.table(of: properties.compactMap { $0 as? NSRelationshipDescription })
  }

  private static func table<Property: NSPropertyDescription>(
    of properties: [Property]
  ) -> [String: Property] {
    Dictionary(properties.map { ($0.name, $0) }, uniquingKeysWith: { _, last in last })
  }
}
