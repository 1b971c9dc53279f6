import Foundation
import SwiftData
import TestSupport
import Testing

/// Trees at random mean the same to SQLite, to the predicate in memory and to Swift.
@Suite struct GeneratedPredicateTests {
  @Test(arguments: 0..<4)
  func generatedPredicatesAgree(_ part: Int) throws {
    let environment = ProcessInfo.processInfo.environment
    let count =
      environment["GENERATED_PREDICATES"].flatMap(Int.init) ?? max(400, Sample.part(of: 1000))
    let seed = environment["PREDICATE_SEED"].flatMap(UInt64.init) ?? 20_260_923
    print("GeneratedPredicateTests: part \(part) of seed \(seed)")
    let store = try VolumeStore()
    var generator = PredicateGenerator(seed: seed &+ UInt64(part))
    var narrowing = 0
    for number in 0..<count / 4 {
      let predicate = generator.predicate(depth: number % 4)
      let agreement = try store.expectAgreement(
        predicate, "PREDICATE_SEED=\(seed), part \(part), number \(number): \(predicate.expression)"
      )
      if agreement.found > 0, agreement.found < store.volumes.count { narrowing += 1 }
      if !agreement.holds { return }
    }
    // Those that find all or nothing would agree by chance.
    #expect(narrowing > count / 16)
  }
}
