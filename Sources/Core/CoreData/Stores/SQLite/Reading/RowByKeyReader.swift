/// Reads single rows by key, as faults need them. The connection keeps the reader as long as faults
/// are of one entity.
final class RowByKeyReader {
  private let layout: EntityLayout
  private let statement: SQLiteStatement
  private let decoder: RowDecoder
  // Whether a read is running: a transformer may start another one within it.
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

  /// The newest row, sealed and shared; nil if it is gone.
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
