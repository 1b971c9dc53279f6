import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

/// Generated fetches of dictionaries give the same in every store: columns, groups, aggregates of every type, `having`,
/// distinct rows, orders and limits.
@Suite struct GeneratedDictionaryTests {
  private static let count = 400

  @Test(arguments: Sample.of((1...4).map { UInt64($0) }, [StoreKind.sqlite, .postgreSQL]))
  func storesGiveTheSame(_ seed: UInt64, _ kind: StoreKind) throws {
    guard StoreKind.all.contains(kind) else { return }
    print("GeneratedDictionaryTests: \(kind), seed \(seed), \(Self.count) fetches")
    var random = SplitMix64(seed: seed)
    let words = seed.isMultiple(of: 2) ? PlainThings.plainWords : PlainThings.words
    let plain = PlainThings(&random, words: words)
    let stacks = try [kind, .inMemory].map { kind in
      let stack = try TestStack(kind, model: ThingModel.make())
      try stack.withContext { context in
        _ = ManagedThings(plain, in: context)
        try context.save()
      }
      return stack
    }
    var generator = DictionaryGenerator(random: random)
    var compared = 0
    var whole = 0
    var differences: [String] = []
    for number in 0..<Self.count where differences.count < 10 {
      let fetch = generator.fetch()
      let stored = try? fetch.results(stacks[0])
      let memory: [NSDictionary]
      do {
        memory = try fetch.results(stacks[1])
      } catch  where "\(error)".contains("integer overflow") {
        // Whoever adds up, a sum that no 64 bits hold is refused.
        if stored == nil { continue }
        differences.append("seed \(seed), fetch \(number): \(fetch.text): only memory refuses")
        continue
      }
      if kind == .sqlite {
        // SQLite lacks some functions, gives rows without sort descriptors in an order of its own, and adds up decimals as
        // doubles.
        guard let stored, fetch.isSetOfSQLite else { continue }
        compared += 1
        if Self.rounded(stored) == Self.rounded(memory) { continue }
      } else {
        compared += 1
        if try stacks[0].coordinator.explanation(of: fetch.request())?.finishing == nil {
          whole += 1
        }
        if Self.exact(stored ?? []) == Self.exact(memory) { continue }
      }
      differences.append(
        "seed \(seed), fetch \(number): \(fetch.text)\n  stored \(stored.map(Self.exact) ?? [])\n"
          + "  memory \(Self.exact(memory))")
    }
    print("GeneratedDictionaryTests: \(compared) compared, \(whole) by the server alone")
    #expect(differences.isEmpty, "\(differences.joined(separator: "\n"))")
    #expect(compared > Self.count / 4)
    if kind == .postgreSQL { #expect(whole > Self.count / 3) }
  }

  /// With every digit.
  private static func exact(_ rows: [NSDictionary]) -> [String] {
    rows.map { row in
      text(row) { number in
        number is NSDecimalNumber ? "\(number)" : "\(number.doubleValue)"
      }
    }
  }

  private static func rounded(_ rows: [NSDictionary]) -> [String] {
    rows.map { row in
      text(row) { String(format: "%.9g", $0.doubleValue + 0) }
    }.sorted()
  }

  private static func text(_ row: NSDictionary, _ digits: (NSNumber) -> String) -> String {
    let keys = row.allKeys.compactMap { $0 as? String }.sorted()
    return keys.map { key in
      switch row[key] {
      case let number as NSNumber: "\(key): \(digits(number))"
      case let id as NSManagedObjectID: "\(key): \(id.uriRepresentation().lastPathComponent)"
      case let text as String: "\(key): \(Array(text.utf8))"
      case let value?: "\(key): \(value)"
      case nil: "\(key)"
      }
    }.joined(separator: ", ")
  }
}

private struct DictionaryFetchCase {
  struct Computed {
    let name: String
    let function: String
    let path: String
    let type: NSAttributeType
  }

  var paths: [String] = []
  var computed: [Computed] = []
  var groups: [String] = []
  var sort: [(key: String, ascending: Bool)] = []
  var predicate: String?
  var having: (name: String, isColumn: Bool, order: String)?
  var isDistinct = false
  var limit = 0
  var offset = 0

  var text: String {
    let columns = paths + computed.map { "\($0.function)(\($0.path)) \($0.type.rawValue)" }
    return
      "\(columns) by \(groups) where \(predicate ?? "-") having \(having.map { "\($0)" } ?? "-") "
      + "order \(sort) distinct \(isDistinct) limit \(limit) offset \(offset)"
  }

  /// Whether SQLite says which rows these are.
  var isSetOfSQLite: Bool { limit == 0 && offset == 0 }

