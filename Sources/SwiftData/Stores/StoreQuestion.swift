import CoreData

/// A fetch of models while it is a fetch of Core Data: what a custom store is asked in its place.
class StoreQuestion {
  /// The descriptor's predicate as Core Data has it; another one is Core Data's own, and is answered in memory.
  let predicate: NSPredicate?
  let sortCount: Int

  init(_ predicate: NSPredicate?, sortCount: Int) {
    self.predicate = predicate
    self.sortCount = sortCount
  }

  func fetch(_ limits: Limits, _ store: any DataStoreAccess, _ state: EditingState) throws
    -> Answer<FetchedSnapshots>
  { fatalError("DescriptorQuestion overrides it") }

  func count(_ limits: Limits, _ store: any DataStoreAccess, _ state: EditingState) throws
    -> Answer<Int>
  { fatalError("DescriptorQuestion overrides it") }

  func identifiers(_ limits: Limits, _ store: any DataStoreAccess, _ state: EditingState) throws
    -> Answer<[PersistentIdentifier]>
  { fatalError("DescriptorQuestion overrides it") }

  /// What is left of the results; 0 means no limit.
  struct Limits {
    let limit: Int
    let offset: Int
  }

  struct Answer<Result> {
    let result: Result
    /// What the store has left to memory, and with it the limits.
    let leavesFilter: Bool
    let leavesSort: Bool

    var isWhole: Bool { !leavesFilter && !leavesSort }
  }

  /// All models of a class.
  static func everything(of type: any PersistentModel.Type) -> StoreQuestion {
    func question<T: PersistentModel>(_ type: T.Type) -> StoreQuestion {
      DescriptorQuestion(FetchDescriptor<T>(), nil)
    }
    return question(type)
  }

  /// One model by its identifier.
  static func one(_ identifier: PersistentIdentifier, _ type: any PersistentModel.Type)
    -> StoreQuestion
  {
    func question<T: PersistentModel>(_ type: T.Type) -> StoreQuestion {
      let predicate = #Predicate<T> { $0.persistentModelID == identifier }
      return DescriptorQuestion(FetchDescriptor<T>(predicate: predicate), nil)
    }
    return question(type)
  }

  /// The models that have one of these objects' values; nil for a property that is no column.
  static func sharing(
    _ property: ModelProperty, with objects: [ManagedModelObject],
    _ type: any PersistentModel.Type
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
      // As a predicate has it that is written down: the key paths of models capture nothing.
      let path = unsafeBitCast(path, to: (any KeyPath<T, V> & Sendable).self)
      let predicate = Predicate<T> {
        PredicateExpressions.build_contains(
          PredicateExpressions.build_Arg(values),
          PredicateExpressions.build_KeyPath(root: $0, keyPath: path))
      }
      return DescriptorQuestion(FetchDescriptor<T>(predicate: predicate), nil)
    }
    return question(type)
  }
}

final class DescriptorQuestion<T: PersistentModel>: StoreQuestion {
  private let descriptor: FetchDescriptor<T>

  init(_ descriptor: FetchDescriptor<T>, _ predicate: NSPredicate?) {
    self.descriptor = descriptor
    super.init(predicate, sortCount: descriptor.sortBy.count)
  }

  override func fetch(
    _ limits: Limits, _ store: any DataStoreAccess, _ state: EditingState
  ) throws -> Answer<FetchedSnapshots> { try ask(limits) { try store.fetch($0, state) } }

  override func count(
    _ limits: Limits, _ store: any DataStoreAccess, _ state: EditingState
  ) throws -> Answer<Int> { try ask(limits) { try store.count($0, state) } }

  override func identifiers(
    _ limits: Limits, _ store: any DataStoreAccess, _ state: EditingState
  ) throws -> Answer<[PersistentIdentifier]> {
    try ask(limits) { try store.identifiers($0, state) }
  }

  /// Asks for less and less, as the store wishes.
  private func ask<Result>(
    _ limits: Limits, _ ask: (FetchDescriptor<T>) throws -> Result
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
