import CoreData

/// Derives the schema from a model.
struct SchemaBuilder {
  /// Identifies an attribute, an element of a composite attribute, or a relationship. Subentities
  /// share the key.
  private struct ColumnKey: Hashable {
    let property: ObjectIdentifier
    let path: String

    init(_ slot: EntityLayout.Slot, of layout: EntityLayout) {
      let outermost = slot.composite.map { layout.composites[$0].attribute }
      property = ObjectIdentifier(outermost ?? slot.property)
      path = slot.name
    }
  }

  /// Sorted by number.
  private let layouts: [EntityLayout]
  /// The store's entity numbers, by the layouts' numbers.
  private let numbers: [Int: Int]
  private var columns: [ColumnKey: (mapping: ColumnMapping, type: ColumnType)] = [:]
  private var foreignKeys: [ObjectIdentifier: ColumnMapping] = [:]
  private var joins: [ObjectIdentifier: JoinMapping] = [:]
  private var joinTables: [StoreSchema.JoinTable] = []
  private var tableNames: [Int: String] = [:]

  /// - Parameter numbers: the store's entity numbers by ``EntityLayout/number``; entities without
  ///   one are left out.
  init(layouts: [EntityLayout], numbers: [Int: Int]) {
    self.layouts = layouts.filter { numbers[$0.number] != nil }.sorted { $0.number < $1.number }
    self.numbers = numbers
  }

  mutating func build() throws -> StoreSchema {
    var names = UniqueNames.ofRelations
    let roots = layouts.filter { $0.number == $0.rootNumber }
    let entityNames = roots.map { $0.entity.name ?? "" }
    for (root, name) in zip(roots, entityNames) {
      tableNames[root.number] = names.take(table: name, besides: entityNames)
    }
    let sequences = roots.map { names.take(sequenceOf: tableName($0)) }
    let lists = try roots.map { try addColumns($0) }
    for layout in layouts { addJoins(of: layout, &names, besides: entityNames) }
    let mapping = mapping()
    let derived = try derived(mapping)
    let tables = try zip(zip(roots, sequences), lists).map { names, columns in
      let (root, sequence) = names
      let ofDerived = derived.filter { $0.owner.layout.rootNumber == root.number }
      return StoreSchema.Table(
        name: tableName(root), sequence: sequence, root: root, columns: columns,
        indexes: try indexes(of: root) + ofDerived.compactMap(\.index))
    }
    return StoreSchema(
      mapping: mapping, tables: tables, joinTables: joinTables,
      types: Dictionary(uniqueKeysWithValues: layouts.map { ($0.number, types(of: $0)) }),
      derived: derived)
  }

  private func tableName(_ layout: EntityLayout) -> String {
    tableNames[layout.rootNumber] ?? ""
  }

  private func tree(of root: EntityLayout) -> [EntityLayout] {
    layouts.filter { $0.rootNumber == root.number }
  }

  // MARK: - Columns

  private mutating func addColumns(
    _ root: EntityLayout
  ) throws -> [StoreSchema.Column] {
    var names = UniqueNames.ofColumns(
      besides: [SchemaNames.key, SchemaNames.version, SchemaNames.entity])
    var list: [StoreSchema.Column] = []
    for layout in tree(of: root) {
      for slot in layout.slots where slot.isStored {
        let key = ColumnKey(slot, of: layout)
        if columns[key] != nil { continue }
        columns[key] = try makeColumn(slot, layout: layout, names: &names, list: &list)
      }
    }
    for (owner, relationship) in onesided(to: root) {
      addForeignKey(of: relationship, owner, names: &names, list: &list)
    }
    return list
  }

