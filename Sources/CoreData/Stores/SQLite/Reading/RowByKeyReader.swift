/// Reads one row after the other by its key, as faults ask for them: what that takes stays with the connection as
/// long as objects of one entity are asked for.
final class RowByKeyReader {
  private let layout: EntityLayout
  private let statement: SQLiteStatement
  private let decoder: RowDecoder
  // A transformer may read from within a read.
  @exclusivity(unchecked)
  private var isReading = false

  init(_ layout: EntityLayout, statement: SQLiteStatement, decoder: RowDecoder) {
    self.layout = layout
    self.statement = statement
    self.decoder = decoder
  }

  func isFree(for layout: EntityLayout) -> Bool {
    self.layout === layout && !isReading && decoder.isOfThisRead
  }

  /// The newest row, sealed and shared; nil when it is gone.
  func row(_ key: Int64) throws -> Row? {
    isReading = true
    defer {
      statement.reset()
      isReading = false
    }
    statement.bind(key, at: 1)
    return try decoder.row(statement)
  }
}
