import Foundation
import SwiftData
import Testing

/// One descriptor, asked in every way that a context has: models, counts, identifiers, batches, an enumeration. All say the
/// same, which is what arrays say, or throw what they are documented to throw.
struct FetchFormTests {
  private struct Row: Equatable {
    var title: String
    var pages: Int
    var tags: [String]
  }

  private enum Condition: CaseIterable { case none, ofTheStore, ofMemory, ofBoth }
  private enum Order: CaseIterable { case none, byTitle, byPages }

  private struct Case {
    let condition: Condition
    let order: Order
    let limit: Int?
    let offset: Int?
    let hasChanges: Bool
    let includesChanges: Bool

    static var all: [Case] {
      var all: [Case] = []
      for condition in Condition.allCases {
        for order in Order.allCases {
          for limit in [nil, 0, 3, 50, .max] {
            for offset in [nil, 2, 50, .max] {
              for (hasChanges, includes) in [(false, true), (true, true), (true, false)] {
                all.append(
                  Case(
                    condition: condition, order: order, limit: limit, offset: offset,
                    hasChanges: hasChanges, includesChanges: includes))
              }
            }
          }
        }
      }
      return all
    }

    var descriptor: FetchDescriptor<Book> {
      var descriptor = FetchDescriptor<Book>()
      switch condition {
      case .none: break
      case .ofTheStore: descriptor.predicate = #Predicate { $0.pages > 1 }
      case .ofMemory: descriptor.predicate = #Predicate { $0.tags.contains("a") }
      case .ofBoth: descriptor.predicate = #Predicate { $0.pages > 1 && $0.tags.contains("a") }
      }
      switch order {
      case .none: break
      case .byTitle: descriptor.sortBy = [SortDescriptor(\.title, order: .reverse)]
      case .byPages: descriptor.sortBy = [SortDescriptor(\.pages), SortDescriptor(\.title)]
      }
      descriptor.fetchLimit = limit
      descriptor.fetchOffset = offset
      descriptor.includePendingChanges = includesChanges
      return descriptor
    }

    func answer(_ rows: [Row]) -> [String] {
      var rows = rows.filter { row in
        switch condition {
        case .none: true
        case .ofTheStore: row.pages > 1
        case .ofMemory: row.tags.contains("a")
        case .ofBoth: row.pages > 1 && row.tags.contains("a")
        }
      }
      switch order {
      case .none: break
      case .byTitle: rows.sort { $0.title > $1.title }
      case .byPages: rows.sort { ($0.pages, $0.title) < ($1.pages, $1.title) }
      }
      let rest = rows.dropFirst(offset ?? 0)
      return (limit.map { $0 > 0 ? rest.prefix($0) : rest } ?? rest).map(\.title)
    }

    /// Whether the order of what is found is the test's business.
    var isOrdered: Bool { order != .none }
  }

  enum Store: CaseIterable { case inMemory, file, custom }

  private static func withContainer(_ store: Store, _ body: (ModelContainer) throws -> Void) throws
  {
    if store == .inMemory { return try body(LibraryStore.container()) }
    try LibraryStore.withFile { url in
      if store == .file { return try body(LibraryStore.container(at: url)) }
      let schema = Schema([Author.self, Book.self, Shelf.self])
      let configuration = JSONStoreConfiguration(name: "library", schema: schema, url: url)
      try body(ModelContainer(for: schema, configurations: [configuration]))
    }
  }

  private static func row(_ number: Int) -> Row {
    Row(
      title: String(format: "%02d", number), pages: number % 4, tags: number % 3 == 0 ? ["a"] : [])
  }

  private func fill(_ container: ModelContainer) throws {
    let context = ModelContext(container)
    for row in (0..<12).map(Self.row) { context.insert(book(row)) }
    try context.save()
  }

  private func book(_ row: Row) -> Book {
    let book = Book(title: row.title)
    book.pages = row.pages
    book.tags = row.tags
    return book
  }

  /// Inserts, edits and deletes; what is there then.
  private func change(_ context: ModelContext) throws -> [Row] {
    var rows = (0..<12).map(Self.row)
    for book in try context.fetch(FetchDescriptor<Book>()) {
      if book.title == "00" { book.pages = 3 }
      if book.title == "03" { context.delete(book) }
    }
    rows[0].pages = 3
    rows.remove(at: 3)
    let new = Row(title: "20", pages: 3, tags: ["a"])
    context.insert(book(new))
    return rows + [new]
  }

  @Test(arguments: Store.allCases) func allFormsSayTheSame(_ store: Store) throws {
    try Self.withContainer(store, check)
  }

  private func check(_ container: ModelContainer) throws {
    try fill(container)
    var checked = 0
    for test in Case.all {
      let context = ModelContext(container)
      let stored = (0..<12).map(Self.row)
      let now = test.hasChanges ? try change(context) : stored
      let expected = test.answer(test.includesChanges ? now : stored)
      let descriptor = test.descriptor
      let found = try context.fetch(descriptor)
      if test.isOrdered {
        #expect(found.map(\.title) == expected, "\(test)")
      } else {
        #expect(found.count == expected.count, "\(test)")
        if test.limit == nil, test.offset == nil {
          #expect(Set(found.map(\.title)) == Set(expected), "\(test)")
        }
      }
      #expect(try context.fetchCount(descriptor) == found.count, "\(test)")
      try checkIdentifiers(test, context, found)
      try checkBatches(test, context, found)
      for size in [1, 5, 5000] {
        var seen: [Book] = []
        try context.enumerate(descriptor, batchSize: size) { seen.append($0) }
        #expect(seen == found, "\(test), \(size)")
      }
      checked += 1
    }
    #expect(checked == 720)
  }

  private func checkIdentifiers(
    _ test: Case, _ context: ModelContext, _ found: [Book]
  ) throws {
    let expected = found.map(\.persistentModelID)
    if test.hasChanges, test.includesChanges, test.isOrdered {
      #expect(throws: SwiftDataError.sortingPendingChangesWithIdentifiers) {
        try context.fetchIdentifiers(test.descriptor)
      }
    } else {
      #expect(try context.fetchIdentifiers(test.descriptor) == expected, "\(test)")
    }
    if test.hasChanges, test.includesChanges {
      #expect(throws: SwiftDataError.includePendingChangesWithBatchSize) {
        try context.fetchIdentifiers(test.descriptor, batchSize: 4)
      }
    } else {
      let batches = try context.fetchIdentifiers(test.descriptor, batchSize: 4)
      #expect(Array(batches) == expected, "\(test)")
    }
  }

  private func checkBatches(_ test: Case, _ context: ModelContext, _ found: [Book]) throws {
    if test.hasChanges, test.includesChanges {
      #expect(throws: SwiftDataError.includePendingChangesWithBatchSize) {
        try context.fetch(test.descriptor, batchSize: 4)
      }
    } else {
      #expect(Array(try context.fetch(test.descriptor, batchSize: 4)) == found, "\(test)")
    }
  }
}
