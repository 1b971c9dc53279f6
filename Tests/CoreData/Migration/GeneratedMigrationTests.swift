import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

/// Pairs of models that are some edits apart, with filled stores: every way to migrate keeps what plain values say.
/// `GENERATED_MIGRATIONS` sets how many of each way, `MIGRATION_SEED` where they begin.
struct GeneratedMigrationTests {
  static let count =
    Int(ProcessInfo.processInfo.environment["GENERATED_MIGRATIONS"] ?? "") ?? 12
  static let firstSeed =
    UInt64(ProcessInfo.processInfo.environment["MIGRATION_SEED"] ?? "") ?? 1

  @Test(arguments: Sample.of(GeneratedMigration.Way.all))
  func migrationsKeepWhatTheEditsSay(_ way: GeneratedMigration.Way) throws {
    print("Generated migrations, \(way): seeds from \(Self.firstSeed)")
    for seed in Sample.of(Self.firstSeed..<Self.firstSeed + UInt64(Self.count)) {
      var random = SplitMix64(seed: seed)
      var old = PlainModel(random: &random)
      old.hasDerivations = way.isSQLite || way.isServer
      old.isConfigured = Int.random(in: 0..<5, using: &random) == 0
      var (middle, new) = (old, old)
      var edits: [String] = []
      let count = Int.random(in: 1...5, using: &random)
      for number in 0..<count {
        if number == count / 2 { middle = new }
        edits.append(new.edit(&random))
      }
      let migration = GeneratedMigration(
        way: way, old: old, middle: middle, new: new,
        tracksHistory: way.hasHistory && Bool.random(using: &random))
      do { try migration.check(&random, "\(way), seed \(seed): \(edits)") } catch {
        Issue.record(error, "\(way), seed \(seed): \(edits)")
      }
    }
  }
}
