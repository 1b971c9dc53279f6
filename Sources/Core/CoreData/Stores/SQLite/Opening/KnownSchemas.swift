import Synchronization

/// The schema that was found in the last file opened with each model. Opening a similar file, or
/// the same again, skips the search: a server may have a file per customer, a test suite one per
/// case.
///
/// Files are similar if the texts of SQLite's schema and the numbers of the entities are equal.
enum KnownSchemas {
  // Sendable: layouts and everything that is derived from them are immutable.
  private struct Entry: @unchecked Sendable {
    let layouts: [EntityLayout]
    let texts: [String]
    let numbers: [String: Int]
    let schema: StoreCatalog.Schema
  }

  /// The entries by a model's first layout, whose address is never reused: layouts are never
  /// released.
  private static let latest = Mutex<[ObjectIdentifier: Entry]>([:])

  static func schema(
    of layouts: [EntityLayout], texts: [String], numbers: [String: Int],
    make: () throws -> StoreCatalog.Schema
  ) throws -> StoreCatalog.Schema {
    // Not reused for composite attributes: their columns are checked against the model in the
    // store.
    guard let first = layouts.first, layouts.allSatisfy({ $0.composites.isEmpty }) else {
      return try make()
    }
    if let known = latest.withLock({ $0[ObjectIdentifier(first)] }), known.texts == texts,
      known.numbers == numbers, known.layouts.elementsEqual(layouts, by: ===)
    {
      return known.schema
    }
    let made = Entry(layouts: layouts, texts: texts, numbers: numbers, schema: try make())
    latest.withLock { $0[ObjectIdentifier(first)] = made }
    return made.schema
  }
}
