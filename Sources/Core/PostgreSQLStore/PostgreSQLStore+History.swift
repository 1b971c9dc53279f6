import CoreData

extension PostgreSQLStore: HistoryStore {
  var lastTransactionNumber: Int64? {
    get throws {
      let contents = try contents
      guard contents.tracksHistory else { return nil }
      return try contents.reporting(.read) {
        try contents.pool.reading {
          try HistoryReader(contents: contents, connection: $0).lastNumber
        }
      }
    }
  }

  func history(_ plan: HistoryPlan) throws -> [NSPersistentHistoryTransaction] {
    let contents = try contents
    guard contents.tracksHistory else { return [] }
    return try contents.reporting(.read) {
      try contents.pool.reading { connection in
        try connection.snapshot {
          try HistoryReader(contents: contents, connection: connection).transactions(plan)
        }
      }
    }
  }

  func deleteHistory(_ plan: HistoryPlan) throws {
    let contents = try contents
    guard contents.tracksHistory else { return }
    try contents.reporting(.save) {
      try contents.pool.retrying {
        try contents.transaction("") {
          try HistoryReader(contents: contents, connection: $0).delete(plan)
        }
      }
    }
  }
}
