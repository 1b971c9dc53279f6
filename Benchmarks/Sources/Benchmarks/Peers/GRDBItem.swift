import Foundation
import GRDB

/// A record written by hand, as GRDB's documentation advises.
struct GRDBItem: FetchableRecord, PersistableRecord {
  static let databaseTableName = "ZITEM"

  enum Columns {
    static let key = Column("Z_PK")
    static let entity = Column("Z_ENT")
    static let version = Column("Z_OPT")
    static let order = Column("ZORDER")
    static let parent = Column("ZPARENT")
    static let date = Column("ZDATE")
    static let value = Column("ZVALUE")
    static let title = Column("ZTITLE")
  }

  let key: Int64
  let title: String?
  var order: Int64
  let date: Date?
  let value: Double
  let parent: Int64?

  init(_ values: ItemValues, key: Int64) {
    self.key = key
    title = values.title
    order = values.order
    date = Date(timeIntervalSinceReferenceDate: values.date)
    value = values.value
    parent = nil
  }

  init(row: Row) {
    key = row[Columns.key]
    title = row[Columns.title]
    order = row[Columns.order]
    let seconds: Double? = row[Columns.date]
    date = seconds.map { Date(timeIntervalSinceReferenceDate: $0) }
    value = row[Columns.value]
    parent = row[Columns.parent]
  }

  func encode(to container: inout PersistenceContainer) {
    container[Columns.key] = key
    container[Columns.entity] = 1
    container[Columns.version] = 1
    container[Columns.order] = order
    container[Columns.parent] = parent
    container[Columns.date] = date?.timeIntervalSinceReferenceDate
    container[Columns.value] = value
    container[Columns.title] = title
  }

  /// A queue on a store with the settings that all sides have.
  static func open(_ url: URL, settings: ConnectionSettings?) throws -> DatabaseQueue {
    let queue = try DatabaseQueue(path: url.path)
    if let settings {
      try queue.writeWithoutTransaction {
        try $0.execute(sql: "PRAGMA synchronous = \(settings.synchronous)")
      }
    }
    return queue
  }
}
