import CoreDataSupport
import Foundation
import Testing
import TestSupport

@testable import CoreData

/// A coordinator with a SQLite store in a folder of its own, and short ways to what tests ask of it.
final class StoreFixture {
  let url: URL
  let coordinator: NSPersistentStoreCoordinator
  let store: any RowStore

  var folder: URL { url.deletingLastPathComponent() }

  convenience init(
    _ model: NSManagedObjectModel, in folder: URL? = nil, options: [AnyHashable: Any]? = nil
  ) throws {
    let folder = try folder ?? Self.makeFolder()
    try self.init(model, at: folder.appendingPathComponent("Store.sqlite"), options: options)
  }

  init(
    _ model: NSManagedObjectModel, at url: URL, type: NSPersistentStore.StoreType = .sqlite,
    configuration: String? = nil, options: [AnyHashable: Any]? = nil
  ) throws {
    self.url = url
    coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let store = try coordinator.addPersistentStore(
      type: type, configuration: configuration, at: url, options: options)
    self.store = try #require(store as? any RowStore)
  }

  /// Removed at the end of the process, since a test may read a file after the last mention of its fixture.
  static func makeFolder() throws -> URL { try TestFolder.make() }

  func close() throws {
    try coordinator.removeStores()
  }

  func layout(_ entity: String) throws -> EntityLayout {
    try #require(coordinator.managedObjectModel.entitiesByName[entity]).layout
  }

  func plan(_ entity: String, where predicate: NSPredicate? = nil) throws -> FetchPlan {
    var plan = FetchPlan(layout: try layout(entity))
    plan.predicate = predicate
    return plan
  }

  /// Inserts rows with these values by name; returns their identities in order.
  @discardableResult
  func insert(_ entity: String, _ values: [[String: Value]]) throws -> [NSManagedObjectID] {
    let layout = try layout(entity)
    let first = try store.reserveKeys(values.count, for: layout)
    var changes = StoreChanges()
    for (offset, values) in values.enumerated() {
      let identity = store.identities.identity(layout, key: first + Int64(offset))
      changes.inserted.append(try row(identity, values))
    }
    try store.save(changes)
    return changes.inserted.map(\.identity)
  }

  func row(_ identity: NSManagedObjectID, _ values: [String: Value]) throws -> Row {
    let row = Row.empty(identity)
    for (name, value) in values { row[try #require(identity.layout.slot(of: name))] = value }
    return row
  }

  /// Updates some values of a row that was read.
  func update(_ snapshot: Row, _ values: [String: Value]) throws {
    var changes = StoreChanges()
    changes.updated = [try change(snapshot, values)]
    try store.save(changes)
  }

  func change(_ snapshot: Row, _ values: [String: Value]) throws -> StoreChanges.Update {
    let row = snapshot.copy()
    var slots: [Int] = []
    for (name, value) in values {
      let slot = try #require(snapshot.layout.slot(of: name))
      row[slot] = value
      slots.append(slot)
    }
    return StoreChanges.Update(row: row, snapshot: snapshot, slots: slots.sorted())
  }

  func value(_ row: Row, _ name: String) throws -> Value {
    row[try #require(row.layout.slot(of: name))]
  }

  /// The keys of the objects that a predicate finds, in the order of the fetch.
  func keys(
    _ entity: String, _ format: String? = nil, _ arguments: [Any?] = [],
    sortedBy descriptors: [NSSortDescriptor] = []
  ) throws -> [Int64] {
    var plan = try plan(entity)
    plan.predicate = format.map {
      NSPredicate(format: $0, argumentArray: arguments.map { $0 ?? NSNull() })
    }
    plan.sortDescriptors = descriptors
    return try store.identities(plan).map(\.key)
  }
}

/// What the `sqlite3` tool would say: plain SQL on the file, past the store.
struct PlainSQL {
  let url: URL

  /// The rows as text, columns joined by “|”.
  func rows(_ sql: String) throws -> [String] {
    let connection = try SQLiteConnection(
      path: url.path, access: .readWrite, timeout: Patience.seconds)
    return try connection.withStatement(sql) { statement in
      var rows: [String] = []
      while try statement.step() {
        let columns = (0..<Int32(statement.columnCount)).map { statement.text($0) ?? "NULL" }
        rows.append(columns.joined(separator: "|"))
      }
      return rows
    }
  }

  func execute(_ sql: String) throws {
    let connection = try SQLiteConnection(
      path: url.path, access: .readWrite, timeout: Patience.seconds)
    try connection.execute(sql)
  }

  var schema: [String] {
    get throws { try rows("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY rowid") }
  }
}
