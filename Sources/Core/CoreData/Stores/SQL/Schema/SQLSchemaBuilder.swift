/// Computes the tables, columns and join tables of a model's entities, by the rules of Apple's
/// format.
///
/// Columns are added in passes over the entities of a table, by number, and within an entity over
/// its own properties, by name in code-point order:
///
///     1  per entity integers and Booleans, then to-one relationships with their entity columns;
///        after all entities the positions `Z_FOK_…`
///     2  dates, doubles, floats  3 decimals  4 strings  5 URIs  6 UUIDs  7 transformables  8 data
///
/// A name that the table has already gets a number: `ZTITLE`, `ZTITLE1`, …
struct SQLSchemaBuilder {
  /// An entity with its numbers in the store.
  struct Entity {
    let layout: EntityLayout
    let number: Int
    let rootNumber: Int
    let attributes: [NSAttributeDescription]
    let relationships: [NSRelationshipDescription]

    init(layout: EntityLayout, number: Int, rootNumber: Int) {
      self.layout = layout
      self.number = number
      self.rootNumber = rootNumber
      let properties = layout.entity.ownProperties.filter { !$0.isTransient }.sorted {
        $0.name.unicodeScalars.lexicographicallyPrecedes($1.name.unicodeScalars)
      }
      attributes = properties.compactMap { $0 as? NSAttributeDescription }
      relationships = properties.compactMap { $0 as? NSRelationshipDescription }
    }

    var description: NSEntityDescription { layout.entity }
    var isRoot: Bool { number == rootNumber }
  }

  /// The entities in the order of their numbers.
  let entities: [Entity]
  let numbers: [ObjectIdentifier: Int]
  private(set) var columns: [ObjectIdentifier: ColumnMapping] = [:]
  /// The columns of composite attributes' elements.
  private(set) var elementColumns: [CompositeElement: ColumnMapping] = [:]
  /// The columns for the owners of members, in to-many relationships without a stored inverse.
  private(set) var foreignKeys: [ObjectIdentifier: ColumnMapping] = [:]
  private var tables: [SQLSchema.Table] = []

  /// - Parameter numbers: the store's `Z_ENT` by ``EntityLayout/number``; entities without one are
  ///   left out.
  init(layouts: [EntityLayout], numbers: [Int: Int]) throws {
    let known = layouts.filter { numbers[$0.number] != nil }
    entities = known.compactMap { layout in
      guard let number = numbers[layout.number], let root = numbers[layout.rootNumber] else {
        return nil
      }
      return Entity(layout: layout, number: number, rootNumber: root)
    }.sorted { $0.number < $1.number }
    self.numbers = Dictionary(
      entities.map { (ObjectIdentifier($0.description), $0.number) },
      uniquingKeysWith: { first, _ in first })
    try checkSupported()
    buildTables()
  }

  private mutating func buildTables() {
    tables = entities.filter(\.isRoot).map { makeTable($0) }
  }

  /// The mapping of the model to a store's tables.
  func mapping() -> SQLMapping { makeMapping(makeJoins().mappings) }

  /// The schema of a new store. Throws if the model has something that the format does not define.
  func schema() throws -> SQLSchema {
    let joins = makeJoins().tables
    let roots = entities.filter(\.isRoot)
    let declared = Dictionary(grouping: try fetchIndexes(), by: \.entityNumber)
    return SQLSchema(
      tables: try zip(roots, tables).map { root, table in
        var table = table
        let members = entities.filter { $0.rootNumber == root.number }
        table.joins = joins[root.number] ?? []
        table.indexes = try indexes(of: table, members: members, declared: declared)
        table.triggers = try triggers(of: table, members: members)
        return table
      })
  }

  private func makeMapping(_ joins: [ObjectIdentifier: JoinMapping]) -> SQLMapping {
    SQLMapping(entities: entities.map(makeMapping), joins: joins, foreignKeys: foreignKeys)
  }

  private func makeMapping(_ entity: Entity) -> EntityMapping {
    EntityMapping(
      layout: entity.layout, entityNumber: entity.number, rootEntityNumber: entity.rootNumber,
      table: tableName(rootNumber: entity.rootNumber),
      sharesTable: entities.filter { $0.rootNumber == entity.rootNumber }.count > 1,
      kindNumbers: kindNumbers(entity.description),
      columns: entity.layout.slots.map { column(of: $0, in: entity.layout) })
  }

  func kindNumbers(_ entity: NSEntityDescription) -> [Int] {
    let own = numbers[ObjectIdentifier(entity)].map { [$0] } ?? []
    return own + entity.subentities.flatMap(kindNumbers)
  }

  func tableName(rootNumber: Int) -> String {
    let root = entities.first { $0.number == rootNumber }
    return "Z" + (root?.description.name ?? "").uppercased()
  }

  func number(of entity: NSEntityDescription?) -> Int? {
    entity.flatMap { numbers[ObjectIdentifier($0)] }
  }

  // MARK: - Columns

