import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

/// Generated predicates find the same objects in SQL and in memory.
@Suite struct StorePredicateAgreementTests {
  /// Two stores with the same objects under the same keys.
  private struct Pair {
    let sqlite: StoreFixture
    let memoryCoordinator: NSPersistentStoreCoordinator
    let memory: any RowStore

    init() throws {
      sqlite = try StoreFixture(TestModels.everything())
      memoryCoordinator = NSPersistentStoreCoordinator(managedObjectModel: TestModels.everything())
      let store = try memoryCoordinator.addPersistentStore(
        type: .inMemory, at: URL(fileURLWithPath: "/memory"))
      memory = try #require(store as? any RowStore)
    }

    /// Inserts into both; to-one relationships are given by key.
    func insert(_ entity: String, _ rows: [[String: Value]], owners: [Int64?] = []) throws {
      for (store, model) in stores {
        let layout = try #require(model.entitiesByName[entity]).layout
        let first = try store.reserveKeys(rows.count, for: layout)
        var changes = StoreChanges()
        for (offset, values) in rows.enumerated() {
          let row = Row.empty(store.identities.identity(layout, key: first + Int64(offset)))
          for (name, value) in values { row[try #require(layout.slot(of: name))] = value }
          if offset < owners.count, let owner = owners[offset] {
            let target = try #require(model.entitiesByName["Owner"]).layout
            row[try #require(layout.slot(of: "owner"))] = .identity(
              store.identities.identity(target, key: owner))
          }
          changes.inserted.append(row)
        }
        try store.save(changes)
      }
    }

    func tag(_ note: Int64, _ tags: [Int64]) throws {
      for (store, model) in stores {
        let notes = try #require(model.entitiesByName["Note"])
        let tagLayout = try #require(model.entitiesByName["Tag"]).layout
        var changes = StoreChanges()
        changes.members = [
          StoreChanges.MemberChange(
            relationship: try #require(notes.relationshipsByName["tags"]),
            owner: store.identities.identity(notes.layout, key: note),
            added: tags.map { store.identities.identity(tagLayout, key: $0) }, removed: [],
            order: nil)
        ]
        try store.save(changes)
      }
    }

    private var stores: [(any RowStore, NSManagedObjectModel)] {
      [
        (sqlite.store, sqlite.coordinator.managedObjectModel),
        (memory, memoryCoordinator.managedObjectModel),
      ]
    }

    func keys(_ format: String) throws -> (sql: [Int64], memory: [Int64]) {
      let found = try stores.map { store, model in
        var plan = FetchPlan(layout: try #require(model.entitiesByName["Note"]).layout)
        plan.predicate = NSPredicate(format: format)
        return try store.identities(plan).map(\.key).sorted()
      }
      return (found[0], found[1])
    }
  }

  private static let words = [
    "", "a", "A", "Ä", "abc", "ABC", "äbc", "a b", "b%", "a_c", "日本", "*",
  ]

  private func fill(_ pair: Pair, _ random: inout SplitMix64) throws {
    try pair.insert("Owner", [["name": .text("abc")], ["name": .text("Ä")], [:]])
    try pair.insert("Tag", [["name": .text("a")], ["name": .text("b")], [:]])
    var rows: [[String: Value]] = []
    var owners: [Int64?] = []
    for _ in 0..<40 {
      var row: [String: Value] = [:]
      if Bool.random(using: &random) {
        row["text"] = .text(Self.words.randomElement(using: &random) ?? "")
      }
      if Bool.random(using: &random) {
        row["stars"] = .integer(.random(in: -2...2, using: &random))
      }
      if Bool.random(using: &random) {
        row["isDone"] = .integer(.random(in: 0...1, using: &random))
      }
      if Bool.random(using: &random) {
        row["weight"] = .real(Double(Int.random(in: -4...4, using: &random)) / 2)
      }
      rows.append(row)
      owners.append([nil, 1, 2, 3].randomElement(using: &random) ?? nil)
    }
    try pair.insert("Note", rows, owners: owners)
    for note in 1...40 where Bool.random(using: &random) {
      try pair.tag(Int64(note), (1...3).filter { _ in Bool.random(using: &random) })
    }
  }

  private func comparison(_ random: inout SplitMix64) -> String {
    func pick(_ choices: [String]) -> String { choices.randomElement(using: &random) ?? "" }
    let word = pick(Self.words.filter { $0 != "*" })
    let number = "\(Int.random(in: -2...2, using: &random))"
    let order = pick(["==", "!=", "<", "<=", ">", ">="])
    let options = pick(["", "[c]", "[d]", "[cd]"])
    return pick([
      "stars \(order) \(number)", "weight \(order) \(number)",
      "text \(pick(["==", "!="]))\(options) '\(word)'",
      "text \(pick(["<", ">=", "<="])) '\(word)'", "stars \(order) weight",
      "text \(pick(["CONTAINS", "BEGINSWITH", "ENDSWITH", "LIKE"]))\(options) '\(word)'",
      "text IN {'\(word)', 'abc'}", "stars IN {0, \(number)}", "stars BETWEEN {-1, \(number)}",
      "\(pick(["text", "stars", "owner", "owner.name", "isDone"])) \(pick(["==", "!="])) nil",
      "owner.name \(pick(["==", "!="]))\(options) '\(word)'", "isDone == \(pick(["YES", "NO"]))",
      "tags.@count \(order) \(number)", "ANY tags.name == '\(word)'", "NONE tags.name == 'a'",
      "\(pick(["ANY", "ALL", "NONE"])) owner.notes.stars \(order) \(number)",
      "\(pick(["ANY", "ALL"])) tags.name != '\(word)'", "owner.notes.@sum.stars \(order) \(number)",
      "tags.name CONTAINS '\(word)'", "'\(word)' IN tags.name", "text == owner.name",
      "SUBQUERY(tags, $t, $t.name == '\(word)').@count \(order) 0", "'\(word)' CONTAINS text",
      "owner.notes.@count \(order) \(number)", "stars + 1 \(order) \(number)",
    ])
  }

  private func predicate(_ random: inout SplitMix64, depth: Int) -> String {
    guard depth > 0 else { return comparison(&random) }
    switch Int.random(in: 0..<4, using: &random) {
    case 0: return "NOT (\(predicate(&random, depth: depth - 1)))"
    case 1: return comparison(&random)
    default:
      let word = Bool.random(using: &random) ? "AND" : "OR"
      return
        "(\(predicate(&random, depth: depth - 1))) \(word) (\(predicate(&random, depth: depth - 1)))"
    }
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func generatedPredicatesFindTheSameObjects(_ seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let pair = try Pair()
    try fill(pair, &random)
    for _ in 0..<300 {
      let format = predicate(&random, depth: 3)
      let (sql, memory) = try pair.keys(format)
      #expect(sql == memory, "seed \(seed): \(format)")
    }
  }

  @Test func aLongRowOfConditionsIsNoProblem() throws {
    let pair = try Pair()
    try pair.insert("Note", [["stars": .integer(7)], ["stars": .integer(5000)]])
    let format = (0..<3000).map { "stars == \($0)" }.joined(separator: " OR ")
    #expect(try pair.keys(format).sql == [1])
  }
}
