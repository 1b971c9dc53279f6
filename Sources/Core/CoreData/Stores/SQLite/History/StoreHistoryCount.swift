/// The number of the last history transaction of a store that is not open. For code that converts
/// another store to such a file.
package enum StoreHistoryCount {
  /// Whether the store has a history.
  package static func exists(inFileAt url: URL) throws -> Bool {
    try StoreFiles(url).reading { try StoreCatalog($0).hasHistory }
  }

  /// The number of the last transaction; 0 for a store without history.
  package static func number(inFileAt url: URL) throws -> Int64 {
    try StoreFiles(url).reading { connection in
      guard try StoreCatalog(connection).hasHistory else { return 0 }
      return try connection.integer(
        "SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = \(HistorySchema.transactionEntity)") ?? 0
    }
  }

  /// Sets the number of the last transaction: the next one gets the number after it. Does nothing
  /// for a store without history.
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
