import Foundation
import Testing

@testable import CoreData

/// Every row of a store as this package reads it, beside what plain SQL says of the same columns.
enum PlainValues {
  static func expect(of url: URL, _ model: NSManagedObjectModel) throws {
    let fixture = try StoreFixture(model, at: url)
    let plain = PlainSQL(url: url)
    for layout in fixture.coordinator.layouts {
      var plan = FetchPlan(layout: layout)
      plan.includesSubentities = false
      let rows = try fixture.store.rows(plan)
      let store = try #require(fixture.store as? SQLiteStore)
      let entity = try store.contents.entity(layout)
      let count = try plain.rows(
        "SELECT COUNT(*) FROM \(entity.table) WHERE Z_ENT = \(entity.entityNumber)")
      #expect("\(rows.count)" == count.first)
      for row in rows { try check(row, entity, plain) }
    }
  }

  private static func check(_ row: Row, _ entity: EntityMapping, _ plain: PlainSQL) throws {
    for (slot, column) in entity.columns.enumerated() {
      guard let column else { continue }
      let text = try plain.rows(
        "SELECT CASE typeof(\(column.name)) WHEN 'blob' THEN hex(\(column.name)) "
          + "ELSE \(column.name) END FROM \(entity.table) WHERE Z_PK = \(row.identity.packed.key)")
      let what = "\(entity.table).\(column.name) of \(row.identity.packed.key)"
      #expect(matches(row[slot], text.first ?? "none", column), "\(what)")
    }
  }

  static func matches(_ value: Value, _ text: String, _ column: ColumnMapping) -> Bool {
    switch value {
    case .null: return text == "NULL"
    case .integer(let value): return "\(value)" == text
    case .real(let value): return abs(value - (Double(text) ?? .nan)) <= abs(value) * 1e-14
    case .text(let value): return value == text
    case .data(let value): return value.map { String(format: "%02X", $0) }.joined() == text
    case .identity(let value): return "\(value.packed.key)" == text
    case .object(let value as NSUUID):
      return value.uuidString.replacingOccurrences(of: "-", with: "") == text
    case .object(let value as NSURL): return value.absoluteString == text
    case .object(let value as NSDecimalNumber):
      return "\(value)" == text || value.doubleValue == Double(text)
    case .object: return column.kind == .transformable && text != "NULL"
    }
  }
}
