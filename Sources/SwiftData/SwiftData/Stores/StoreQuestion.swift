import CoreData

/// The fetch for a custom store that a Core Data fetch request carries.
class StoreQuestion {
  /// The translation of the descriptor's predicate. A request with any other predicate comes from
  /// Core Data itself, and is filtered in memory.
  let predicate: NSPredicate?
  let sortCount: Int

  init(_ predicate: NSPredicate?, sortCount: Int) {
    self.predicate = predicate
    self.sortCount = sortCount
  }

  func fetch(_ limits: Limits, store: any DataStoreAccess, state: EditingState) throws
    -> Answer<FetchedSnapshots>
  { fatalError("DescriptorQuestion overrides it") }

  func count(_ limits: Limits, store: any DataStoreAccess, state: EditingState) throws
    -> Answer<Int>
  { fatalError("DescriptorQuestion overrides it") }

  func identifiers(_ limits: Limits, store: any DataStoreAccess, state: EditingState) throws
    -> Answer<[PersistentIdentifier]>
  { fatalError("DescriptorQuestion overrides it") }

  /// The requested part of the results; a limit of 0 means no limit.
  struct Limits {
    let limit: Int
    let offset: Int
  }

  struct Answer<Result> {
    let result: Result
    /// Whether the store left the predicate to memory. Memory then also applies the limits.
    let leavesFilter: Bool
    /// Whether the store left the sort order to memory. Memory then also applies the limits.
    let leavesSort: Bool

    var isWhole: Bool { !leavesFilter && !leavesSort }
  }

  /// A fetch of all models of a class.
  static func everything(of type: any PersistentModel.Type) -> StoreQuestion {
    func question<T: PersistentModel>(_ type: T.Type) -> StoreQuestion {
      DescriptorQuestion(FetchDescriptor<T>(), predicate: nil)
    }
    return question(type)
  }

  /// A fetch of one model by its identifier.
  static func one(_ identifier: PersistentIdentifier, type: any PersistentModel.Type)
    -> StoreQuestion
  {
    func question<T: PersistentModel>(_ type: T.Type) -> StoreQuestion {
      let predicate = #Predicate<T> { $0.persistentModelID == identifier }
      return DescriptorQuestion(FetchDescriptor<T>(predicate: predicate), predicate: nil)
    }
    return question(type)
  }

  /// A fetch of the models that have the value of one of the objects; nil for a property that is
  /// not a column.
  static func sharing(
    _ property: ModelProperty, with objects: [ManagedModelObject],
    type: any PersistentModel.Type
  ) -> StoreQuestion? {
    func question<T: PersistentModel>(_ type: T.Type) -> StoreQuestion? {
      func typed<V: ColumnValue>(_ value: V.Type) -> StoreQuestion? {
        if let path = property.keyPath as? KeyPath<T, V> {
          return among(objects.map { $0.read(property, as: V.self) }, path)
        }
        guard let path = property.keyPath as? KeyPath<T, V?> else { return nil }
        return among(objects.map { $0.read(property, as: V?.self) }, path)
      }
      return (property.valueType as? any ColumnValue.Type).flatMap { typed($0) }
    }
    func among<T: PersistentModel, V: Codable & Hashable & Sendable>(
      _ values: [V], _ path: KeyPath<T, V>
    ) -> StoreQuestion {
      // Sound: `Sendable` is a marker protocol that does not change the representation, and key
      // paths of models capture nothing, like those of a predicate in source code.
      let path = unsafeBitCast(path, to: (any KeyPath<T, V> & Sendable).self)
      let predicate = Predicate<T> {
        PredicateExpressions.build_contains(
          PredicateExpressions.build_Arg(values),
          PredicateExpressions.build_KeyPath(root: $0, keyPath: path))
      }
      return DescriptorQuestion(FetchDescriptor<T>(predicate: predicate), predicate: nil)
    }
    return question(type)
  }
}

final class DescriptorQuestion<T: PersistentModel>: StoreQuestion {
  private let descriptor: FetchDescriptor<T>

  init(_ descriptor: FetchDescriptor<T>, predicate: NSPredicate?) {
    self.descriptor = descriptor
    super.init(predicate, sortCount: descriptor.sortBy.count)
  }

  override func fetch(
    _ limits: Limits, store: any DataStoreAccess, state: EditingState
  ) throws -> Answer<FetchedSnapshots> { try ask(limits) { try store.fetch($0, state: state) } }

  override func count(
    _ limits: Limits, store: any DataStoreAccess, state: EditingState
  ) throws -> Answer<Int> { try ask(limits) { try store.count($0, state: state) } }

  override func identifiers(
    _ limits: Limits, store: any DataStoreAccess, state: EditingState
  ) throws -> Answer<[PersistentIdentifier]> {
    try ask(limits) { try store.identifiers($0, state: state) }
  }

  /// Makes the request. Drops the predicate, the sort order and the limits if the store declines
  /// them.
  private func ask<Result>(
    _ limits: Limits, ask: (FetchDescriptor<T>) throws -> Result
  ) throws -> Answer<Result> {
    var asked = descriptor
    asked.fetchLimit = limits.limit > 0 ? limits.limit : nil
    asked.fetchOffset = limits.offset > 0 ? limits.offset : nil
    var (leavesFilter, leavesSort) = (false, false)
    while true {
      do {
        return Answer(
          result: try ask(asked), leavesFilter: leavesFilter, leavesSort: leavesSort)
      } catch DataStoreError.preferInMemoryFilter where asked.predicate != nil {
        asked.predicate = nil
        leavesFilter = true
      } catch DataStoreError.preferInMemorySort where !asked.sortBy.isEmpty {
        asked.sortBy = []
        leavesSort = true
      }
      asked.fetchLimit = nil
      asked.fetchOffset = nil
    }
  }
}
