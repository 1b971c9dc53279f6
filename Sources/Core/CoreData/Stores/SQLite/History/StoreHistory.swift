/// The parts of an open store's history that do not change between its transactions.
///
/// Sendable: nothing changes after `init`, and all parts are immutable.
final class StoreHistory: @unchecked Sendable {
  let storeUUID: String
  let mapping: SQLMapping
  /// The layouts by ``EntityLayout/number``.
  private let layouts: [Int: HistoryLayout]
  /// Whether ATRANSACTIONSTRING exists; a store of an early framework that is opened read-only
  /// lacks it.
  let hasTexts: Bool
  /// The number of tombstone columns in ACHANGE.
  let tombstoneCount: Int

  /// Nil for a store without history tables.
  init?(
    _ catalog: StoreCatalog, storeUUID: String, mapping: SQLMapping,
    codec: (EntityLayout.Slot) -> SlotCodec
  ) throws {
    guard catalog.hasHistory else { return nil }
    self.storeUUID = storeUUID
    self.mapping = mapping
    hasTexts =
      try catalog.has("ATRANSACTIONSTRING")
      && catalog.columns(of: "ATRANSACTION").contains("ZAUTHORTS")
    tombstoneCount = try catalog.columns(of: "ACHANGE")
      .count { $0.hasPrefix("ZTOMBSTONE") }
    layouts = Dictionary(
      mapping.allEntities.map { ($0.layout.number, HistoryLayout($0, codec: codec)) },
      uniquingKeysWith: { first, _ in first })
  }

  func layout(_ layout: EntityLayout) -> HistoryLayout? { layouts[layout.number] }

  /// The number of the last transaction; 0 if there was none.
  func lastNumber(_ connection: SQLiteConnection) throws -> Int64 {
    try connection.withStatement("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = ?") { statement in
      statement.bind(HistorySchema.transactionEntity, at: 1)
      return try statement.step() ? statement.integer(0) : 0
    }
  }
}

extension StoreHistory {
  /// The names of this process in the history.
  static let processName = ProcessInfo.processInfo.processName
  static let bundleName = Bundle.main.bundleIdentifier ?? processName
}
