extension NSPersistentStoreCoordinator {
  final func historyToken(of stores: [Any]?) -> NSPersistentHistoryToken? {
    let asked = stores?.compactMap { $0 as? NSPersistentStore } ?? []
    let numbers = storesWithHistory(among: asked.isEmpty ? nil : asked).compactMap { store in
      // A store that cannot be read contributes no number.
      (try? store.lastTransactionNumber).map { (store.identities.storeUUID, $0) }
    }
    guard !numbers.isEmpty else { return nil }
    return NSPersistentHistoryToken(Dictionary(numbers, uniquingKeysWith: max))
  }

  final func execute(
    _ request: NSPersistentHistoryChangeRequest
  ) throws -> NSPersistentHistoryResult {
    let stores = try storesWithHistory(among: request.affectedStores).filter {
      try $0.lastTransactionNumber != nil
    }
    guard !stores.isEmpty else { throw HistoryError.noHistory }
    switch request.action {
    case .fetch: return try HistoryFetch(request).result(from: stores)
    case .delete:
      for store in stores where store.isReadOnly { throw Self.readOnlyError(store) }
      let fetch = try HistoryFetch(request)
      for store in stores { try store.deleteHistory(fetch.plan(for: store)) }
      return NSPersistentHistoryResult(true, type: .statusOnly)
    }
  }

  /// The stores that may track history; those whose `lastTransactionNumber` is nil do not.
  private func storesWithHistory(among asked: [NSPersistentStore]?) -> [any HistoryStore] {
    persistentStores.compactMap { store in
      asked?.contains { $0 === store } ?? true ? store as? any HistoryStore : nil
    }
  }
}