  func request() -> NSFetchRequest<NSDictionary> {
    let request = NSFetchRequest<NSDictionary>(entityName: "Thing")
    request.resultType = .dictionaryResultType
    request.propertiesToFetch =
      paths
      + computed.map { computed -> Any in
        let expression = NSExpression(forKeyPath: computed.path)
        return column(
          computed.name,
          computed.function.isEmpty
            ? expression
            : NSExpression(forFunction: computed.function, arguments: [expression]),
          computed.type)
      }
    if !groups.isEmpty { request.propertiesToGroupBy = groups }
    request.sortDescriptors = sort.map { NSSortDescriptor(key: $0.key, ascending: $0.ascending) }
    request.predicate = predicate.map { NSPredicate(format: $0) }
    request.havingPredicate = having.map { name, isColumn, order in
      isColumn
        ? NSPredicate(format: "%@ \(order) 1", NSExpression(forVariable: name))
        : NSPredicate(format: "\(name) \(order) nil")
    }
    request.returnsDistinctResults = isDistinct
    (request.fetchLimit, request.fetchOffset) = (limit, offset)
    return request
  }

  func results(_ stack: TestStack) throws -> [NSDictionary] {
    try stack.withContext { try $0.fetch(request()) }
  }
}

private struct DictionaryGenerator {
  var random: SplitMix64

  private static let numbers = [
    "small", "medium", "large", "flag", "double", "float", "decimal", "parent.double",
    "parent.decimal", "parent.small",
  ]
  private static let ordered = numbers + ["text", "date", "parent.text", "parent.date"]
  private static let values =
    ordered + ["other", "data", "uuid", "link", "parent", "parent.parent", "parent.uuid"]
  private static let members = ["tags", "children", "steps", "parent.tags", "parent.children"]

  private mutating func pick<Value>(_ values: [Value]) -> Value {
    values.randomElement(using: &random)!
  }

  private mutating func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &random) == 0 }

  mutating func fetch() -> DictionaryFetchCase {
    var fetch = DictionaryFetchCase()
    switch Int.random(in: 0..<4, using: &random) {
    case 0: rows(&fetch)
    case 1: fetch.computed = aggregates()
    default: groups(&fetch)
    }
    if chance(3) {
      fetch.predicate = pick([
        "small > 0", "text CONTAINS[c] 'a'", "ANY tags.name ==[c] 'AB' OR medium > 0",
        "parent != nil", "large + 1 > 0", "FALSEPREDICATE", "text <[cd] 'c' OR flag == 1",
      ])
    }
    if chance(4) {
      (fetch.limit, fetch.offset) = (Int.random(in: 0...4, using: &random), pick([0, 0, 1, 3]))
    }
    return fetch
  }

  private mutating func rows(_ fetch: inout DictionaryFetchCase) {
    fetch.paths = (0...Int.random(in: 0...2, using: &random)).map { _ in pick(Self.values) }
    if chance(4) { fetch.paths.append("objectID") }
    fetch.isDistinct = chance(2)
    if chance(4) {
      fetch.computed = [
        .init(name: "count", function: "", path: "children.@count", type: .integer64AttributeType)
      ]
    }
    fetch.sort = sort(fetch.isDistinct ? fetch.paths : Self.values)
  }

  private mutating func groups(_ fetch: inout DictionaryFetchCase) {
    fetch.groups = (0...Int.random(in: 0...1, using: &random)).map { _ in pick(Self.values) }
    fetch.groups = Array(Set(fetch.groups)).sorted()
    fetch.paths = chance(3) ? [] : fetch.groups
    fetch.computed = aggregates()
    fetch.sort = sort(fetch.groups)
    if chance(4) {
      fetch.having =
        chance(2)
        ? ("n", true, pick([">", "==", "<="])) : (pick(fetch.groups), false, pick(["==", "!="]))
      fetch.computed.append(
        .init(name: "n", function: "count:", path: "number", type: .integer64AttributeType))
    }
    fetch.isDistinct = chance(3)
  }

  /// Of what can be put in order.
  private mutating func sort(_ keys: [String]) -> [(key: String, ascending: Bool)] {
    let keys = keys.filter { Self.ordered.contains($0) }
    guard !keys.isEmpty, !chance(3) else { return [] }
    return [(pick(keys), chance(2))]
  }

  private mutating func aggregates() -> [DictionaryFetchCase.Computed] {
    (0...Int.random(in: 0...2, using: &random)).map { number in
      let function = pick([
        "count:", "sum:", "min:", "max:", "average:", "sum:", "average:", "median:", "stddev:",
      ])
      let path =
        switch function {
        case "count:": pick(Self.values + Self.members)
        case "min:", "max:": pick(Self.ordered)
        default: pick(Self.numbers)
        }
      let types: [NSAttributeType] =
        switch function {
        case "count:": [.undefinedAttributeType, .integer64AttributeType]
        case "min:", "max:": [.undefinedAttributeType]
        default: [.undefinedAttributeType, .undefinedAttributeType, .doubleAttributeType]
        }
      return .init(name: "c\(number)", function: function, path: path, type: pick(types))
    }
  }
}
