import Foundation

/// The source of the values of one column of a new table, for the rows of one entity.
package enum ColumnSource: Equatable {
  /// A column of the old table, unchanged.
  case column(String)
  /// A column of the old table, with a value in place of nil.
  case filled(String, with: SQLFragment)
  /// One value for all rows, or nil.
  case constant(SQLFragment?)
  /// An expression over the columns of the old table.
  case expression(SQLFragment)

  package func fragment(_ dialect: SQLDialect) -> SQLFragment {
    switch self {
    case .column(let name): SQLFragment(text: dialect.quoted(name))
    case .filled(let name, let value):
      "\(raw: dialect.words.ifMissing)(\(raw: dialect.quoted(name)), \(value))"
    case .constant(let value): value ?? "NULL"
    case .expression(let sql): sql
    }
  }

  package static func == (left: ColumnSource, right: ColumnSource) -> Bool {
    switch (left, right) {
    case (.column(let left), .column(let right)): left == right
    case (.filled(let left, let one), .filled(let right, let other)):
      left == right && one.key == other.key
    case (.constant(nil), .constant(nil)): true
    case (.constant(let left?), .constant(let right?)): left.key == right.key
    case (.expression(let left), .expression(let right)): left.key == right.key
    default: false
    }
  }
}

extension SQLFragment {
  /// The text and values of the expression, for comparing expressions.
  fileprivate var key: [String] {
    let (sql, values) = rendered(.sqlite)
    return [sql] + values.map(\.key)
  }
}

extension SQLValue {
  /// Type and content of the value, for comparing values.
  var key: String {
    switch self {
    case .integer(let value): "i\(value)"
    case .real(let value): "r\(value)"
    case .text(let value): "t\(value)"
    case .written(let value, let type): "w\(type) \(value)"
    case .bytes(let value): "b\(value)"
    case .data(let value): "d\(value.base64EncodedString())"
    }
  }
}

extension MigrationInSQL {
  /// The sources of a table's columns by name, for the rows of one of its entities. Leaves out
  /// columns that the entity does not have.
  package func sources(of entity: EntityMigration) throws -> [String: ColumnSource] {
    var sources: [String: ColumnSource] = [:]
    for (slot, column) in zip(entity.new.layout.slots, entity.new.columns) {
      guard let column else { continue }
      if let relationship = slot.property as? NSRelationshipDescription {
        sources.merge(self.sources(of: relationship, column, entity: entity)) { first, _ in first }
      } else {
        sources[column.name] = try source(of: slot, column, entity: entity)
      }
    }
    for (name, value) in try filledElements(of: entity, sources) {
      sources[name] = .expression(value)
    }
    for (relationship, column) in ownedColumns(of: entity) {
      sources.merge(self.sources(ofMembersOf: relationship, column, entity: entity)) { first, _ in
        first
      }
    }
    return sources
  }

  // MARK: - Attributes

  private func source(
    of slot: EntityLayout.Slot, _ column: ColumnMapping, entity: EntityMigration
  ) throws -> ColumnSource {
    guard let old = entity.oldSlot(slot) else {
      // A new property has no old value. Derived values are computed when all rows exist.
      let isEmpty = column.isDerived || joinsValue(slot, entity: entity)
      return .constant(isEmpty ? nil : try defaultValue(of: slot, column))
    }
    let name = old.column.name
    if let change = TypeChange(from: old.slot, to: slot),
      let value = converted(SQLFragment(text: dialect.quoted(name)), by: change)
    {
      guard !slot.property.isOptional, slot.composite == nil, !column.isDerived,
        let filling = try filling(slot, column: column, old: old.slot)
      else { return .expression(value) }
      return .expression("\(raw: dialect.words.ifMissing)(\(value), \(filling))")
    }
    switch (isMarked(old.slot), isMarked(slot)) {
    case (false, true):
      let quoted = dialect.quoted(name)
      return .expression(
        "CASE WHEN \(raw: quoted) IS NULL THEN NULL ELSE CAST(x'01' || \(raw: quoted) AS BLOB) END")
    // Values in external files have been moved into the rows before.
    case (true, false): return .expression("substr(\(raw: dialect.quoted(name)), 2)")
    default: break
    }
    if !slot.property.isOptional, slot.composite == nil, !column.isDerived,
      let value = try filling(slot, column: column, old: old.slot)
    {
      return .filled(name, with: value)
    }
    return .column(name)
  }

