import SwiftData
import Testing

/// What transactions, their changes and tokens say, by name and through the protocols.
struct HistoryDeclarationTests {
  private let context: ModelContext
  private let visit = Visit(place: "Bath")

  init() throws {
    context = ModelContext(
      try ModelContainer(
        for: Visit.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true)))
  }

  /// The history of an insert, an update and a delete.
  private func transactions() throws -> [DefaultHistoryTransaction] {
    context.insert(visit)
    try context.save()
    visit.count = 3
    try context.save()
    context.delete(visit)
    try context.save()
    return try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>())
  }

  @Test func transactionsSayWhenAndByWhom() throws {
    let began = Date.now
    let all = try transactions()
    let first: DefaultHistoryTransaction.TransactionIdentifier = all[0].transactionIdentifier
    let token: DefaultHistoryTransaction.TokenType = all[0].token
    #expect(all.map(\.id) == all.map(\.transactionIdentifier) && first < all[1].id)
    #expect(all.allSatisfy { abs($0.timestamp.timeIntervalSince(began)) < 600 })
    #expect(Set(all.map(\.processIdentifier)).count == 1 && !all[0].processIdentifier.isEmpty)
    #expect(Set(all.map(\.bundleIdentifier)).count == 1)
    let numbers: DefaultHistoryToken.TokenType = try #require(token.tokenValue)
    #expect(numbers == [all[0].storeIdentifier: first] && token.id == all[0].token.id)
    #expect(token.id != all[1].token.id)
    func numberOfStores<Token: HistoryToken>(
      _ token: Token
    ) -> Int? where Token.TokenType == [String: Int64] { token.tokenValue?.count }
    #expect(numberOfStores(token) == 1)
    func span<Transaction: HistoryTransaction>(
      _ all: [Transaction]
    ) -> (Transaction.TokenType, Transaction.TransactionIdentifier) {
      (all[0].token, all[0].transactionIdentifier)
    }
    #expect(span(all) == (token, first))
    var descriptor = HistoryDescriptor<DefaultHistoryTransaction>(sortBy: [])
    descriptor.predicate = #Predicate { $0.token > token }
    #expect(try context.fetchHistory(descriptor) == Array(all.dropFirst()))
  }

  @Test func changesSayWhatChanged() throws {
    let all = try transactions()
    guard case .insert(let anyInsert) = all[0].changes[0],
      case .update(let anyUpdate) = all[1].changes[0],
      case .delete(let anyDelete) = all[2].changes[0]
    else {
      Issue.record("insert, update and delete were expected, not \(all.map(\.changes))")
      return
    }
    let insert = try #require(anyInsert as? DefaultHistoryInsert<Visit>)
    let update = try #require(anyUpdate as? DefaultHistoryUpdate<Visit>)
    let delete = try #require(anyDelete as? DefaultHistoryDelete<Visit>)
    let transactions: [DefaultHistoryInsert<Visit>.TransactionIdentifier] = [
      insert.transactionIdentifier,
      update.transactionIdentifier as DefaultHistoryUpdate<Visit>.TransactionIdentifier,
      delete.transactionIdentifier as DefaultHistoryDelete<Visit>.TransactionIdentifier,
    ]
    #expect(transactions == all.map(\.transactionIdentifier))
    let changes: [DefaultHistoryInsert<Visit>.ChangeIdentifier] = [
      insert.changeIdentifier,
      update.changeIdentifier as DefaultHistoryUpdate<Visit>.ChangeIdentifier,
      delete.changeIdentifier as DefaultHistoryDelete<Visit>.ChangeIdentifier,
    ]
    #expect(Set(changes).count == 3 && changes == changes.sorted())
    let identifier = insert.changedPersistentIdentifier
    #expect(update.changedPersistentIdentifier == identifier)
    #expect(delete.changedPersistentIdentifier == identifier)
    #expect(insert == insert && update == update && delete == delete)
    #expect(Set([insert, insert]).count == 1 && Set([update, update]).count == 1)
    #expect(Set([delete, delete]).count == 1)
    #expect(described(insert) == "Visit \(transactions[0]) \(changes[0])")
    #expect(described(update) == "Visit \(transactions[1]) \(changes[1]) 1")
    #expect(try described(delete) == "Visit \(transactions[2]) \(changes[2]) Bath")
    var values: HistoryTombstone<Visit>.Iterator = delete.tombstone.makeIterator()
    #expect(values.next() as? String == "Bath")
  }

  // As code does it that knows the protocols alone.

  private func described<Insert: HistoryInsert>(_ insert: Insert) -> String {
    let transaction: Insert.TransactionIdentifier = insert.transactionIdentifier
    let change: Insert.ChangeIdentifier = insert.changeIdentifier
    #expect(insert.changedPersistentIdentifier.entityName == "\(Insert.Model.self)")
    return "\(Insert.Model.self) \(transaction) \(change)"
  }

  private func described<Update: HistoryUpdate>(_ update: Update) -> String {
    let transaction: Update.TransactionIdentifier = update.transactionIdentifier
    let change: Update.ChangeIdentifier = update.changeIdentifier
    let paths: [any Update.PropertyUpdate] = update.updatedAttributes
    #expect(update.changedPersistentIdentifier.entityName == "\(Update.Model.self)")
    return "\(Update.Model.self) \(transaction) \(change) \(paths.count)"
  }

  private func described<Delete: HistoryDelete>(_ delete: Delete) throws -> String {
    let transaction: Delete.TransactionIdentifier = delete.transactionIdentifier
    let change: Delete.ChangeIdentifier = delete.changeIdentifier
    let tombstone: HistoryTombstone<Delete.Model> = delete.tombstone
    #expect(delete.changedPersistentIdentifier.entityName == "\(Delete.Model.self)")
    let place = try #require(\Visit.place as AnyKeyPath as? PartialKeyPath<Delete.Model>)
    return "\(Delete.Model.self) \(transaction) \(change) \(tombstone[place] as? String ?? "")"
  }

  /// A store's history without a container, by the protocol of stores that have one.
  @Test func aStoreHasAHistory() throws {
    let schema = Schema([Visit.self])
    let configuration = ModelConfiguration("visits", schema: schema, isStoredInMemoryOnly: true)
    let store = try DefaultStore(configuration, migrationPlan: nil)
    #expect(store.configuration == configuration && store.name == "visits")
    #expect(DefaultStore.historyType == DefaultStore.HistoryType.self)
    #expect(DefaultStore.TokenType.self == DefaultHistoryToken.self)
    #expect(DefaultStore.Configuration.self == ModelConfiguration.self)
    var related: [PersistentIdentifier: any BackingData] = [:]
    let state = EditingState()
    store.initializeState(for: state)
    defer { store.invalidateState(for: state) }
    let snapshot = DefaultStore.Snapshot(
      from: visit.persistentBackingData, relatedBackingDatas: &related)
    let saved = try store.save(
      DataStoreSaveChangesRequest(
        inserted: [snapshot], updated: [], deleted: [], editingState: state))
    #expect(saved.snapshotsToReregister.isEmpty && saved.remappedIdentifiers.count == 1)
    func count<Store: HistoryProviding>(_ store: Store) throws -> Int {
      let history: [Store.HistoryType] = try store.fetchHistory(HistoryDescriptor())
      return history.count
    }
    #expect(try count(store) == 1)
    let request = DataStoreFetchRequest(
      descriptor: FetchDescriptor<Visit>(), editingState: state)
    let result = try store.fetch(request)
    #expect(request.editingState.id == state.id && result.descriptor == request.descriptor)
    let coded = try JSONDecoder().decode(
      [DefaultSnapshot].self, from: JSONEncoder().encode(result.fetchedSnapshots))
    #expect(coded.map(\.persistentIdentifier) == Array(saved.remappedIdentifiers.values))
    let all = DataStoreBatchDeleteRequest<Visit>(
      predicate: nil, includeSubclasses: true, editingState: state)
    #expect(all.includeSubclasses && all.editingState.id == state.id)
    try store.delete(all)
    #expect(try store.fetchCount(request) == 0)
  }
}
