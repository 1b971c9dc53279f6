import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

/// What plain SQL finds in a store of a version of a model: the objects of each entity by their keys, the values
/// of each by property.
struct StoredObjects {
  /// By entity, key and property; to-one relationships as a key, to-many ones as keys in their order.
  private(set) var entities: [String: [Int64: [String: String]]] = [:]
  private let model: NSManagedObjectModel

  init(_ url: URL, _ model: NSManagedObjectModel) throws {
    self.model = model
    let fixture = try StoreFixture(model, at: url)
    let mapping = try #require(fixture.store as? SQLiteStore).contents.mapping
    let plain = PlainSQL(url: url)
    for entity in mapping.allEntities {
      let name = entity.layout.entity.name ?? ""
      var objects = try Self.attributes(of: entity, plain)
      for relationship in entity.layout.toMany {
        let members = try Self.members(of: relationship, mapping, plain)
        for key in objects.keys {
          objects[key]?[relationship.name] = (members[key] ?? []).joined(separator: " ")
        }
      }
      entities[name] = objects
    }
    try fixture.close()
  }

  var count: Int { entities.values.reduce(0) { $0 + $1.count } }

  private static func attributes(
    of entity: EntityMapping, _ plain: PlainSQL
  ) throws -> [Int64: [String: String]] {
    var objects: [Int64: [String: String]] = [:]
    let keys = try plain.rows(
      "SELECT Z_PK FROM \(entity.table) WHERE Z_ENT = \(entity.entityNumber) ORDER BY Z_PK")
    for key in keys { objects[try #require(Int64(key))] = [:] }
    for (slot, column) in zip(entity.layout.slots, entity.columns) {
      guard let column else { continue }
      let values = try plain.rows(
        "SELECT CASE typeof(\(column.name)) WHEN 'blob' THEN hex(\(column.name)) ELSE \(column.name) "
          + "END FROM \(entity.table) WHERE Z_ENT = \(entity.entityNumber) ORDER BY Z_PK")
      for (key, value) in zip(keys, values) {
        objects[try #require(Int64(key))]?[slot.name] = value
      }
    }
    return objects
  }

  private static func members(
    of relationship: NSRelationshipDescription, _ mapping: SQLMapping, _ plain: PlainSQL
  ) throws -> [Int64: [String]] {
    let sql: String
    switch try #require(RelationshipStorage(relationship, in: mapping)) {
    case .column(let column, let table, _):
      sql =
        "SELECT \(column.name), Z_PK FROM \(table) WHERE \(column.name) NOT NULL "
        + "ORDER BY \(relationship.isOrdered ? column.orderColumn ?? "Z_PK" : "Z_PK")"
    case .join(let join):
      sql =
        "SELECT \(join.ownerColumn), \(join.memberColumn) FROM \(join.table) ORDER BY "
        + (relationship.isOrdered ? join.orderColumn ?? join.memberColumn : join.memberColumn)
    }
    var members: [Int64: [String]] = [:]
    for row in try plain.rows(sql) {
      let parts = row.split(separator: "|").map(String.init)
      members[try #require(Int64(parts[0])), default: []].append(parts[1])
    }
    return members
  }

  // MARK: - What an inferred migration makes of it

  /// Expects every object of the old store under its key, with what the names and renaming identifiers of both
  /// models say of its values.
  func expect(after old: StoredObjects) throws {
    for (name, entity) in model.entitiesByName {
      let source = Self.former(entity, among: old.model.entities) { $0.renamingIdentifier }
      let before = source.flatMap { old.entities[$0.name ?? ""] } ?? [:]
      let after = entities[name] ?? [:]
      #expect(after.keys.sorted() == before.keys.sorted(), "\(name)")
      for property in ModelMatch.stored(entity) {
        let was = source.flatMap { source in
          Self.former(property, among: ModelMatch.stored(source)) { $0.renamingIdentifier }
        }
        for (key, values) in after {
          let value = was.flatMap { before[key]?[$0.name] }
          try Self.expect(values[property.name], property, after: value, "\(name) \(key)")
        }
      }
    }
  }

  private static func former<Part: NSObject>(
    _ part: Part, among old: [Part], _ identifier: (Part) -> String?
  ) -> Part? {
    old.first { identifier($0) == identifier(part) }
  }

  private static func expect(
    _ value: String?, _ property: NSPropertyDescription, after old: String?, _ object: String
  ) throws {
    let what = "\(object): \(property.name)"
    let isMissing = old == nil || (old == "NULL" && !property.isOptional)
    guard isMissing, let attribute = property as? NSAttributeDescription else {
      let isToMany = (property as? NSRelationshipDescription)?.isToMany ?? false
      let nothing = isToMany ? "" : "NULL"
      #expect(value == (old.map { $0 == "NULL" ? nothing : $0 } ?? nothing), "\(what)")
      return
    }
    let slot = try #require(attribute.entity.layout.slot(of: attribute.name))
    let column = ColumnMapping(kind: .data, name: "")
    let standard = attribute.entity.layout.slots[slot].defaultValue
    #expect(PlainValues.matches(standard, value ?? "none", column), "\(what) = \(value ?? "none")")
  }
}
