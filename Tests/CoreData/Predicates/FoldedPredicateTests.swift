import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

/// Comparisons without case and accents: every operator with every option, in every place that a text may have. Stores find
/// the same, whether texts are of ASCII or not, nil and negations included.
@Suite struct FoldedPredicateTests {
  private static let seed: UInt64 = 20

  private static let subjects = [
    "text", "parent.text", "ANY tags.name", "SOME children.text", "ALL tags.name",
    "NONE tags.name", "ANY children.tags.name", "ALL parent.tags.name", "children.@max.text",
  ]
  private static let options = ["", "[c]", "[d]", "[cd]"]
  private static let words = ["'a'", "'Ab'", "'SS'", "'é'", "'k'", "''", "'B%'", "'A_b'"]

  /// What comes after the text: `%o` stands for the options, `%1` and `%2` for words.
  private static let comparisons = [
    "==%o %1", "!=%o %1", "<%o %1", ">=%o %1", "CONTAINS%o %1", "BEGINSWITH%o %1",
    "ENDSWITH%o %1", "LIKE%o '*a'", "LIKE%o 'a?*'", "MATCHES%o 'a.*'", "IN%o {%1, %2}",
    "BETWEEN%o {%1, %2}", "==%o other", "CONTAINS%o other", "IN%o {%1, other}",
  ]

  /// The whole product, each with one of the words.
  private static let formats: [String] = {
    var formats: [String] = []
    for (number, comparison) in comparisons.enumerated() {
      for (place, option) in options.enumerated() {
        func said(_ turn: Int) -> String {
          let first = words[(number + place + turn) % words.count]
          let second = words[(number * 3 + turn) % words.count]
          return comparison.replacing("%o", with: option).replacing("%1", with: first)
            .replacing("%2", with: second)
        }
        formats += subjects.enumerated().map { "\($1) \(said($0))" }
        formats.append("SUBQUERY(tags, $t, $t.name \(said(3))).@count > 0")
        formats.append("ANY SUBQUERY(children, $c, $c.text \(said(5))).other >=\(option) 'a'")
        formats.append("TERNARY(text \(said(1)), 1, 2) == 1")
        formats.append("(text \(said(2)) OR small == 1) AND ALL tags.name \(said(4))")
      }
    }
    for option in options {
      for word in words {
        formats.append("tags.name CONTAINS\(option) \(word)")
        formats.append("\(word) IN\(option) steps.name")
        formats.append("\(word) CONTAINS\(option) text")
      }
      formats.append("text IN\(option) steps.name")
    }
    return formats + formats.map { "NOT (\($0))" }
  }()

  @Test(
    arguments: Sample.of(
      StoreKind.all.filter { $0.speaksSQL },
      [(true, false), (true, true), (false, false), (false, true)]))
  func storesFindTheSame(_ kind: StoreKind, _ way: (isPlain: Bool, asInMemory: Bool)) throws {
    print(
      "FoldedPredicateTests: \(kind), \(way), seed \(Self.seed), \(Self.formats.count) predicates")
    var random = SplitMix64(seed: Self.seed)
    let plain = PlainThings(
      &random, words: way.isPlain ? PlainThings.plainWords : PlainThings.words)
    let options: [AnyHashable: Any] = [OpenCoreDataComparesNilAsInMemoryOption: way.asInMemory]
    let sides = try [kind, .inMemory].map { try Stage($0, plain, options) }
    var differences: [String] = []
    for format in Sample.of(Self.formats) where differences.count < 20 {
      let found = try sides.map { try $0.numbers(format) }
      if found[0] != found[1] {
        differences.append("\(format)\n  stored \(found[0])\n  memory \(found[1])")
      }
    }
    #expect(differences.isEmpty, "\(differences.joined(separator: "\n"))")
  }

  /// A server does all of it, as long as texts are plain; but for MATCHES, which is no server's.
  @Test(.enabled(if: StoreKind.all.contains(.postgreSQL)))
  func aServerSaysThemAll() throws {
    var random = SplitMix64(seed: Self.seed)
    let plain = PlainThings(&random, words: PlainThings.plainWords)
    let stage = try Stage(.postgreSQL, plain, nil)
    for format in Sample.of(Self.formats) where !format.contains("MATCHES") {
      let finishing = try stage.finishing(format)
      #expect(
        finishing == nil || finishing?.hasSuffix("(where texts have more than ASCII)") == true,
        "\(format): \(finishing ?? "")")
    }
  }
}

private struct Stage {
  let stack: TestStack

  init(_ kind: StoreKind, _ plain: PlainThings, _ options: [AnyHashable: Any]?) throws {
    stack = try TestStack(kind, model: ThingModel.make(), options: options)
    try stack.withContext { context in
      _ = ManagedThings(plain, in: context)
      try context.save()
    }
  }

  private func request(_ format: String) -> NSFetchRequest<NSDictionary> {
    let request = NSFetchRequest<NSDictionary>(entityName: "Thing")
    request.resultType = .dictionaryResultType
    request.propertiesToFetch = ["number"]
    request.predicate = NSPredicate(format: format)
    request.sortDescriptors = [NSSortDescriptor(key: "number", ascending: true)]
    return request
  }

  /// As dictionaries, and as objects.
  func numbers(_ format: String) throws -> [Int64] {
    try stack.withContext { context in
      let request = request(format)
      let found = try context.fetch(request).map { $0["number"] as? Int64 ?? -1 }
      let objects = NSFetchRequest<NSManagedObject>(entityName: "Thing")
      (objects.predicate, objects.sortDescriptors) = (request.predicate, request.sortDescriptors)
      let same = try context.fetch(objects).map { $0.value(forKey: "number") as? Int64 ?? -1 }
      #expect(found == same, "\(format)")
      return found
    }
  }

  func finishing(_ format: String) throws -> String? {
    try stack.coordinator.explanation(of: request(format))?.finishing
  }
}
