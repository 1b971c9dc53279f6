import Foundation

extension NSEntityDescription {
  /// The properties by name, inherited ones included.
  public final var propertiesByName: [String: NSPropertyDescription] { tables.propertiesByName }

  /// The attributes by name, inherited ones included.
  public final var attributesByName: [String: NSAttributeDescription] { tables.attributesByName }

  /// The relationships by name, inherited ones included.
  public final var relationshipsByName: [String: NSRelationshipDescription] {
    tables.relationshipsByName
  }

  /// The relationships whose destination is the given entity.
  public final func relationships(
    forDestination entity: NSEntityDescription
  ) -> [NSRelationshipDescription] {
    properties.compactMap { $0 as? NSRelationshipDescription }
      .filter { $0.destinationEntity.map { $0 === entity || $0.isEqual(entity) } ?? false }
  }
}

extension NSEntityDescription: Sequence {
  /// Iterates over the properties, as fast enumeration does on Apple's platforms.
  public final func makeIterator() -> IndexingIterator<[Any]> {
    let elements: [Any] = properties
    return elements.makeIterator()
  }
}
