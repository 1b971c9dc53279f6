import CoreData

extension NSManagedObjectContext {
  private static let mostFetchedAtOnce = 10_000

  /// Returns true if a request has so many objects that it should be fetched in the background, so
  /// that other windows do not wait.
  package func hasManyObjects<Object: NSManagedObject>(_ request: NSFetchRequest<Object>) -> Bool {
    // Bounds the count.
    request.fetchLimit = Self.mostFetchedAtOnce + 1
    // If counting fails, the fetch fails too and reports the error.
    let count = try? count(for: request)
    return (count ?? 0) > Self.mostFetchedAtOnce
  }
}

/// Parameters of fetches for long lists.
package enum LongFetch {
  /// The number of rows shown before the rest is fetched: more than a page holds at once.
  package static let firstRows = 200
  /// The pause after which a search starts; while the user types, the next key comes earlier.
  package static let typingPause = Duration.milliseconds(120)
}
