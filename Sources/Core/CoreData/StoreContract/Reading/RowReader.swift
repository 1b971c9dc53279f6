import KeyValueCoding
import Predicates

/// Filters and sorts rows in memory by predicates and sort descriptors. Used on one thread, for one
/// fetch.
///
/// Comparisons with nil follow SQL's rule unless the store's options choose another, so that a
/// fetch finds the same objects in every store.
package final class RowReader {
  private let source: any RowSource
  private let nilRule: NilRule
  private var failure: (any Error)?
  private var expressions: [ObjectIdentifier: CompiledExpression] = [:]

  package init(source: any RowSource, nilRule: NilRule = .sql) {
    self.source = source
    self.nilRule = nilRule
  }

  /// The rows of a plan's entity that match its predicate, in their order.
  ///
  /// Throws the source's errors, and an error with the reason if the predicate cannot be evaluated.
  package func filtered(_ rows: [Row], by plan: FetchPlan) throws -> [Row] {
    guard let predicate = plan.predicate else { return rows }
    let layout = plan.layout
    let fetching = StoredFetch(
      model: layout.entity.managedObjectModel, of: plan, nilRule: nilRule
    ) { plan in
      try self.source.rows(plan).map(self.object)
    }
    let compiled = CompiledPredicate(predicate, nilRule: nilRule, fetching: fetching) {
      Self.read($0, layout: layout)
    }
    return try rows.filter { row in
      let matches = try CoreDataError.explaining { try compiled.matches(object(row)) }
      try throwFailure()
      return matches
    }
  }

  /// The value of an expression for a row, computed as SQL does: an operation on nil gives nil. The
  /// expression must outlive the reader, which caches its compiled form by its address.
  func value(of expression: NSExpression, _ row: Row) throws -> Any? {
    let key = ObjectIdentifier(expression)
    let compiled =
      expressions[key] ?? CompiledExpression(expression, nilRule: nilRule.inFetch)
    expressions[key] = compiled
    return try compiled.value(of: object(row)).any
  }

  /// The rows ordered by sort descriptors; the sort is stable.
  package func sorted(_ rows: [Row], by descriptors: [NSSortDescriptor]) throws -> [Row] {
    guard !descriptors.isEmpty else { return rows }
    let sort = CompiledSort(try descriptors.map(Self.keyed))
    let order = try CoreDataError.explaining { try sort.sortedIndices(of: rows.map(object)) }
    try throwFailure()
    return order.map { rows[$0] }
  }

  /// A sort descriptor with the key of `descriptor` that reads keys by key-value coding:
  /// Foundation's own reads only the type that it was made for. Throws if the descriptor has no
  /// key.
  static func keyed(_ descriptor: NSSortDescriptor) throws -> NSSortDescriptor {
    if descriptor is KeyedSortDescriptor, descriptor.key != nil { return descriptor }
    guard let key = descriptor.key else {
      throw CoreDataError.make(
        .coreData,
        reason: "A sort descriptor of a fetch must name a key path; \(descriptor) does not.")
    }
    return NSSortDescriptor(key: key, ascending: descriptor.ascending)
  }

  /// A function that reads an attribute or to-one relationship of the entity or a subentity by its
  /// slot; nil for another path. The downcast is sound: predicates of this reader evaluate its
  /// ``RowObject``s alone.
  private static func read(_ path: String, layout: EntityLayout) -> ((AnyObject) -> TypedValue)? {
    guard let slot = layout.slot(of: path) else { return nil }
    return { unsafeDowncast($0, to: RowObject.self).value(inSlot: slot) }
  }

  // MARK: - Reads of RowObject

  func object(_ row: Row) -> RowObject { RowObject(row, reader: self) }

  func object(_ identity: NSManagedObjectID) -> RowObject { RowObject(identity, reader: self) }

  /// Records the first error, which the current step throws at its end: key-value coding cannot
  /// throw.
  func fail(_ error: any Error) { failure = failure ?? error }

  func throwFailure() throws {
    if let failure { throw failure }
  }

  func row(of identity: NSManagedObjectID) -> Row? {
    do { return try source.row(of: identity) } catch {
      fail(error)
      return nil
    }
  }

  func members(
    of relationship: NSRelationshipDescription, owner: NSManagedObjectID
  ) -> [NSManagedObjectID] {
    do { return try source.members(of: relationship, owner: owner) } catch {
      fail(error)
      return []
    }
  }
}