  private func makeColumn(
    _ slot: EntityLayout.Slot, layout: EntityLayout, names: inout UniqueNames,
    list: inout [StoreSchema.Column]
  ) throws -> (ColumnMapping, ColumnType) {
    let name = names.take(slot.name.replacing(".", with: "_"))
    guard let relationship = slot.property as? NSRelationshipDescription else {
      guard let attribute = slot.property as? NSAttributeDescription else {
        throw CoreDataError.unsupported("The property “\(slot.name)” in a store of type PostgreSQL")
      }
      let type = try ColumnType(attribute)
      list.append(
        .init(
          name: name, declaration: type.declaration,
          defaultValue: ColumnDefault.sql(of: slot, type)))
      var mapping = ColumnMapping(kind: type.mappingKind, name: name)
      mapping.isDerived = attribute is NSDerivedAttributeDescription
      return (mapping, type)
    }
    list.append(.init(name: name, declaration: ColumnType.reference.declaration))
    var mapping = ColumnMapping(kind: .toOne, name: name)
    if !(relationship.destinationEntity?.subentities.isEmpty ?? true) {
      mapping.entityColumn = names.take("\(name)_entity")
      list.append(.init(name: mapping.entityColumn!, declaration: "integer"))
    }
    if let inverse = relationship.storedInverse, inverse.isToMany, inverse.isOrdered {
      mapping.orderColumn = names.take("\(name)_position")
      list.append(.init(name: mapping.orderColumn!, declaration: "bigint"))
    }
    return (mapping, .reference)
  }

  /// To-many relationships to this tree without a stored inverse. A column of the members has the
  /// owner's key.
  private func onesided(
    to root: EntityLayout
  ) -> [(EntityLayout, NSRelationshipDescription)] {
    layouts.flatMap { owner in
      owner.toMany.filter { relationship in
        relationship.entity === owner.entity && relationship.isOnesided
          && relationship.destinationEntity?.layout.rootNumber == root.number
      }.map { (owner, $0) }
    }
  }

  private mutating func addForeignKey(
    of relationship: NSRelationshipDescription, _ owner: EntityLayout, names: inout UniqueNames,
    list: inout [StoreSchema.Column]
  ) {
    let name = names.take("\(owner.entity.name ?? "")_\(relationship.name)")
    list.append(.init(name: name, declaration: ColumnType.reference.declaration))
    var mapping = ColumnMapping(kind: .toOne, name: name)
    if relationship.isOrdered {
      mapping.orderColumn = names.take("\(name)_position")
      list.append(.init(name: mapping.orderColumn!, declaration: "bigint"))
    }
    foreignKeys[ObjectIdentifier(relationship)] = mapping
  }

  // MARK: - Join tables

  /// Adds one join table for each pair of relationships, named after the first of them.
  private mutating func addJoins(
    of layout: EntityLayout, _ names: inout UniqueNames, besides tables: [String]
  ) {
    for relationship in layout.toMany
    where relationship.entity === layout.entity && relationship.isManyToMany
      && joins[ObjectIdentifier(relationship)] == nil
    {
      guard let inverse = relationship.inverseRelationship else { continue }
      var columnNames = UniqueNames.ofColumns()
      let members = columnNames.take(relationship.name)
      let owners = columnNames.take(inverse === relationship ? "\(members)_of" : inverse.name)
      let table = names.take(
        table: "\(layout.entity.name ?? "")_\(relationship.name)", besides: tables)
      let position = relationship.keepsOrder ? columnNames.take("\(members)_position") : nil
      let other =
        inverse !== relationship && inverse.keepsOrder
        ? columnNames.take("\(owners)_position") : nil
      joinTables.append(
        StoreSchema.JoinTable(
          name: table, firstColumn: owners, secondColumn: members,
          positionColumns: [position, other].compactMap { $0 }))
      joins[ObjectIdentifier(inverse)] = JoinMapping(
        table: table, ownerColumn: members, memberColumn: owners, orderColumn: other)
      joins[ObjectIdentifier(relationship)] = JoinMapping(
        table: table, ownerColumn: owners, memberColumn: members, orderColumn: position)
    }
  }

  // MARK: - Result

