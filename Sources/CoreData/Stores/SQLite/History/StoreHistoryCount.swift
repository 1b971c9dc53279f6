/// The number of the last transaction of a store in a file that nobody has open, for who makes such a file out of another
/// store.
package enum StoreHistoryCount {
  /// Whether the store notes its history.
  package static func exists(inFileAt url: URL) throws -> Bool {
    try StoreFiles(url).reading { try StoreCatalog($0).hasHistory }
  }

  /// 0 for a store that notes none.
  package static func number(inFileAt url: URL) throws -> Int64 {
    try StoreFiles(url).reading { connection in
      guard try StoreCatalog(connection).hasHistory else { return 0 }
      return try connection.integer(
        "SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = \(HistorySchema.transactionEntity)") ?? 0
    }
  }

  /// Has the store note its history from the transaction after this one on.
  package static func set(_ number: Int64, inFileAt url: URL) throws {
    try StoreFiles(url).writing { connection in
      if try !StoreCatalog(connection).hasHistory { return }
      try connection.withStatement("UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_ENT = ?") {
        $0.bind(number, at: 1)
        $0.bind(HistorySchema.transactionEntity, at: 2)
        try $0.run()
      }
    }
  }
}
