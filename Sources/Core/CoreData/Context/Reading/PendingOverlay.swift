import KeyValueCoding
import Predicates

/// The pending changes of a context that affect one fetch, applied to the stores' results.
///
/// Deleted and edited objects are removed from the stored results. Edited and new objects that
/// match the predicate with their values in memory are merged in, by the sort descriptors. Limit
/// and offset are applied afterwards, as they would be after a save: the stores are asked for as
/// many more results as pending changes may remove.
struct PendingOverlay {
  private let plan: FetchPlan
  private let context: NSManagedObjectContext
  /// The objects to remove from the stored results.
  private let changed: Set<PackedIdentity>
  /// The changed objects that match in memory, in the order of the fetch.
  private let matching: [NSManagedObject]

  /// Throws error 134060 if the predicate cannot be evaluated for an object.
  init(context: NSManagedObjectContext, plan: FetchPlan) throws {
    self.plan = plan
    self.context = context
    if context.deleted.isEmpty && context.updated.isEmpty && context.inserted.isEmpty {
      (changed, matching) = ([], [])
      return
    }
    let gone = context.deleted.filter { Self.concerns($0, plan: plan) }
    let edited = context.updated.filter { Self.concerns($0, plan: plan) }
    let new = context.inserted.filter { Self.concerns($0, plan: plan) }
    changed = Set((Array(gone) + Array(edited)).map(\.packedIdentity))
    let candidates = try Self.matching(
      Array(edited) + Array(new), plan: plan, in: context)
    matching = candidates.isEmpty ? [] : Self.sort(candidates, plan: plan)
  }

  fileprivate static func concerns(_ object: NSManagedObject, plan: FetchPlan) -> Bool {
    if object.layout === plan.layout { return true }
    return plan.includesSubentities && object.layout.entity.isKindOf(entity: plan.layout.entity)
  }

  /// The objects that match, by the store's rule for nil, so that a save does not change the
  /// result.
  private static func matching(
    _ objects: [NSManagedObject], plan: FetchPlan, in context: NSManagedObjectContext
  ) throws -> [NSManagedObject] {
    guard let predicate = plan.predicate, !objects.isEmpty else { return objects }
    let compiled = CompiledPredicate(
      predicate, nilRule: context.nilRule(for: plan),
      fetching: context.storedFetch(of: plan, keepsResults: true), reader: plan.layout.objectReader)
    return try CoreDataError.explaining { try objects.filter { try compiled.matches($0) } }
  }

  private static func sort(_ objects: [NSManagedObject], plan: FetchPlan) -> [NSManagedObject] {
    objects.sorted { precedes($0, right: $1, plan: plan) }
  }

  private static func precedes(
    _ left: NSManagedObject, right: NSManagedObject, plan: FetchPlan
  ) -> Bool {
    for descriptor in plan.sortDescriptors {
      switch descriptor.compare(left, to: right) {
      case .orderedAscending: return true
      case .orderedDescending: return false
      case .orderedSame: continue
      }
    }
    return left.packedIdentity.tieOrder < right.packedIdentity.tieOrder
  }

  func apply(to stored: [NSManagedObject]) -> [NSManagedObject] {
    let kept = changed.isEmpty ? stored : stored.filter { !changed.contains($0.packedIdentity) }
    return inWindow(merge(kept, new: matching, identity: \.packedIdentity, object: { $0 }))
  }

  func apply(to stored: ContiguousArray<PackedIdentity>) -> ContiguousArray<PackedIdentity> {
    let kept = changed.isEmpty ? stored : stored.filter { !changed.contains($0) }
    let new = ContiguousArray(matching.map(\.packedIdentity))
    return inWindow(merge(kept, new: new, identity: { $0 }, object: { context.object(for: $0) }))
  }

  /// Merges `new` into `kept`, both of which are sorted. Positions are found by binary search,
  /// which looks at few of `kept`.
  private func merge<Results: RangeReplaceableCollection & RandomAccessCollection>(
    _ kept: Results, new: Results, identity: (Results.Element) -> PackedIdentity,
    object: (Results.Element) -> NSManagedObject?
  ) -> Results where Results.Index == Int {
    if new.isEmpty { return kept }
    var merged = Results()
    merged.reserveCapacity(kept.count + new.count)
    var start = kept.startIndex
    for (element, new) in zip(new, matching) {
      let place = place(of: new, in: kept, from: start) { other in
        // Without sort descriptors, saved objects come in the order of their keys.
        if plan.sortDescriptors.isEmpty {
          return identity(other).tieOrder < new.packedIdentity.tieOrder
        }
        // An object whose store was removed meanwhile has no values to compare.
        return object(other).map { Self.precedes($0, right: new, plan: plan) } ?? true
      }
      merged.append(contentsOf: kept[start..<place])
      merged.append(element)
      start = place
    }
    merged.append(contentsOf: kept[start...])
    return merged
  }

  private func place<Results: RandomAccessCollection>(
    of new: NSManagedObject, in kept: Results, from start: Int,
    isBefore: (Results.Element) -> Bool
  ) -> Int where Results.Index == Int {
    if plan.sortDescriptors.isEmpty, new.packedIdentity.isTemporary { return kept.endIndex }
    var low = start
    var high = kept.endIndex
    while low < high {
      let middle = (low + high) / 2
      if isBefore(kept[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private func inWindow<Results: RangeReplaceableCollection>(_ results: Results) -> Results {
    plan.hasWindow ? Results(plan.window(Array(results))) : results
  }
}

extension NSManagedObjectContext {
  /// The plan for the stores if pending changes may affect a fetch: wide enough to fill the fetch's
  /// window after they are applied. nil if none affects it, and the stores' results are final.
  final func widenedByPendingChanges(_ plan: FetchPlan) -> FetchPlan? {
    if deleted.isEmpty && updated.isEmpty && inserted.isEmpty { return nil }
    let concerned = { PendingOverlay.concerns($0, plan: plan) }
    guard plan.hasWindow else {
      let isConcerned =
        deleted.contains(where: concerned) || updated.contains(where: concerned)
        || inserted.contains(where: concerned)
      return isConcerned ? plan : nil
    }
    let leaving = deleted.count(where: concerned) + updated.count(where: concerned)
    if leaving == 0, !inserted.contains(where: concerned) { return nil }
    var widened = plan
    widened.offset = 0
    if plan.limit > 0 { widened.limit = plan.offset + plan.limit + leaving }
    return widened
  }
}

extension FetchPlan {
  /// Whether the plan selects a part of the matching objects.
  var hasWindow: Bool { limit > 0 || offset > 0 }
}
