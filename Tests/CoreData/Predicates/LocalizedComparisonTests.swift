import CoreData
import Predicates
import Testing

@testable import CoreDataSamples

/// `=[l]`, `<[cl]` and their like follow the collation of sort descriptors, in SQL as in memory.
@Suite struct LocalizedComparisonTests {
  private static let words = [
    "", "a", "A", "ä", "a\u{308}", "b", "Z", "z", "é", "E", "item 9", "item 10", "Å", "\u{212B}",
    "ß", "ss", "-", "日本", "01", "1",
  ]

  private static func holds(_ order: ComparisonResult, _ symbol: String) -> Bool {
    switch symbol {
    case "==", "IN": order == .orderedSame
    case "!=": order != .orderedSame
    case "<": order == .orderedAscending
    case "<=": order != .orderedDescending
    case ">": order == .orderedDescending
    default: order != .orderedAscending
    }
  }

  private func withThings(_ body: ([NSManagedObject], NSManagedObjectContext) throws -> Void) throws
  {
    let stack = try TestStack(.sqlite, model: ThingModel.make())
    try stack.withContext { context in
      let things = Self.words.enumerated().map { number, word in
        let thing = NSEntityDescription.insertNewObject(forEntityName: "Thing", into: context)
        thing.setValue(number, forKey: "number")
        thing.setValue(word, forKey: "text")
        thing.setValue(Self.words[(number + 1) % Self.words.count], forKey: "other")
        return thing
      }
      try context.save()
      try body(things, context)
    }
  }

  @Test(arguments: [
    ("[l]", SortSelector.localizedCompare), ("[cl]", .localizedCaseInsensitiveCompare),
  ])
  func followTheCollation(_ options: String, _ selector: SortSelector) throws {
    try withThings { things, context in
      for symbol in ["==", "!=", "<", "<=", ">", ">="] {
        for word in Self.words {
          let predicate = NSPredicate(format: "text \(symbol)\(options) %@", word)
          let expected = try Self.words.indices.filter {
            Self.holds(try selector.order(.string(Self.words[$0]), .string(word)), symbol)
          }
          try expect(predicate, things, context, expected)
        }
        let both = NSPredicate(format: "text \(symbol)\(options) other")
        let expected = try Self.words.indices.filter {
          let other = Self.words[($0 + 1) % Self.words.count]
          return Self.holds(
            try selector.order(.string(Self.words[$0]), .string(other)), symbol)
        }
        try expect(both, things, context, expected)
      }
    }
  }

  @Test func membershipAndBoundsDoToo() throws {
    try withThings { things, context in
      for (format, words) in [
        ("text IN[l] {'a\u{308}', '\u{C5}'}", ["ä", "a\u{308}", "Å", "\u{212B}"]),
        ("text IN[cl] {'A', 'é'}", ["a", "A", "é"]),
        ("text ==[dl] 'a'", ["a", "ä", "a\u{308}"]),
        ("text BETWEEN[l] {'a', 'b'}", ["a", "A", "ä", "a\u{308}", "Å", "\u{212B}", "b"]),
      ] {
        let bytes = words.map { Array($0.utf8) }
        let expected = Self.words.indices.filter { bytes.contains(Array(Self.words[$0].utf8)) }
        try expect(NSPredicate(format: format), things, context, expected)
      }
    }
  }

  private func expect(
    _ predicate: NSPredicate, _ things: [NSManagedObject], _ context: NSManagedObjectContext,
    _ expected: [Int]
  ) throws {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Thing")
    request.predicate = predicate
    let fetched = (try context.fetch(request)).numbers
    #expect(fetched == expected, "\(predicate)")
    #expect(things.filter { predicate.evaluate(with: $0) }.numbers == expected, "\(predicate)")
  }
}
