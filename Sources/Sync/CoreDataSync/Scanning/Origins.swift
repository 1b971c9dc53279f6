import CoreData

/// Which transaction inserted each object, or deleted it, as far as the history says: some six
/// bytes for each.
struct Origins {
  private var transactions: [Standing.Transaction] = []
  /// When each was saved, by this device's clock, in milliseconds since 1970.
  private var times: [Int64] = []
  private var inserting = ObjectNumbers()
  private var deleting = ObjectNumbers()
  private let names = NameTable()
  private var storeID = ""

  /// - Parameter time: when the transaction was saved, by this device's clock.
  mutating func add(_ transaction: NSPersistentHistoryTransaction, at time: Int64) {
    storeID = transaction.storeID
    let number = UInt32(transactions.count)
    transactions.append(Standing.Transaction(transaction))
    times.append(time)
    for change in transaction.changes ?? [] where change.changeType != .update {
      let key = ObjectKey(GraphContext.uri(of: change.changedObjectID), names: names)
      if change.changeType == .insert { inserting[key] = number } else { deleting[key] = number }
    }
  }

  /// When an object was inserted; nil if the history does not say it.
  func time(of uri: String) -> Int64? { insertion(of: uri).map { times[$0] } }

  /// What no other transaction is called, in whatever copy of the store: of the one that inserted
  /// an object.
  func origin(of uri: String) -> String? {
    insertion(of: uri).map { transactions[$0].origin(storeID: storeID) }
  }

  func wasInserted(_ uri: String) -> Bool { insertion(of: uri) != nil }
  func wasDeleted(_ uri: String) -> Bool { deleting[ObjectKey(uri, names: names)] != nil }

  private func insertion(of uri: String) -> Int? {
    inserting[ObjectKey(uri, names: names)].map { Int($0) }
  }
}

extension Standing.Transaction {
  func origin(storeID: String) -> String { "\(storeID) \(number) \(time.bitPattern)" }
}
