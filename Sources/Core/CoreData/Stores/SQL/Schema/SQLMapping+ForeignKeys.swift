extension SQLMapping {
  /// The column on the members' side of a one-to-many relationship. Throws if the members are in
  /// another store.
  package func foreignKey(of relationship: NSRelationshipDescription) throws -> ColumnMapping {
    if let own = foreignKeys[ObjectIdentifier(relationship)] { return own }
    guard let inverse = relationship.storedInverse,
      let layout = relationship.destinationEntity?.layout,
      let slot = slot(of: inverse, in: layout), let column = slot
    else {
      throw CoreDataError.unsupported(
        "The to-many relationship “\(relationship.name)”, whose members are in another store,")
    }
    return column
  }

  /// The column of the inverse, which may be declared by a subentity of the destination.
  private func slot(
    of inverse: NSRelationshipDescription, in layout: EntityLayout
  ) -> ColumnMapping?? {
    let declaring = inverse.entity.layout
    let layout = layout.slot(of: inverse) == nil ? declaring : layout
    guard let index = layout.slot(of: inverse) else { return nil }
    return self[layout]?.columns[index]
  }
}
