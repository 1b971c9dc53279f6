/// The objects around the rows that were looked at last, kept alive so that a table that scrolls
/// reads them in batches.
struct ObjectWindow {
  private static let batches = 4
  /// When the request names no batch size.
  private static let usualBatch = 64

  private var recent: [[NSManagedObject]] = []

  mutating func forget() { recent = [] }

  /// Reads the batch that a rank is in, with one statement.
  mutating func read(
    around rank: Int, of list: FetchedList, batchSize: Int, _ engine: FetchedResultsEngine
  ) {
    let size = batchSize > 0 ? batchSize : Self.usualBatch
    let start = rank / size * size
    let range = start..<min(start + size, list.count)
    let objects = list.order.words(in: range).map(engine.object)
    engine.read(objects)
    recent.append(objects)
    if recent.count > Self.batches { recent.removeFirst() }
  }
}
