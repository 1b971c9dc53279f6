extension MigrationInSQL {
  /// Gives the members of a newly ordered relationship positions in the order of their keys: 2048,
  /// 3072, …
  package func numberPositions() throws {
    var done: Set<String> = []
    for entity in entities where entity.old != nil {
      let table = dialect.quoted(entity.new.table)
      for column in entity.new.columns.compactMap({ $0 }) + owned(by: entity) {
        guard let order = column.orderColumn,
          done.insert("\(table) \(order)").inserted
        else { continue }
        try number(dialect.quoted(order), of: dialect.quoted(column.name), in: table)
      }
    }
  }

  /// The columns of relationships without an inverse in the members' table.
  private func owned(by entity: EntityMigration) -> [ColumnMapping] {
    new.allEntities.flatMap { owner in
      owner.layout.toMany.compactMap { relationship in
        guard let column = new.foreignKeys[ObjectIdentifier(relationship)],
          let members = relationship.destinationEntity.flatMap({ new[$0.layout] }),
          members.table == entity.new.table
        else { return nil }
        return column
      }
    }
  }

  private func number(_ order: String, of column: String, in table: String) throws {
    let isMissing = try finds(
      "SELECT 1 FROM \(raw: table) WHERE \(raw: column) IS NOT NULL AND \(raw: order) IS NULL LIMIT 1"
    )
    guard isMissing else { return }
    try execute(
      """
      UPDATE \(raw: table) SET \(raw: order) = n.position FROM (SELECT \(raw: key), \
      1024 + 1024 * row_number() OVER (PARTITION BY \(raw: column) \
      ORDER BY \(raw: order) NULLS LAST, \(raw: key)) AS position FROM \(raw: table) \
      WHERE \(raw: column) IS NOT NULL) n WHERE n.\(raw: key) = \(raw: table).\(raw: key)
      """)
  }
}
