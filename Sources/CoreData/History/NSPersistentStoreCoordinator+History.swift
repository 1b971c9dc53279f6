extension NSPersistentStoreCoordinator {
  /// The point at which the history of some stores is, of all stores for nil or none; nil when none of them
  /// notes its history.
  public final func currentPersistentHistoryToken(
    fromStores stores: [Any]?
  ) -> NSPersistentHistoryToken? {
    let asked = stores?.compactMap { $0 as? NSPersistentStore } ?? []
    let numbers = historyStores(among: asked.isEmpty ? nil : asked).compactMap { store in
      // A store that cannot be read has no token.
      (try? store.lastTransactionNumber).map { (store.identities.storeUUID, $0) }
    }
    guard !numbers.isEmpty else { return nil }
    return NSPersistentHistoryToken(Dictionary(numbers, uniquingKeysWith: max))
  }

  final func execute(
    _ request: NSPersistentHistoryChangeRequest
  ) throws -> NSPersistentHistoryResult {
    let stores = historyStores(among: request.affectedStores)
    guard !stores.isEmpty else { throw HistoryError.noHistory }
    switch request.action {
    case .fetch: return try HistoryFetch(request).result(from: stores)
    case .delete:
      for store in stores where store.isReadOnly { throw Self.readOnlyError(store) }
      let fetch = try HistoryFetch(request)
      for store in stores { try store.deleteHistory(fetch.plan(for: store)) }
      return NSPersistentHistoryResult(true, .statusOnly)
    }
  }

  private func historyStores(among asked: [NSPersistentStore]?) -> [any HistoryStore] {
    persistentStores.compactMap { store in
      guard asked?.contains(where: { $0 === store }) ?? true, let store = store as? any HistoryStore
      else { return nil }
      // A store that cannot be read fails again, and then with its error, when it is asked for more.
      let number = try? store.lastTransactionNumber
      return number == nil ? nil : store
    }
  }
}