  private func joinsValue(_ slot: EntityLayout.Slot, entity: EntityMigration) -> Bool {
    guard slot.composite != nil, let index = entity.new.layout.slot(of: slot.name) else {
      return false
    }
    return CompositeDemands(entity: entity).joinsValue(index)
  }

  /// The columns of elements of composite attributes that get their defaults because the new model
  /// requires a value.
  private func filledElements(
    of entity: EntityMigration, _ sources: [String: ColumnSource]
  ) throws -> [String: SQLFragment] {
    let layout = entity.new.layout
    guard entity.old != nil, !layout.composites.isEmpty else { return [:] }
    var columns: [Int: ColumnMapping] = [:]
    for (slot, column) in entity.new.columns.enumerated() where layout.slots[slot].composite != nil
    {
      columns[slot] = column
    }
    let values = columns.compactMapValues { sources[$0.name]?.fragment(dialect) }
    let filled = try CompositeDemands(entity: entity).filled(
      values,
      standard: { slot in
        try columns[slot].flatMap { try defaultValue(of: layout.slots[slot], $0) }
      },
      literal: { slot, value in
        try columns[slot].flatMap {
          try defaultValue(of: layout.slots[slot].with(defaultValue: value), $0)
        }
      })
    return Dictionary(
      filled.compactMap { slot, value in columns[slot].map { ($0.name, value) } },
      uniquingKeysWith: { first, _ in first })
  }

  /// The value that replaces nil. Writing a default of an unknown class fails; that error is
  /// ignored if the attribute was mandatory before, since then there is no nil.
  private func filling(
    _ slot: EntityLayout.Slot, column: ColumnMapping, old: EntityLayout.Slot
  ) throws -> SQLFragment? {
    if old.property.isOptional { return try defaultValue(of: slot, column) }
    return try? defaultValue(of: slot, column)
  }

  // MARK: - To-one relationships

  /// The old storage of a relationship; nil for a new one. A new relationship that is the inverse
  /// of an old one is filled from the old one.
  package func oldStorage(
    of relationship: NSRelationshipDescription, in entity: EntityMigration
  ) -> RelationshipStorage? {
    if let source = entity.properties[relationship.name] as? NSRelationshipDescription {
      return RelationshipStorage(source, in: old)
    }
    guard let inverse = relationship.inverseRelationship,
      let other = entities.first(where: { $0.new.layout.entity === inverse.entity }),
      let source = other.properties[inverse.name] as? NSRelationshipDescription
    else { return nil }
    return RelationshipStorage(source, in: old)?.reversed
  }

  private func sources(
    of relationship: NSRelationshipDescription, _ column: ColumnMapping,
    entity: EntityMigration
  ) -> [String: ColumnSource] {
    sources(
      oldStorage(of: relationship, in: entity), column: column, entity: entity,
      to: relationship.destinationEntity)
  }

  /// The columns of relationships without an inverse whose members are objects of the entity.
  private func ownedColumns(
    of entity: EntityMigration
  ) -> [(NSRelationshipDescription, ColumnMapping)] {
    entities.flatMap { owner in
      owner.new.layout.toMany.filter { $0.entity === owner.new.layout.entity }
    }.compactMap { relationship in
      guard let column = new.foreignKeys[ObjectIdentifier(relationship)],
        let destination = relationship.destinationEntity,
        entity.new.layout.entity.isKindOf(entity: destination)
      else { return nil }
      return (relationship, column)
    }
  }

