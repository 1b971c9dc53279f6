import CoreData

/// The transactions that a store has recorded.
package struct HistoryReport: Codable, Sendable {
  package struct Change: Codable, Sendable {
    package let object: String
    package let kind: String
    /// The changed properties of an update.
    package let properties: [String]
    /// The values of a deleted object that the model preserves.
    package let tombstone: [String: String]
  }

  package struct Transaction: Codable, Sendable {
    package let number: Int64
    package let date: Date
    package let author: String?
    package let context: String?
    package let process: String
    package let bundle: String
    package let changes: [Change]
  }

  package let transactions: [Transaction]

  package static func hasHistory(_ store: OpenedStore) throws -> Bool {
    guard store.format == .sqlite else { return store.tracksHistory }
    return try !StoreInspector(url: store.url).rows(
      "SELECT 1 FROM sqlite_master WHERE name = 'ATRANSACTION'"
    ).isEmpty
  }

  /// Reads the transactions after a transaction number or a date; all for nil. Throws for a store
  /// that records no history.
  package init(_ store: OpenedStore, after number: Int64? = nil, since date: Date? = nil) throws {
    guard try Self.hasHistory(store) else {
      throw ToolError(
        .badData,
        description:
          "The store at \(store.place) tracks no history: its application opens it without "
          + "NSPersistentHistoryTrackingKey.")
    }
    transactions = try store.withContext { context in
      let request =
        date.map { NSPersistentHistoryChangeRequest.fetchHistory(after: $0) }
        ?? NSPersistentHistoryChangeRequest.fetchHistory(after: nil as NSPersistentHistoryToken?)
      if let number, let fetch = NSPersistentHistoryTransaction.fetchRequest {
        fetch.predicate = NSPredicate(format: "transactionNumber > %@", NSNumber(value: number))
        request.fetchRequest = fetch
      }
      let result = try context.execute(request) as? NSPersistentHistoryResult
      return (result?.result as? [NSPersistentHistoryTransaction] ?? []).map(Transaction.init)
    }
  }
}

extension HistoryReport.Transaction {
  init(_ transaction: NSPersistentHistoryTransaction) {
    number = transaction.transactionNumber
    date = transaction.timestamp
    author = transaction.author
    context = transaction.contextName
    process = transaction.processID
    bundle = transaction.bundleID
    changes = (transaction.changes ?? []).map(HistoryReport.Change.init)
  }

  package func text(_ terminal: Terminal = .standardOutput) -> String {
    let by = author.map { " by \($0)" } ?? ""
    let context = context.map { ", context \($0)" } ?? ""
    let head = "\(number)  \(ISODate.text(date))\(by)\(context)"
    let lines = changes.map { "    " + $0.text }
    return
      ([terminal.styled(CellText.visible(head), style: .bold)] + lines.map { CellText.visible($0) })
      .joined(separator: "\n")
  }
}

extension HistoryReport.Change {
  init(_ change: NSPersistentHistoryChange) {
    object = CellText.name(of: change.changedObjectID)
    kind =
      switch change.changeType {
      case .insert: "insert"
      case .update: "update"
      case .delete: "delete"
      }
    properties = (change.updatedProperties ?? []).map(\.name).sorted()
    let properties = change.changedObjectID.entity.propertiesByName
    tombstone = Dictionary(
      (change.tombstone ?? [:]).map {
        ("\($0.key)", CellText.text(of: $0.value, properties["\($0.key)"]))
      },
      uniquingKeysWith: { first, _ in first })
  }

  fileprivate var text: String {
    let sign = ["insert": "+", "update": "~", "delete": "−"][kind] ?? "?"
    let names = properties.isEmpty ? "" : "  \(properties.joined(separator: ", "))"
    let values = tombstone.sorted { $0.key < $1.key }.map { "  \($0.key) was \($0.value)" }.joined()
    return "\(sign) \(object)\(names)\(values)"
  }
}
