import Synchronization

/// What was found out about the file that was opened last with a model, so that opening another one like it, or the
/// same again, does not find it out anew: a server may have a file for each of its customers, a test one for each case.
///
/// Files are alike when SQLite's own catalogue and the numbers of the entities are the same, letter by letter.
enum KnownSchemas {
  // Sendable: layouts and what is made of them are immutable.
  private struct Entry: @unchecked Sendable {
    let layouts: [EntityLayout]
    let texts: [String]
    let numbers: [String: Int]
    let schema: StoreCatalog.Schema
  }

  /// By the first layout; layouts live for ever.
  private static let latest = Mutex<[ObjectIdentifier: Entry]>([:])

  static func schema(
    of layouts: [EntityLayout], texts: [String], numbers: [String: Int],
    make: () throws -> StoreCatalog.Schema
  ) throws -> StoreCatalog.Schema {
    // Where the elements of a composite are, the model says that a store keeps of itself.
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
