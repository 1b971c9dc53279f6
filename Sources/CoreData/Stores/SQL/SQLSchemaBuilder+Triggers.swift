extension SQLSchemaBuilder {
  /// The triggers that keep derived attributes.
  func triggers(of table: SQLSchema.Table, members: [Entity]) throws -> [String] {
    for entity in members {
      for attribute in entity.attributes where attribute is NSDerivedAttributeDescription {
        throw unsupported("The derived attribute “\(attribute.name)”", of: entity)
      }
    }
    return []
  }
}
