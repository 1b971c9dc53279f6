import CoreData
import Foundation

/// Position in the history of each store: transaction numbers by store identifier.
public struct DefaultHistoryToken: HistoryToken {
  public typealias TokenType = [String: Int64]

  /// The number of the last transaction, by store identifier.
  public let tokenValue: TokenType?

  init(_ numbers: [String: Int64]) { tokenValue = numbers }

  public var id: Int { tokenValue.hashValue }

  private var numbers: [String: Int64] { tokenValue ?? [:] }

  /// True if `right` is later in at least one store and `left` is later in none. Only stores in
  /// both tokens are compared; without a common store, `left` counts as 0 in each store of `right`.
  public static func < (left: DefaultHistoryToken, right: DefaultHistoryToken) -> Bool {
    let stores = Set(left.numbers.keys).intersection(right.numbers.keys)
    let pairs = (stores.isEmpty ? Set(right.numbers.keys) : stores).map {
      (left.numbers[$0] ?? 0, right.numbers[$0] ?? 0)
    }
    return pairs.contains { $0 < $1 } && pairs.allSatisfy { $0 <= $1 }
  }
}

/// A transaction in the history of one of the container's built-in stores.
public struct DefaultHistoryTransaction: HistoryTransaction {
  public typealias TransactionIdentifier = Int64
  public typealias TokenType = DefaultHistoryToken

  /// The transaction's number.
  public var id: Int64 { transactionIdentifier }
  /// The time of the save.
  public let timestamp: Date
  /// The changes that the save wrote.
  public let changes: [HistoryChange]
  /// The history token of this transaction.
  public let token: DefaultHistoryToken
  /// The transaction's number, unique within its store.
  public let transactionIdentifier: Int64
  /// The UUID of the store.
  public let storeIdentifier: String
  /// The bundle identifier of the program that saved.
  public let bundleIdentifier: String
  /// The identifier of the process that saved.
  public let processIdentifier: String
  /// The author that the saving context had, if any.
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

/// An insertion of a model.
public struct DefaultHistoryInsert<Model: PersistentModel>: HistoryInsert, Hashable {
  public typealias TransactionIdentifier = Int64
  public typealias ChangeIdentifier = Int64
  /// The change's number within the history.
  public let changeIdentifier: Int64
  /// The number of the transaction that the change belongs to.
  public let transactionIdentifier: Int64
  /// The identifier of the inserted model.
  public let changedPersistentIdentifier: PersistentIdentifier
}

/// An update of a model.
public struct DefaultHistoryUpdate<Model: PersistentModel>: HistoryUpdate, Hashable {
  public typealias TransactionIdentifier = Int64
  public typealias ChangeIdentifier = Int64
  /// The change's number within the history.
  public let changeIdentifier: Int64
  /// The number of the transaction that the change belongs to.
  public let transactionIdentifier: Int64
  /// The identifier of the updated model.
  public let changedPersistentIdentifier: PersistentIdentifier
  /// The changed properties, relationships included.
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

/// A deletion of a model.
public struct DefaultHistoryDelete<Model: PersistentModel>: HistoryDelete, Hashable {
  public typealias TransactionIdentifier = Int64
  public typealias ChangeIdentifier = Int64
  /// The change's number within the history.
  public let changeIdentifier: Int64
  /// The number of the transaction that the change belongs to.
  public let transactionIdentifier: Int64
  /// The identifier of the deleted model.
  public let changedPersistentIdentifier: PersistentIdentifier
  /// The values that the store preserved of the deleted model.
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
  init(_ transaction: NSPersistentHistoryTransaction, schema: Schema) {
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
      return Self.change(change, transaction: transaction.transactionNumber, type: type)
    }
  }

  private static func change(
    _ change: NSPersistentHistoryChange, transaction: Int64, type: ModelType
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
            // Sound: the root of each key path is `Model` or a superclass, and all key path classes
            // have one layout. Sendable: key paths of properties are immutable literals.
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
  /// Fetches the transactions of a descriptor, oldest first unless the descriptor sorts them.
  ///
  /// Throws ``SwiftDataError/historyTokenExpired`` if transactions after the predicate's token have
  /// been deleted, and ``SwiftDataError/invalidTransactionFetchRequest`` if no store of the
  /// container has transactions of type `T`.
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

  /// Deletes the transactions of a descriptor, at any position in the history.
  ///
  /// Throws ``SwiftDataError/invalidTransactionFetchRequest`` if no store of the container has
  /// transactions of type `T`.
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

  /// The custom stores whose transactions are of the descriptor's type; throws if there is none.
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
      explanation:
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
      return found.map { DefaultHistoryTransaction($0, schema: managed.stores.schema) }
    } catch let error as NSError where error.code == NSPersistentHistoryTokenExpiredError {
      throw SwiftDataError(
        .historyTokenExpired, explanation: "Transactions after the token have been deleted",
        because: error)
    }
  }
}

// MARK: - The token in a predicate

extension HistoryDescriptor<DefaultHistoryTransaction> {
  /// The token from a condition `token > …` of the predicate, which all transactions must come
  /// after; nil without one.
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
