import Foundation

/// Which transactions of a history to fetch or delete.
///
/// Source: developer.apple.com/documentation/swiftdata/historydescriptor
public struct HistoryDescriptor<TransactionType: HistoryTransaction> {
  public var predicate: Predicate<TransactionType>?
  /// 0: all of them.
  public var fetchLimit: UInt64 = 0
  public var sortBy: [SortDescriptor<TransactionType>] = []

  public init(
    predicate: Predicate<TransactionType>? = nil, sortBy: [SortDescriptor<TransactionType>] = []
  ) {
    self.predicate = predicate
    self.sortBy = sortBy
  }
}

/// A store with a history.
public protocol HistoryProviding {
  associatedtype HistoryType: HistoryTransaction
  static var historyType: HistoryType.Type { get }
  func fetchHistory(_ descriptor: HistoryDescriptor<HistoryType>) throws -> [HistoryType]
  func deleteHistory(_ descriptor: HistoryDescriptor<HistoryType>) throws
}

/// What one save has written.
public protocol HistoryTransaction: Hashable, Identifiable, Sendable {
  associatedtype TokenType: Comparable, Hashable, Identifiable, Sendable
  associatedtype TransactionIdentifier: Comparable, Hashable, Sendable

  var timestamp: Date { get }
  var changes: [HistoryChange] { get }
  var token: TokenType { get }
  var transactionIdentifier: TransactionIdentifier { get }
  var storeIdentifier: String { get }
  var author: String? { get }
}

/// A place in a history.
public protocol HistoryToken: Comparable, Codable, Hashable, Identifiable, Sendable {
  associatedtype TokenType: Codable, Hashable, Sendable
  var tokenValue: TokenType? { get }
}

/// One model of a transaction.
public enum HistoryChange: Sendable {
  case insert(any HistoryInsert)
  case update(any HistoryUpdate)
  case delete(any HistoryDelete)

  public var changedPersistentIdentifier: PersistentIdentifier {
    switch self {
    case .insert(let change): change.changedPersistentIdentifier
    case .update(let change): change.changedPersistentIdentifier
    case .delete(let change): change.changedPersistentIdentifier
    }
  }
}

public protocol HistoryInsert<Model>: Sendable {
  associatedtype Model: PersistentModel
  associatedtype TransactionIdentifier: Comparable, Hashable, Sendable
  associatedtype ChangeIdentifier: Comparable, Hashable, Sendable

  var changeIdentifier: ChangeIdentifier { get }
  var transactionIdentifier: TransactionIdentifier { get }
  var changedPersistentIdentifier: PersistentIdentifier { get }
}

public protocol HistoryUpdate<Model>: Sendable {
  associatedtype Model: PersistentModel
  associatedtype TransactionIdentifier: Comparable, Hashable, Sendable
  associatedtype ChangeIdentifier: Comparable, Hashable, Sendable
  typealias PropertyUpdate = PartialKeyPath<Model> & Sendable

  var changeIdentifier: ChangeIdentifier { get }
  var transactionIdentifier: TransactionIdentifier { get }
  var changedPersistentIdentifier: PersistentIdentifier { get }
  /// The properties that were changed, relationships included.
  var updatedAttributes: [any PartialKeyPath<Model> & Sendable] { get }
}

public protocol HistoryDelete<Model>: Sendable {
  associatedtype Model: PersistentModel
  associatedtype TransactionIdentifier: Comparable, Hashable, Sendable
  associatedtype ChangeIdentifier: Comparable, Hashable, Sendable

  var changeIdentifier: ChangeIdentifier { get }
  var transactionIdentifier: TransactionIdentifier { get }
  var changedPersistentIdentifier: PersistentIdentifier { get }
  /// What is left of the model: the properties with `.preserveValueOnDeletion`.
  var tombstone: HistoryTombstone<Model> { get }
}

/// The preserved values of a deleted model.
///
/// Sendable: plain values, which nothing changes.
public struct HistoryTombstone<Model: PersistentModel>: Sequence, @unchecked Sendable {
  let values: [String: Any]

  public subscript(keyPath: PartialKeyPath<Model>) -> (any Sendable)? {
    ModelType.of(Model.self).property(for: keyPath).flatMap { sendable(values[$0.name]) }
  }

  private func sendable(_ value: Any?) -> (any Sendable)? {
    func open<T>(_ value: T) -> any Sendable { unsafeSendable(value) }
    return value.map { _openExistential($0, do: open) }
  }

  public func makeIterator() -> Iterator {
    Iterator(values: values.sorted { $0.key < $1.key }.map(\.value).makeIterator())
  }

  public struct Iterator: IteratorProtocol {
    var values: IndexingIterator<[Any]>
    public mutating func next() -> Any? { values.next() }
  }
}

/// What a store keeps is a value type that can be sent; Sendable is a mark without a trace at run time.
private func unsafeSendable<T>(_ value: T) -> any Sendable {
  withUnsafePointer(to: value as Any) {
    UnsafeRawPointer($0).load(as: (any Sendable).self)
  }
}