  private mutating func makeTable(_ root: Entity) -> SQLSchema.Table {
    let members = entities.filter { $0.rootNumber == root.number }
    var columns = TableColumns()
    for entity in members { addIntegers(of: entity, to: &columns) }
    let onesided = onesidedRelationships(to: members)
    for (owner, relationship) in onesided { add(relationship, of: owner, to: &columns) }
    for entity in members { addPositions(of: entity, to: &columns) }
    for (_, relationship) in onesided { addPosition(relationship, to: &columns) }
    for pass in ColumnPass.afterIntegers {
      for entity in members {
        addAttributes(of: entity, pass, to: &columns)
      }
    }
    return SQLSchema.Table(name: tableName(rootNumber: root.number), columns: columns.list)
  }

  private mutating func addIntegers(of entity: Entity, to columns: inout TableColumns) {
    addAttributes(of: entity, .integers, to: &columns)
    for relationship in entity.relationships where !relationship.isToMany {
      add(relationship, to: &columns)
    }
  }

  private mutating func addAttributes(
    of entity: Entity, _ pass: ColumnPass, to columns: inout TableColumns
  ) {
    for attribute in entity.attributes {
      for element in attribute.storedElements
      where pass.types.contains(element.attribute.attributeType) {
        let column = makeColumn(element.attribute, pass: pass, columns: &columns)
        if element.key.path == attribute.name {
          self.columns[ObjectIdentifier(attribute)] = column
        } else {
          elementColumns[element.key] = column
        }
      }
    }
  }

  private func makeColumn(
    _ attribute: NSAttributeDescription, pass: ColumnPass, columns: inout TableColumns
  ) -> ColumnMapping {
    let type = pass.sqlType(of: attribute.attributeType)
    let name = columns.add("Z" + attribute.name.uppercased(), type: type)
    var column = ColumnMapping(kind: pass.kind, name: name)
    column.isDerived = attribute is NSDerivedAttributeDescription
    return column
  }

  private mutating func add(
    _ relationship: NSRelationshipDescription, to columns: inout TableColumns
  ) {
    let name = columns.add("Z" + relationship.name.uppercased(), type: "INTEGER")
    var column = ColumnMapping(kind: .toOne, name: name)
    if let destination = relationship.destinationEntity, !destination.subentities.isEmpty,
      let number = number(of: destination)
    {
      column.entityColumn = columns.add("Z\(number)_\(name.dropFirst())", type: "INTEGER")
    }
    self.columns[ObjectIdentifier(relationship)] = column
  }

  /// Adds the positions of ordered inverses. A transient inverse gets a column too, which stays
  /// unused here: Apple's framework may write to it.
  private mutating func addPositions(of entity: Entity, to columns: inout TableColumns) {
    for relationship in entity.relationships where !relationship.isToMany {
      guard let inverse = relationship.inverseRelationship, inverse.isToMany, inverse.isOrdered
      else { continue }
      let key = ObjectIdentifier(relationship)
      let base = self.columns[key]?.name.dropFirst() ?? ""
      let name = columns.add("Z_FOK_\(base)", type: "INTEGER")
      if inverse.keepsOrder { self.columns[key]?.orderColumn = name }
    }
  }
}

// To-many relationships without a stored inverse. The members' table has a column for the owner, so
// that an object is a member of one owner at a time.
//
//     Z<number of the owner's entity><RELATIONSHIP> INTEGER
extension SQLSchemaBuilder {
  private func onesidedRelationships(
    to members: [Entity]
  ) -> [(Entity, NSRelationshipDescription)] {
    let numbers = Set(members.map(\.number))
    return entities.flatMap { owner in
      owner.relationships.filter { relationship in
        guard relationship.isOnesided,
          let number = number(of: relationship.destinationEntity)
        else { return false }
        return numbers.contains(number)
      }.map { (owner, $0) }
    }
  }

  private mutating func add(
    _ relationship: NSRelationshipDescription, of owner: Entity, to columns: inout TableColumns
  ) {
    let name = columns.add("Z\(owner.number)\(relationship.name.uppercased())", type: "INTEGER")
    foreignKeys[ObjectIdentifier(relationship)] = ColumnMapping(kind: .toOne, name: name)
  }

  private mutating func addPosition(
    _ relationship: NSRelationshipDescription, to columns: inout TableColumns
  ) {
    let key = ObjectIdentifier(relationship)
    guard relationship.isOrdered, let base = foreignKeys[key]?.name.dropFirst() else { return }
    foreignKeys[key]?.orderColumn = columns.add("Z_FOK_\(base)", type: "INTEGER")
  }

  /// The owner columns of such relationships in a table.
  func ownForeignKeys(of table: String) -> [String] {
    entities.flatMap { owner in
      owner.relationships.filter { relationship in
        number(of: relationship.destinationEntity).flatMap { number in
          entities.first { $0.number == number }.map { tableName(rootNumber: $0.rootNumber) }
        } == table
      }.compactMap { foreignKeys[ObjectIdentifier($0)]?.name }
    }
  }
}

/// The columns of one table, with unique names.
private struct TableColumns {
  private(set) var list: [SQLSchema.Column] = []
  private var names = NumberedNames()

  mutating func add(_ base: String, type: String) -> String {
    let name = names.take(base)
    list.append(SQLSchema.Column(name: name, type: type))
    return name
  }
}