  private func mapping() -> SQLMapping {
    let entities = layouts.map { layout in
      EntityMapping(
        layout: layout, entityNumber: numbers[layout.number] ?? 0,
        rootEntityNumber: numbers[layout.rootNumber] ?? 0, table: tableName(layout),
        sharesTable: layouts.filter { $0.rootNumber == layout.rootNumber }.count > 1,
        kindNumbers: kindNumbers(layout.entity),
        columns: layout.slots.map { columns[ColumnKey($0, of: layout)]?.mapping })
    }
    return SQLMapping(entities: entities, joins: joins, foreignKeys: foreignKeys)
  }

  private func kindNumbers(_ entity: NSEntityDescription) -> [Int] {
    let own = numbers[entity.layout.number].map { [$0] } ?? []
    return own + entity.subentities.flatMap(kindNumbers)
  }

  private func types(of layout: EntityLayout) -> [ColumnType?] {
    layout.slots.map { columns[ColumnKey($0, of: layout)]?.type }
  }

  private func derived(_ mapping: SQLMapping) throws -> [DerivedColumn] {
    try mapping.allEntities.flatMap { entity in
      try zip(entity.layout.slots, entity.columns).compactMap { slot, column in
        guard let column, let attribute = slot.property as? NSDerivedAttributeDescription,
          attribute.entity === entity.layout.entity
        else { return nil }
        return try DerivedColumn(
          attribute, of: entity, named: column.name, mapping: mapping, types: types)
      }
    }
  }

  // MARK: - Indexes

  private func indexes(of root: EntityLayout) throws -> [String] {
    let table = SchemaNames.quoted(tableName(root))
    let references = tree(of: root).flatMap { layout in
      layout.slots.filter {
        $0.isStored && $0.kind == .toOne && $0.property.entity === layout.entity
      }
      .compactMap { columns[ColumnKey($0, of: layout)]?.mapping.name }
    }
    let owners = onesided(to: root).compactMap {
      foreignKeys[ObjectIdentifier($0.1)]?.name
    }
    let kinds = tree(of: root).count > 1 ? [SchemaNames.entity] : []
    let plain = (references + owners + kinds).map {
      "CREATE INDEX ON \(table) (\(SchemaNames.quoted($0)))"
    }
    return plain + tree(of: root).flatMap { asked($0, table: table) }
  }

  /// The indexes that the model declares, and those of uniqueness constraints.
  private func asked(_ layout: EntityLayout, table: String) -> [String] {
    let constraints = layout.entity.uniquenessConstraintNames.compactMap { names -> String? in
      let columns = names.compactMap { column(named: $0, layout) }
      guard columns.count == names.count else { return nil }
      let numbers = kindNumbers(layout.entity)
      let kinds =
        layout.number == layout.rootNumber
        ? ""
        : " WHERE \(SchemaNames.quoted(SchemaNames.entity)) IN "
          + "(\(numbers.map(String.init).joined(separator: ", ")))"
      return "CREATE UNIQUE INDEX ON \(table) (\(columns.joined(separator: ", ")))\(kinds)"
    }
    let indexes = layout.entity.indexes.compactMap { index -> String? in
      let elements = index.elements.filter { $0.collationType == .binary }
      let columns = elements.compactMap { element in
        element.propertyName.flatMap { column(named: $0, layout) }
          .map { "\($0) \(element.isAscending ? "ASC NULLS FIRST" : "DESC NULLS LAST")" }
      }
      guard !columns.isEmpty, columns.count == index.elements.count else { return nil }
      return "CREATE INDEX ON \(table) (\(columns.joined(separator: ", ")))"
    }
    return constraints + indexes
  }

  private func column(named name: String, _ layout: EntityLayout) -> String? {
    guard let slot = layout.slot(of: name) else { return nil }
    return columns[ColumnKey(layout.slots[slot], of: layout)].map {
      SchemaNames.quoted($0.mapping.name)
    }
  }
}
