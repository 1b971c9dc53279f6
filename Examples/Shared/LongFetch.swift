import CoreData

extension NSManagedObjectContext {
  private static let mostFetchedAtOnce = 10_000

  /// Whether there are so many objects of an entity that fetching them takes a moment, during which
  /// other windows are not to wait.
  package func hasManyObjects<Object: NSManagedObject>(_ request: NSFetchRequest<Object>) -> Bool {
    // No more are counted than need to be.
    request.fetchLimit = Self.mostFetchedAtOnce + 1
    // A store that cannot be counted cannot be fetched from either, which is told then.
    let count = try? count(for: request)
    return (count ?? 0) > Self.mostFetchedAtOnce
  }
}

/// What a list of many objects asks of a fetch.
package enum LongFetch {
  /// These are shown first, and the rest when it is there: more than a page holds at once.
  package static let firstRows = 200
  /// Somebody who types on presses the next key by then.
  package static let typingPause = Duration.milliseconds(120)
}
