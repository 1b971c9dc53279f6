import CoreData
import Foundation

/// A place in the history of each store: the number of a transaction by the store's identifier.
public struct DefaultHistoryToken: HistoryToken {
  public typealias TokenType = [String: Int64]

  public let tokenValue: TokenType?

  init(_ numbers: [String: Int64]) { tokenValue = numbers }

  public var id: Int { tokenValue.hashValue }

  private var numbers: [String: Int64] { tokenValue ?? [:] }

  /// Whether there is a store that is further on at the right one, and none that is further on at the left one.
  public static func < (left: DefaultHistoryToken, right: DefaultHistoryToken) -> Bool {
    let stores = Set(left.numbers.keys).intersection(right.numbers.keys)
    let pairs = (stores.isEmpty ? Set(right.numbers.keys) : stores).map {
      (left.numbers[$0] ?? 0, right.numbers[$0] ?? 0)
    }
    return pairs.contains { $0 < $1 } && pairs.allSatisfy { $0 <= $1 }
  }
}

/// A transaction of a container's own stores.
public struct DefaultHistoryTransaction: HistoryTransaction {
  public typealias TransactionIdentifier = Int64
  public typealias TokenType = DefaultHistoryToken

  public var id: Int64 { transactionIdentifier }
  public let timestamp: Date
  public let changes: [HistoryChange]
  public let token: DefaultHistoryToken
  public let transactionIdentifier: Int64
  public let storeIdentifier: String
  public let bundleIdentifier: String
  public let processIdentifier: String
  public let author: String?

  public static func == (left: Self, right: Self) -> Bool {
    left.transactionIdentifier == right.transactionIdentifier
      && left.storeIdentifier == right.storeIdentifier
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(transactionIdentifier)
    hasher.combine(storeIdentifier)
  }
}

public struct DefaultHistoryInsert<Model: PersistentModel>: HistoryInsert, Hashable {
  public typealias TransactionIdentifier = Int64
  public typealias ChangeIdentifier = Int64
  public let changeIdentifier: Int64
  public let transactionIdentifier: Int64
  public let changedPersistentIdentifier: PersistentIdentifier
}

public struct DefaultHistoryUpdate<Model: PersistentModel>: HistoryUpdate, Hashable {
  public typealias TransactionIdentifier = Int64
  public typealias ChangeIdentifier = Int64
  public let changeIdentifier: Int64
  public let transactionIdentifier: Int64
  public let changedPersistentIdentifier: PersistentIdentifier
  public let updatedAttributes: [any PartialKeyPath<Model> & Sendable]

  public static func == (left: Self, right: Self) -> Bool {
    left.changeIdentifier == right.changeIdentifier
      && left.changedPersistentIdentifier == right.changedPersistentIdentifier
      && left.updatedAttributes.map { $0 as AnyKeyPath }
        == right.updatedAttributes.map { $0 as AnyKeyPath }
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(changeIdentifier)
    hasher.combine(changedPersistentIdentifier)
  }
}

public struct DefaultHistoryDelete<Model: PersistentModel>: HistoryDelete, Hashable {
  public typealias TransactionIdentifier = Int64
  public typealias ChangeIdentifier = Int64
  public let changeIdentifier: Int64
  public let transactionIdentifier: Int64
  public let changedPersistentIdentifier: PersistentIdentifier
  public let tombstone: HistoryTombstone<Model>

  public static func == (left: Self, right: Self) -> Bool {
    left.changeIdentifier == right.changeIdentifier
      && left.changedPersistentIdentifier == right.changedPersistentIdentifier
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(changeIdentifier)
    hasher.combine(changedPersistentIdentifier)
  }
}

// MARK: - From Core Data's history

extension DefaultHistoryTransaction {
  init(_ transaction: NSPersistentHistoryTransaction, _ schema: Schema) {
    timestamp = transaction.timestamp
    token = DefaultHistoryToken(transaction.token.numbers)
    transactionIdentifier = transaction.transactionNumber
    storeIdentifier = transaction.storeID
    bundleIdentifier = transaction.bundleID
    processIdentifier = transaction.processID
    author = transaction.author
    changes = (transaction.changes ?? []).compactMap { change in
      let name = change.changedObjectID.entity.name ?? ""
      guard let type = schema.entitiesByName[name]?.modelType else { return nil }
      return Self.change(change, transaction.transactionNumber, type)
    }
  }

  private static func change(
    _ change: NSPersistentHistoryChange, _ transaction: Int64, _ type: ModelType
  ) -> HistoryChange {
    func make<Model: PersistentModel>(_ model: Model.Type) -> HistoryChange {
      let id = PersistentIdentifier(change.changedObjectID)
      switch change.changeType {
      case .insert:
        return .insert(
          DefaultHistoryInsert<Model>(
            changeIdentifier: change.changeID, transactionIdentifier: transaction,
            changedPersistentIdentifier: id))
      case .update:
        let names = Set((change.updatedProperties ?? []).map(\.name))
        let paths = type.properties.filter { names.contains($0.name) }.map(\.keyPath)
        return .update(
          DefaultHistoryUpdate<Model>(
            changeIdentifier: change.changeID, transactionIdentifier: transaction,
            changedPersistentIdentifier: id,
            // Of this class or one that it inherits from, and literals, which can be sent.
            updatedAttributes: paths.map {
              unsafeBitCast($0, to: (any PartialKeyPath<Model> & Sendable).self)
            }))
      case .delete:
        var values: [String: Any] = [:]
        for (key, value) in change.tombstone ?? [:] {
          if let name = key as? String {
            values[name] = type.property(named: name)?.valueForm?.value(value) ?? value
          }
        }
        return .delete(
          DefaultHistoryDelete<Model>(
            changeIdentifier: change.changeID, transactionIdentifier: transaction,
            changedPersistentIdentifier: id, tombstone: HistoryTombstone(values: values)))
      }
    }
    return make(type.type)
  }
}

