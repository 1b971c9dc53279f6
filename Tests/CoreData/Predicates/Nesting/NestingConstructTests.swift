import Foundation
import Predicates
import Testing

@testable import CoreData
@testable import CoreDataSamples

/// Every construct in every place of every other one: SQL against memory, in both rules for nil.
@Suite struct NestingConstructTests {
  private static let seed: UInt64 = 16
  /// 1,000 predicates of each depth, or as many as the environment says.
  private static let count =
    ProcessInfo.processInfo.environment["GENERATED_PREDICATES"].flatMap { Int($0) } ?? 1_000

  @Test(arguments: [false, true]) func everyPairMeansTheSame(_ comparesAsInMemory: Bool) throws {
    print("NestingConstructTests: pairs, seed \(Self.seed)")
    let stage = try NestingStage(seed: Self.seed, comparesAsInMemory: comparesAsInMemory)
    var generator = NestingGenerator(seed: Self.seed)
    var count = 0
    for outer in Construct.all {
      for hole in outer.holes.indices {
        for inner in Construct.all {
          for isWithin in [false, true] {
            guard let format = generator.pair(outer, hole: hole, inner, isWithin: isWithin) else {
              continue
            }
            stage.check(format)
            count += 1
          }
        }
      }
    }
    stage.report(count)
    #expect(count > 3_500)
  }

  @Test(arguments: Sample.of([false, true], 2...5))
  func randomNestingsMeanTheSame(_ comparesAsInMemory: Bool, _ depth: Int) throws {
    let seed = Self.seed + UInt64(depth)
    print("NestingConstructTests: depth \(depth), seed \(seed)")
    let stage = try NestingStage(seed: seed, comparesAsInMemory: comparesAsInMemory)
    var generator = NestingGenerator(seed: seed)
    for _ in 0..<Self.count / depth { stage.check(generator.predicate(depth: depth)) }
    stage.report(Self.count / depth)
  }
}

/// The same things in a SQLite store, in a store in memory, and unsaved.
private final class NestingStage {
  private let sides: [Side]
  private var differences: [String] = []

  init(seed: UInt64, comparesAsInMemory: Bool) throws {
    var random = SplitMix64(seed: seed)
    let plain = PlainThings(&random)
    sides = [
      try Side("SQLite", .sqlite, plain, isSaved: true, comparesAsInMemory),
      try Side("in memory", .inMemory, plain, isSaved: true, comparesAsInMemory),
      try Side("unsaved", .sqlite, plain, isSaved: false, comparesAsInMemory),
    ]
  }

  /// FETCH reads what is saved, so that it is another question to unsaved objects.
  func check(_ format: String) {
    guard differences.count < 20 else { return }
    let asked = format.contains("FETCH") ? sides.prefix(2) : sides[...]
    let answers = asked.map { side in (side.name, Result { try side.found(format) }) }
    let texts = answers.map { name, answer in
      switch answer {
      case .success(let numbers): "\(numbers)"
      case .failure(let error):
        "\(name) fails: \((error as NSError).localizedFailureReason ?? "\(error)")"
      }
    }
    if Set(texts).count > 1 || texts[0].contains("fails") {
      differences.append("\(format)\n  \(texts.joined(separator: "\n  "))")
    }
  }

  func report(_ count: Int) {
    #expect(differences.isEmpty, "of \(count):\n\(differences.joined(separator: "\n"))")
  }
}

private struct Side {
  let name: String
  private let stack: TestStack
  private let context: NSManagedObjectContext
  private let inner = NSFetchRequest<NSManagedObject>(entityName: "Thing")

  init(
    _ name: String, _ kind: StoreKind, _ plain: PlainThings, isSaved: Bool,
    _ comparesAsInMemory: Bool
  ) throws {
    self.name = name
    stack = try TestStack(
      kind, model: ThingModel.make(),
      options: [OpenCoreDataComparesNilAsInMemoryOption: comparesAsInMemory])
    let context = stack.makeContext()
    try context.performAndWait {
      _ = ManagedThings(plain, in: context)
      if isSaved { try context.save() }
    }
    self.context = context
    inner.predicate = NSPredicate(format: "small > 0")
  }

  func found(_ format: String) throws -> [Int] {
    let count = format.components(separatedBy: "%@").count - 1
    let request = NSFetchRequest<NSManagedObject>(entityName: "Thing")
    request.predicate = try PredicateParser.parse(
      format: format, arguments: (0..<count).map { $0 % 2 == 0 ? inner : context })
    return try context.performAndWait {
      try context.fetch(request).compactMap { $0.value(forKey: "number") as? Int }.sorted()
    }
  }
}