  private func sources(
    ofMembersOf relationship: NSRelationshipDescription, _ column: ColumnMapping,
    entity: EntityMigration
  ) -> [String: ColumnSource] {
    guard
      let owner = entities.first(where: { $0.new.layout.entity === relationship.entity })
    else { return [:] }
    return sources(
      oldStorage(of: relationship, in: owner)?.reversed, column: column, entity: entity,
      to: relationship.entity)
  }

  /// The sources of a column that refers to an object, and of its companion columns (order, entity
  /// number). `storage` is seen from the objects that have the column.
  private func sources(
    _ storage: RelationshipStorage?, column: ColumnMapping, entity: EntityMigration,
    to destination: NSEntityDescription?
  ) -> [String: ColumnSource] {
    var sources: [String: ColumnSource] = [column.name: .constant(nil)]
    if let name = column.orderColumn { sources[name] = .constant(nil) }
    if let name = column.entityColumn { sources[name] = .constant(nil) }
    guard let storage, let table = entity.old?.table else { return sources }
    let key: String
    switch storage {
    case .column(let old, table, ofOwners: true):
      sources[column.name] = .column(old.name)
      if let name = column.orderColumn {
        sources[name] = old.orderColumn.map { .column($0) } ?? .constant(nil)
      }
      // Qualified by the table, because the subquery for the entity number may read the same table.
      key = "\(currentName(table)).\(dialect.quoted(old.name))"
      if let name = column.entityColumn, let entityColumn = old.entityColumn {
        sources[name] = renumbered(entityColumn)
        return sources
      }
    case .column(let old, let other, ofOwners: false):
      // The other side has the column: the first row that refers to this one.
      key =
        "(SELECT o.\(self.key) FROM \(currentName(other)) o WHERE o.\(dialect.quoted(old.name)) = "
        + "\(currentName(table)).\(self.key) ORDER BY o.\(self.key) LIMIT 1)"
      sources[column.name] = .expression(SQLFragment(text: key))
    case .column: return sources
    case .join(let join):
      key =
        "(SELECT \(dialect.quoted(join.memberColumn)) FROM \(currentName(join.table)) WHERE "
        + "\(dialect.quoted(join.ownerColumn)) = \(currentName(table)).\(self.key) LIMIT 1)"
      sources[column.name] = .expression(SQLFragment(text: key))
    }
    if let name = column.entityColumn, let destination {
      sources[name] = entityNumber(of: key, destination)
    }
    return sources
  }

  private func renumbered(_ column: String) -> ColumnSource {
    let changed = entityNumbers.filter { $0.key != $0.value }
    if changed.isEmpty { return .column(column) }
    return .expression(
      SQLFragment(text: Self.renumbering(dialect.quoted(column), numbers: changed)))
  }

  static func renumbering(_ value: String, numbers: [Int: Int]) -> String {
    if numbers.isEmpty { return value }
    let cases = numbers.sorted { $0.key < $1.key }.map { "WHEN \($0.key) THEN \($0.value)" }
    return "CASE \(value) \(cases.joined(separator: " ")) ELSE \(value) END"
  }

  /// The new entity number of the object with a key, looked up in its old table.
  private func entityNumber(of key: String, _ destination: NSEntityDescription) -> ColumnSource {
    let tables = Set(
      entities.filter { $0.new.layout.entity.isKindOf(entity: destination) }
        .compactMap { $0.old?.table })
    guard let table = tables.first, tables.count == 1 else { return .constant(nil) }
    let number = Self.renumbering(
      "t.\(entityColumn)", numbers: entityNumbers.filter { $0.key != $0.value })
    return .expression(
      "(SELECT \(raw: number) FROM \(raw: currentName(table)) t WHERE t.\(raw: self.key) = \(raw: key))"
    )
  }
}
