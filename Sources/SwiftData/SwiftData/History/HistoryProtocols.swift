import Foundation

/// Selects transactions of a history to fetch or delete.
///
/// Source: developer.apple.com/documentation/swiftdata/historydescriptor
public struct HistoryDescriptor<TransactionType: HistoryTransaction> {
  /// The condition on transactions; nil selects all.
  public var predicate: Predicate<TransactionType>?
  /// The maximum number of transactions; 0 for no limit.
  public var fetchLimit: UInt64 = 0
  /// The sort order; empty for oldest first.
  public var sortBy: [SortDescriptor<TransactionType>] = []

  /// Creates a descriptor.
  public init(
    predicate: Predicate<TransactionType>? = nil, sortBy: [SortDescriptor<TransactionType>] = []
  ) {
    self.predicate = predicate
    self.sortBy = sortBy
  }
}

/// A store that keeps a history.
public protocol HistoryProviding {
  /// The type of the store's transactions.
  associatedtype HistoryType: HistoryTransaction
  /// The type of the store's transactions.
  static var historyType: HistoryType.Type { get }
  /// Returns the transactions of a descriptor.
  func fetchHistory(_ descriptor: HistoryDescriptor<HistoryType>) throws -> [HistoryType]
  /// Deletes the transactions of a descriptor.
  func deleteHistory(_ descriptor: HistoryDescriptor<HistoryType>) throws
}

/// The changes that one save wrote.
public protocol HistoryTransaction: Hashable, Identifiable, Sendable {
  /// The type of the transaction's token.
  associatedtype TokenType: Comparable, Hashable, Identifiable, Sendable
  /// The type of the transaction's identifier.
  associatedtype TransactionIdentifier: Comparable, Hashable, Sendable

  /// The time of the save.
  var timestamp: Date { get }
  /// The changes of the transaction.
  var changes: [HistoryChange] { get }
  /// The position of the transaction in the history.
  var token: TokenType { get }
  /// The identifier of the transaction.
  var transactionIdentifier: TransactionIdentifier { get }
  /// The identifier of the store.
  var storeIdentifier: String { get }
  /// The author that the saving context had, if any.
  var author: String? { get }
}

/// Position in a history.
public protocol HistoryToken: Comparable, Codable, Hashable, Identifiable, Sendable {
  /// The type of the token's value.
  associatedtype TokenType: Codable, Hashable, Sendable
  /// The encodable value of the token.
  var tokenValue: TokenType? { get }
}

/// A change to one model in a transaction.
public enum HistoryChange: Sendable {
  /// The model was inserted.
  case insert(any HistoryInsert)
  /// The model was updated.
  case update(any HistoryUpdate)
  /// The model was deleted.
  case delete(any HistoryDelete)

  /// The identifier of the changed model.
  public var changedPersistentIdentifier: PersistentIdentifier {
    switch self {
    case .insert(let change): change.changedPersistentIdentifier
    case .update(let change): change.changedPersistentIdentifier
    case .delete(let change): change.changedPersistentIdentifier
    }
  }
}

/// The insertion of a model.
public protocol HistoryInsert<Model>: Sendable {
  /// The class of the model.
  associatedtype Model: PersistentModel
  /// The type of the transaction's identifier.
  associatedtype TransactionIdentifier: Comparable, Hashable, Sendable
  /// The type of the change's identifier.
  associatedtype ChangeIdentifier: Comparable, Hashable, Sendable

  /// The identifier of the change.
  var changeIdentifier: ChangeIdentifier { get }
  /// The identifier of the transaction.
  var transactionIdentifier: TransactionIdentifier { get }
  /// The identifier of the inserted model.
  var changedPersistentIdentifier: PersistentIdentifier { get }
}

/// The update of a model.
public protocol HistoryUpdate<Model>: Sendable {
  /// The class of the model.
  associatedtype Model: PersistentModel
  /// The type of the transaction's identifier.
  associatedtype TransactionIdentifier: Comparable, Hashable, Sendable
  /// The type of the change's identifier.
  associatedtype ChangeIdentifier: Comparable, Hashable, Sendable
  /// A key path to a changed property.
  typealias PropertyUpdate = PartialKeyPath<Model> & Sendable

  /// The identifier of the change.
  var changeIdentifier: ChangeIdentifier { get }
  /// The identifier of the transaction.
  var transactionIdentifier: TransactionIdentifier { get }
  /// The identifier of the updated model.
  var changedPersistentIdentifier: PersistentIdentifier { get }
  /// The changed properties, relationships included.
  var updatedAttributes: [any PartialKeyPath<Model> & Sendable] { get }
}

/// The deletion of a model.
public protocol HistoryDelete<Model>: Sendable {
  /// The class of the model.
  associatedtype Model: PersistentModel
  /// The type of the transaction's identifier.
  associatedtype TransactionIdentifier: Comparable, Hashable, Sendable
  /// The type of the change's identifier.
  associatedtype ChangeIdentifier: Comparable, Hashable, Sendable

  /// The identifier of the change.
  var changeIdentifier: ChangeIdentifier { get }
  /// The identifier of the transaction.
  var transactionIdentifier: TransactionIdentifier { get }
  /// The identifier of the deleted model.
  var changedPersistentIdentifier: PersistentIdentifier { get }
  /// The preserved values: those of the properties with `.preserveValueOnDeletion`.
  var tombstone: HistoryTombstone<Model> { get }
}

/// The preserved values of a deleted model.
///
/// Sendable: a constant dictionary of values that are immutable.
public struct HistoryTombstone<Model: PersistentModel>: Sequence, @unchecked Sendable {
  let values: [String: Any]

  /// The preserved value of a property; nil if the store preserved none.
  public subscript(keyPath: PartialKeyPath<Model>) -> (any Sendable)? {
    ModelType.of(Model.self).property(for: keyPath).flatMap { sendable(values[$0.name]) }
  }

  private func sendable(_ value: Any?) -> (any Sendable)? {
    func open<T>(_ value: T) -> any Sendable { unsafeSendable(value) }
    return value.map { _openExistential($0, do: open) }
  }

  /// Iterates over the preserved values, in the order of the property names.
  public func makeIterator() -> Iterator {
    Iterator(values: values.sorted { $0.key < $1.key }.map(\.value).makeIterator())
  }

  /// Iterator over the preserved values.
  public struct Iterator: IteratorProtocol {
    var values: IndexingIterator<[Any]>
    public mutating func next() -> Any? { values.next() }
  }
}

/// Casts a value to `any Sendable`. Sound: stored values are immutable, and `Sendable` is a marker
/// protocol without a witness table, so `Any` and `any Sendable` have the same layout.
private func unsafeSendable<T>(_ value: T) -> any Sendable {
  withUnsafePointer(to: value as Any) {
    UnsafeRawPointer($0).load(as: (any Sendable).self)
  }
}
