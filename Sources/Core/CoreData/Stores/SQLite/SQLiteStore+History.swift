extension SQLiteStore: HistoryStore {
  var lastTransactionNumber: Int64? {
    get throws {
      let contents = try contents
      guard let history = contents.history else { return nil }
      return try contents.reporting(.read) {
        try contents.database.read { try history.lastNumber($0) }
      }
    }
  }

  func history(_ plan: HistoryPlan) throws -> [NSPersistentHistoryTransaction] {
    let contents = try contents
    guard let history = contents.history else { return [] }
    return try contents.reporting(.read) {
      try contents.database.read { connection in
        try connection.readTransaction {
          try HistoryReader(history: history, connection: connection, identities: identities)
            .transactions(plan)
        }
      }
    }
  }

  func deleteHistory(_ plan: HistoryPlan) throws {
    let contents = try contents
    guard let history = contents.history else { return }
    try contents.reporting(.save) {
      try contents.database.write { connection in
        try connection.writeTransaction {
          try HistoryReader(history: history, connection: connection, identities: identities)
            .delete(plan)
        }
      }
    }
  }
}

extension StoreContents {
  /// A writer of the store's history; nil for a store without one.
  func historyWriter(_ connection: SQLiteConnection) -> HistoryWriter? {
    history.map { HistoryWriter($0, connection: connection) }
  }
}

extension StoreOpener {
  func prepareHistory(_ connection: SQLiteConnection) throws {
    guard options.tracksHistory else { return }
    try HistorySchema.prepare(
      on: connection, tombstones: HistoryLayout.tombstoneCount(layouts))
  }

  /// Logs that the store opens read-only: it has a history, which would miss the writes of this
  /// program.
  func reportUntrackedHistory() {
    let text =
      "CoreData: error:  Store opened without NSPersistentHistoryTrackingKey but previously had been opened "
      + "with NSPersistentHistoryTrackingKey - Forcing into Read Only mode store at "
      + "'\(url?.absoluteString ?? "")'\n"
    FileHandle.standardError.write(Data(text.utf8))
  }
}

extension StoreOptions {
  package var postsRemoteChanges: Bool {
    isOn(NSPersistentStoreRemoteChangeNotificationPostOptionKey)
  }

  /// Whether the option for history tracking is `true` or a dictionary.
  package var tracksHistory: Bool {
    isOn(NSPersistentHistoryTrackingKey)
      || self[NSPersistentHistoryTrackingKey] is [AnyHashable: Any]
  }
}