// MARK: - Fetching

extension ModelContext {
  /// The transactions of a descriptor, the oldest first unless it sorts them.
  ///
  /// Throws ``SwiftDataError/historyTokenExpired`` when what came after the predicate's token has been deleted, and
  /// ``SwiftDataError/invalidTransactionFetchRequest`` for transactions of a type that no store here has.
  public func fetchHistory<T: HistoryTransaction>(
    _ descriptor: HistoryDescriptor<T>
  ) throws -> [T] {
    guard let descriptor = descriptor as? HistoryDescriptor<DefaultHistoryTransaction> else {
      return try providers(of: descriptor).flatMap { try $0.fetch() }
    }
    var found = try transactions(after: descriptor.tokenBound)
    if let predicate = descriptor.predicate { found = try found.filter(predicate.evaluate) }
    found = descriptor.sortBy.isEmpty ? found : found.sorted(using: descriptor.sortBy)
    if descriptor.fetchLimit > 0, UInt64(found.count) > descriptor.fetchLimit {
      found = Array(found.prefix(Int(descriptor.fetchLimit)))
    }
    return found as! [T]
  }

  /// Deletes the transactions of a descriptor, wherever in the history they are.
  public func deleteHistory<T: HistoryTransaction>(_ descriptor: HistoryDescriptor<T>) throws {
    guard let descriptor = descriptor as? HistoryDescriptor<DefaultHistoryTransaction> else {
      for provider in try providers(of: descriptor) { try provider.delete() }
      return
    }
    var found = try transactions(after: nil)
    if let predicate = descriptor.predicate { found = try found.filter(predicate.evaluate) }
    let numbers = Dictionary(grouping: found, by: \.storeIdentifier)
    for store in managed.stores.coordinator.persistentStores {
      guard let own = numbers[store.identifier] else { continue }
      let request = NSPersistentHistoryChangeRequest.deleteHistory(before: Date.distantFuture)
      request.affectedStores = [store]
      request.fetchRequest = NSPersistentHistoryTransaction.fetchRequest
      request.fetchRequest?.predicate = NSPredicate(
        format: "transactionNumber IN %@", own.map(\.transactionIdentifier))
      _ = try managed.execute(request)
    }
  }

  private struct Provider<T> {
    let fetch: () throws -> [T]
    let delete: () throws -> Void
  }

  /// The custom stores with transactions of a type; throws where there is none.
  private func providers<T>(of descriptor: HistoryDescriptor<T>) throws -> [Provider<T>] {
    func provider<Store: HistoryProviding>(_ store: Store) -> Provider<T>? {
      guard let descriptor = descriptor as? HistoryDescriptor<Store.HistoryType> else { return nil }
      return Provider(
        fetch: { try store.fetchHistory(descriptor) as! [T] },
        delete: { try store.deleteHistory(descriptor) })
    }
    let providers = managed.stores.customStores.compactMap { custom in
      (custom.access.store as? any HistoryProviding).flatMap { provider($0) }
    }
    if !providers.isEmpty { return providers }
    throw SwiftDataError(
      .invalidTransactionFetchRequest,
      "No store of this container has transactions of the type \(T.self): those of its own stores are "
        + "DefaultHistoryTransaction, those of a custom store the HistoryType of its HistoryProviding"
    )
  }

  private func transactions(
    after token: DefaultHistoryToken?
  ) throws -> [DefaultHistoryTransaction] {
    let token = token?.tokenValue.map { NSPersistentHistoryToken($0) }
    let request = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
    do {
      let result = try managed.execute(request) as? NSPersistentHistoryResult
      let found = result?.result as? [NSPersistentHistoryTransaction] ?? []
      return found.map { DefaultHistoryTransaction($0, managed.stores.schema) }
    } catch let error as NSError where error.code == NSPersistentHistoryTokenExpiredError {
      throw SwiftDataError(
        .historyTokenExpired, "Transactions after the token have been deleted", because: error)
    }
  }
}

// MARK: - The token in a predicate

extension HistoryDescriptor<DefaultHistoryTransaction> {
  /// The token that all transactions are to come after, where the predicate says so.
  fileprivate var tokenBound: DefaultHistoryToken? {
    (predicate?.expression as? any TokenBounded)?.tokenBound
  }
}

private protocol TokenBounded {
  var tokenBound: DefaultHistoryToken? { get }
}

extension PredicateExpressions.Conjunction: TokenBounded {
  fileprivate var tokenBound: DefaultHistoryToken? {
    (lhs as? any TokenBounded)?.tokenBound ?? (rhs as? any TokenBounded)?.tokenBound
  }
}

extension PredicateExpressions.Comparison: TokenBounded
where
  LHS == PredicateExpressions.KeyPath<
    PredicateExpressions.Variable<DefaultHistoryTransaction>, DefaultHistoryToken
  >, RHS == PredicateExpressions.Value<DefaultHistoryToken>
{
  fileprivate var tokenBound: DefaultHistoryToken? {
    op == .greaterThan ? rhs.value : nil
  }
}
