import Foundation
import KeyValueCoding
import Predicates
import Testing

@testable import CoreData
@testable import CoreDataSamples

/// Generated predicates mean the same in SQL, in memory, to unsaved objects and in plain Swift.
@Suite struct GeneratedPredicateTests {
  /// 4,000 predicates in all, or as many as the environment says: `make test-predicates` says 50,000.
  private static let count =
    (ProcessInfo.processInfo.environment["GENERATED_PREDICATES"].flatMap { Int($0) }
      ?? Sample.part(of: 4_000)) / 8

  @Test(arguments: (1...8).map { UInt64($0) }, StoreKind.all.filter(\.speaksSQL))
  func everyoneFindsTheSame(_ seed: UInt64, _ kind: StoreKind) throws {
    print("GeneratedPredicateTests: \(kind), seed \(seed), \(Self.count) predicates")
    var random = SplitMix64(seed: seed)
    // A server looks at plain texts by itself.
    let words = seed.isMultiple(of: 2) ? PlainThings.plainWords : PlainThings.words
    let plain = PlainThings(&random, words: words)
    var generator = PredicateGenerator(
      random: random, thingCount: plain.things.count, tagCount: plain.tags.count)
    let saved = try Side(plain, kind, isSaved: true)
    let unsaved = try Side(plain, kind, isSaved: false)
    var differences: [String] = []
    for number in 0..<Self.count where differences.count < 20 {
      let generated = generator.predicate(depth: Int(number % 3))
      let problem = try difference(
        generated, plain, saved, unsaved: number % 16 == 0 ? unsaved : nil)
      if let problem { differences.append("seed \(seed), predicate \(number): \(problem)") }
    }
    #expect(differences.isEmpty, "\(differences.joined(separator: "\n"))")
  }

  private func difference(
    _ generated: GeneratedPredicate, _ plain: PlainThings, _ saved: Side, unsaved: Side?
  ) throws -> String? {
    let predicate = generated.predicate(saved.objects)
    let found = Result { try saved.fetched(predicate) }
    let inMemory = Result { try saved.evaluated(predicate) }
    guard case .success(let stored) = found, case .success(let evaluated) = inMemory else {
      return failure(found, inMemory, generated)
    }
    if stored != evaluated {
      return "\(generated.format)\n  stored \(stored)\n  memory \(evaluated)"
    }
    if let truth = generated.truth {
      let expected = plain.things.indices.filter { truth(plain, $0) == true }
      if stored != expected {
        return "\(generated.format)\n  stored \(stored)\n  plain  \(expected)"
      }
    }
    guard let unsaved else { return nil }
    let pending = try unsaved.fetched(generated.predicate(unsaved.objects))
    return stored == pending
      ? nil : "\(generated.format)\n  saved   \(stored)\n  unsaved \(pending)"
  }

  private func failure(
    _ found: Result<[Int], any Error>, _ inMemory: Result<[Int], any Error>,
    _ generated: GeneratedPredicate
  ) -> String {
    "\(generated.format)\n  stored \(found)\n  memory \(inMemory)"
  }
}

/// One stack with all things, saved or not.
private final class Side {
  let stack: TestStack
  let context: NSManagedObjectContext
  let objects: ManagedThings
  private let thing: EntityLayout

  init(_ plain: PlainThings, _ kind: StoreKind, isSaved: Bool) throws {
    let stack = try TestStack(kind, model: ThingModel.make())
    let context = stack.makeContext()
    (self.stack, self.context) = (stack, context)
    thing = stack.coordinator.managedObjectModel.entitiesByName["Thing"]!.layout
    objects = try context.performAndWait {
      let objects = ManagedThings(plain, in: context)
      if isSaved { try context.save() }
      return objects
    }
  }

  func fetched(_ predicate: NSPredicate) throws -> [Int] {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Thing")
    request.predicate = predicate
    return try context.performAndWait { numbers(try context.fetch(request)) }
  }

  func evaluated(_ predicate: NSPredicate) throws -> [Int] {
    let compiled = CompiledPredicate(predicate, nilRule: .sql, reader: thing.objectReader)
    return try context.performAndWait {
      numbers(try objects.things.filter { try compiled.matches($0) })
    }
  }

  private func numbers(_ found: [NSManagedObject]) -> [Int] {
    let places = Set(found.map(ObjectIdentifier.init))
    return objects.things.indices.filter { places.contains(ObjectIdentifier(objects.things[$0])) }
  }
}
