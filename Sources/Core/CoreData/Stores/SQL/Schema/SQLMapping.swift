/// The mapping of a model to a store: table and columns of each entity, the join table of each
/// many-to-many relationship.
///
///     entity of the model ──► EntityMapping ──► table, and one column per slot
///     Z_ENT of the store  ──► EntityLayout
///
/// Made by ``SQLSchemaBuilder`` when a store is opened; immutable and shared from then on.
package final class SQLMapping: Sendable {
  /// The entities by ``EntityLayout/number``; nil for those that the store does not have.
  private let entities: [EntityMapping?]
  /// The layouts by the store's `Z_ENT`.
  private let layouts: [Int: EntityLayout]
  package let joins: [ObjectIdentifier: JoinMapping]
  /// The columns of members in to-many relationships without a stored inverse.
  package let foreignKeys: [ObjectIdentifier: ColumnMapping]

  package init(
    entities: [EntityMapping], joins: [ObjectIdentifier: JoinMapping],
    foreignKeys: [ObjectIdentifier: ColumnMapping]
  ) {
    self.foreignKeys = foreignKeys
    let highest = entities.map(\.layout.number).max() ?? 0
    var byNumber: [EntityMapping?] = Array(repeating: nil, count: highest + 1)
    for entity in entities { byNumber[entity.layout.number] = entity }
    self.entities = byNumber
    layouts = Dictionary(
      entities.map { ($0.entityNumber, $0.layout) }, uniquingKeysWith: { first, _ in first })
    self.joins = joins
  }

  package subscript(layout: EntityLayout) -> EntityMapping? {
    entities.indices.contains(layout.number) ? entities[layout.number] : nil
  }

  package func layout(entityNumber: Int64) -> EntityLayout? { layouts[Int(entityNumber)] }

  /// The name of the entity with a layout's number; empty if the store does not have it.
  func name(ofLayout number: Int) -> String {
    entities.indices.contains(number) ? entities[number]?.layout.entity.name ?? "" : ""
  }

  package var allEntities: [EntityMapping] { entities.compactMap { $0 } }

  /// The join table of a many-to-many relationship, from this side.
  package func join(of relationship: NSRelationshipDescription) -> JoinMapping? {
    joins[ObjectIdentifier(relationship)]
  }
}

/// The table and columns of one entity.
///
/// Sendable: layouts are immutable, and everything else is a value.
package struct EntityMapping: @unchecked Sendable {
  package let layout: EntityLayout
  /// The store's `Z_ENT`, which may differ from the layout's number.
  package let entityNumber: Int
  /// `Z_ENT` of the root, whose row in `Z_PRIMARYKEY` has the last key.
  package let rootEntityNumber: Int
  package let table: String
  /// Whether the table has objects of several entities, so that `Z_ENT` must be read.
  package let sharesTable: Bool
  /// The numbers of this entity and of all its subentities.
  package let kindNumbers: [Int]
  /// The columns, one per slot of the layout; nil for slots that are not stored.
  package let columns: [ColumnMapping?]

  package init(
    layout: EntityLayout, entityNumber: Int, rootEntityNumber: Int, table: String,
    sharesTable: Bool, kindNumbers: [Int], columns: [ColumnMapping?]
  ) {
    self.layout = layout
    self.entityNumber = entityNumber
    self.rootEntityNumber = rootEntityNumber
    self.table = table
    self.sharesTable = sharesTable
    self.kindNumbers = kindNumbers
    self.columns = columns
  }
}

/// The column of an attribute or of a to-one relationship.
package struct ColumnMapping: Sendable {
  package enum Kind {
    case integer, real, decimal, text, uri, uuid, transformable, data
    case toOne
  }

  package let kind: Kind
  package var name: String
  /// `Z<n>_<REL>`: the destination's entity, if it may be a subentity.
  package var entityColumn: String?
  /// `Z_FOK_<REL>`: the position among the members of the ordered inverse.
  package var orderColumn: String?
  /// Whether the store's triggers compute the column, which is then never written.
  package var isDerived = false

  package init(kind: Kind, name: String) {
    self.kind = kind
    self.name = name
  }
}

/// The join table of a many-to-many relationship, from the side of one of its two relationships.
package struct JoinMapping: Sendable {
  package let table: String
  /// The column with the keys of the objects that have the relationship.
  package let ownerColumn: String
  /// The column with the keys of the members.
  package let memberColumn: String
  /// The column with a member's position for its owner, if the relationship is ordered.
  package let orderColumn: String?

  package init(
    table: String, ownerColumn: String, memberColumn: String, orderColumn: String?
  ) {
    self.table = table
    self.ownerColumn = ownerColumn
    self.memberColumn = memberColumn
    self.orderColumn = orderColumn
  }
}
