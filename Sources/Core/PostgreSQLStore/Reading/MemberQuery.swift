import CoreData

/// Query of the members of a to-many relationship: entity, key, and the owner's key. Ordered by
/// position for an ordered relationship, else by key.
struct MemberQuery {
  private let all: String
  private let ofOwners: String
  private let layout: EntityLayout

  init(_ relationship: NSRelationshipDescription, schema: StoreSchema) throws {
    guard let layout = relationship.destinationEntity?.layout else {
      throw CoreDataError.unsupported("“\(relationship.name)” without a destination")
    }
    self.layout = layout
    let quoted = SchemaNames.quoted
    let table = quoted(try schema.entity(layout).table)
    let key = "t0.\(quoted(SchemaNames.key))"
    let start = "SELECT t0.\(quoted(SchemaNames.entity)), \(key), "
    let from: String
    let owner: String
    let position: String?
    if let join = schema.mapping.join(of: relationship) {
      owner = "t1.\(quoted(join.ownerColumn))"
      position = join.orderColumn.map { "t1.\(quoted($0))" }
      from =
        " FROM \(quoted(join.table)) t1 JOIN \(table) t0 ON \(key) = t1.\(quoted(join.memberColumn))"
    } else {
      let column = try schema.mapping.foreignKey(of: relationship)
      owner = "t0.\(quoted(column.name))"
      position = column.orderColumn.map { "t0.\(quoted($0))" }
      from = " FROM \(table) t0"
    }
    let order =
      " ORDER BY \((position.map { ["\($0) NULLS FIRST"] } ?? []).joined())"
      + (position == nil ? key : ", \(key)")
    all = "\(start)\(owner)\(from) WHERE \(owner) IS NOT NULL\(order)"
    ofOwners = "\(start)\(owner)\(from) WHERE \(owner) = ANY($1)\(order)"
  }

  /// The members by the owner's key; of all owners if `owners` is nil.
  func members(
    _ owners: [Int64]?, contents: StoreContents, connection: PostgreSQLConnection
  ) throws -> [Int64: [NSManagedObjectID]] {
    var found: [Int64: [NSManagedObjectID]] = [:]
    func note(_ result: QueryResult) {
      for line in 0..<result.count {
        let kind =
          contents.schema.mapping.layout(entityNumber: result.integer(line, column: 0)) ?? layout
        let identity = contents.identities.identity(kind, key: result.integer(line, column: 1))
        found[result.integer(line, column: 2), default: []].append(identity)
      }
    }
    if let owners {
      note(try connection.query(ofOwners, parameters: [.integers(owners)]))
    } else {
      try contents.results(of: all, [], limit: 0, connection: connection, body: note)
    }
    return found
  }
}
