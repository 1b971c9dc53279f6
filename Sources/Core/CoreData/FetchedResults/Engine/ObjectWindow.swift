/// Keeps the objects around the rows that were accessed last alive, so that a scrolling table reads
/// them in batches.
struct ObjectWindow {
  private static let batches = 4
  /// The batch size if the request has none.
  private static let usualBatch = 64

  private var recent: [[NSManagedObject]] = []

  mutating func forget() { recent = [] }

  /// Reads the batch that contains a rank, with one statement.
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
