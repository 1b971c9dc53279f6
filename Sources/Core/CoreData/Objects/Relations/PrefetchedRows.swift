/// Prefetched rows, kept in the store's cache for as long as one of the fetched objects is alive.
final class PrefetchedRows {
  private let rows: [Row]

  init(_ rows: [Row]) { self.rows = rows }
}
