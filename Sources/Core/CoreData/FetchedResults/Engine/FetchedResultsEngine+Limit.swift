extension FetchedResultsEngine {
  /// The identities that the request fetches, in order, within its offset and limit.
  func fetchedWords() throws -> ContiguousArray<UInt64> {
    ContiguousArray(try context.fetchIdentities(request).lazy.map(\.bits))
  }

  /// Replaces the changes of an event by those that keep the list within the request's limits.
  func holdLimit(_ candidates: inout Candidates) {
    guard options.keepsFetchLimit, request.fetchLimit > 0, let list, let reader else { return }
    let wanted = trapping { try fetchedWords() }
    let within = Set(wanted)
    let known = list.order.words(in: 0..<list.count)
    candidates.batch.present.removeAll { !within.contains($0.word) }
    candidates.batch.leaving = known.filter { !within.contains($0) }
    let present = Set(candidates.batch.present.map(\.word))
    let entering = wanted.filter { !list.order.contains($0) && !present.contains($0) }
    candidates.batch.present += reader.namedEntries(of: Array(entering))
  }

  /// Whether an event may change which objects are within the limit. Objects before the offset and
  /// past the limit count too, although the list does not have them.
  func concernsLimit(_ changes: ContextChanges) -> Bool {
    guard options.keepsFetchLimit else { return false }
    let objects = [changes.inserted, changes.updated, changes.deleted, changes.refreshed]
    let layouts =
      objects.joined().map(\.layout) + changes.unregistered.map(\.layout)
      + changes.unregisteredDeletions.map(\.layout)
    return layouts.contains { matchTest?.concerns($0) == true }
  }

  private func trapping<Result>(_ fetch: () throws -> Result) -> Result {
    do { return try fetch() } catch {
      fatalError("CoreData could not fetch what a list of fetched results is to have: \(error)")
    }
  }
}
