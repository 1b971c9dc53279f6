import CoreData
import CoreDataSupport
import TestSupport
import Testing

@testable import CoreDataSamples

/// Objects that exchange values which are unique together with others: every value is stored, those
/// that nobody changed with them.
@Suite struct ExchangedValuesTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let kind: StoreKind
    /// What is unique together: attributes, or the relationship "owner".
    let unique: [String]
    /// How many objects give their values to the next one.
    let count: Int
    var testDescription: String { "\(kind.rawValue), \(unique), \(count)" }
  }

  private static let kinds = StoreKind.all.filter { $0 == .sqlite || $0 == .postgreSQL }
  private static let constraints = [
    ["a"], ["a", "b"], ["b", "a"], ["a", "b", "c"], ["a", "owner"], ["owner", "a"],
  ]
  private static let cases = kinds.flatMap { kind in
    constraints.flatMap { unique in
      [2, 3].map { Case(kind: kind, unique: unique, count: $0) }
    }
  }

  struct Seeded: CustomTestStringConvertible, Sendable {
    let kind: StoreKind
    let seed: UInt64
    var testDescription: String { "\(kind.rawValue), \(seed)" }
  }

  private static let seeds = kinds.flatMap { kind in
    (1...4).map { Seeded(kind: kind, seed: UInt64($0)) }
  }

  private static func model(unique: [String]) -> NSManagedObjectModel {
    let owner = ModelPart.entity("Owner", [ModelPart.attribute("name")])
    let thing = ModelPart.entity(
      "Thing", ["name", "a", "b", "c", "d"].map { ModelPart.attribute($0) })
    ModelPart.join(thing, "owner", 1, owner, "things", 0)
    thing.uniquenessConstraints = [unique]
    return ModelPart.model([owner, thing])
  }

  /// What the store shows of each thing.
  private func shown(_ stack: TestStack) throws -> [String: [String]] {
    try stack.withContext { context in
      let things = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Thing"))
      return Dictionary(
        uniqueKeysWithValues: things.map { thing in
          let values = ["a", "b", "c", "d", "owner.name"].map {
            thing.value(forKeyPath: $0) as? String ?? "nil"
          }
          return (thing.value(forKey: "name") as? String ?? "nil", values)
        })
    }
  }

  /// What is exchanged: every part of what is unique, with something beside it, fetched anew or held
  /// since it was saved, by the policy that decides nothing and by one that could.
  @Test(arguments: Sample.of(cases)) func everyValueIsStored(_ tried: Case) throws {
    for policy in [NSMergePolicy.error, .mergeByPropertyObjectTrump] {
      for isHeld in [true, false] {
        for part in ["a", "owner"] + (tried.unique.contains("b") ? ["a b"] : []) {
          for isBesides in [true, false] {
            let stack = try TestStack(tried.kind, model: Self.model(unique: tried.unique))
            var expected: [String: [String]] = [:]
            let context = stack.makeContext()
            context.mergePolicy = policy
            try context.performAndWait {
              for number in 0..<tried.count {
                let owner = context.insert("Owner", ["name": "owner \(number)"])
                context.insert(
                  "Thing",
                  [
                    "name": "\(number)", "a": "a\(number)", "b": "b", "c": "c", "d": "d",
                    "owner": owner,
                  ])
                expected["\(number)"] = ["a\(number)", "b", "c", "d", "owner \(number)"]
              }
              try context.save()
            }
            let editor = isHeld ? context : stack.makeContext()
            editor.mergePolicy = policy
            try editor.performAndWait {
              let request = NSFetchRequest<NSManagedObject>(entityName: "Thing")
              request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
              let things = try editor.fetch(request)
              let names = part.split(separator: " ").map(String.init)
              let values = things.map { thing in names.map { thing.value(forKey: $0) } }
              for (number, thing) in things.enumerated() {
                for (name, value) in zip(names, values[(number + 1) % things.count]) {
                  thing.setValue(value, forKey: name)
                }
                if isBesides { thing.setValue("changed", forKey: "d") }
              }
              try editor.save()
            }
            let before = expected
            for number in 0..<tried.count {
              let next = before["\((number + 1) % tried.count)"] ?? []
              if part.hasPrefix("a") { expected["\(number)"]?[0] = next[0] }
              if part == "owner" { expected["\(number)"]?[4] = next[4] }
              if isBesides { expected["\(number)"]?[3] = "changed" }
            }
            #expect(
              try shown(stack) == expected,
              "\(part) exchanged, held \(isHeld), besides \(isBesides), \(policy)")
          }
        }
      }
    }
  }

  /// A save unites new objects with stored ones, and changes others: these lead where they did,
  /// whether the context saves or a child of it, or that one's child.
  @Test(arguments: Sample.of(seeds))
  func whatIsSavedWithAUnionLeadsWhereItDid(_ tried: Seeded) throws {
    var random = SplitMix64(seed: tried.seed)
    for policy in [
      NSMergePolicy.mergeByPropertyObjectTrump, .mergeByPropertyStoreTrump, .overwrite,
    ] {
      let stack = try TestStack(tried.kind, model: Self.model(unique: ["a"]))
      let owners = 20
      var expected: [String: String] = [:]
      try stack.withContext { context in
        let all = (0..<owners).map { context.insert("Owner", ["name": "owner \($0)"]) }
        for number in 0..<60 {
          let owner = Int.random(in: 0..<owners, using: &random)
          context.insert(
            "Thing", ["name": "\(number)", "a": "\(number)", "owner": all[owner]])
          expected["\(number)"] = "owner \(owner)"
        }
        try context.save()
      }
      for round in 0..<6 {
        let top = stack.makeContext()
        top.mergePolicy = policy
        var line = [top]
        for _ in 0..<round % 3 {
          let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
          child.parent = line[line.count - 1]
          line.append(child)
        }
        let context = line[line.count - 1]
        try context.performAndWait {
          let request = NSFetchRequest<NSManagedObject>(entityName: "Thing")
          let things = try context.fetch(request)
          for thing in things where Bool.random(using: &random) {
            thing.setValue("\(random.next())", forKey: "d")
          }
          for taken in (0..<60).shuffled(using: &random).prefix(1 + round) {
            // It has no owner of its own, and that of the stored one stays unless it is overwritten.
            context.insert("Thing", ["name": "\(taken)", "a": "\(taken)"])
            if policy === NSMergePolicy.overwrite { expected["\(taken)"] = "nil" }
          }
        }
        for context in line.reversed() { try context.performAndWait { try context.save() } }
        #expect(try shown(stack).mapValues { $0[4] } == expected)
      }
    }
  }
}
