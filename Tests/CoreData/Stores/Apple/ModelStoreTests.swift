import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

/// For every real model a fresh store, filled with objects that are made at random over every attribute and
/// relationship, opened again and compared.
@Suite(.enabled(if: Corpus.isNamed, Corpus.reason))
struct ModelStoreTests {
  static let models: [String] = {
    // Without the corpus the suite is skipped.
    let files = (try? Corpus.urls(under: "models", suffix: ".xcdatamodel/contents")) ?? []
    return files.map { $0.deletingLastPathComponent().path }
  }()

  @Test(arguments: models) func everythingThatIsSavedIsReadAgain(_ path: String) throws {
    let seed = UInt64(path.utf8.reduce(7) { $0 &* 31 &+ UInt64($1) })
    var graph = RandomGraph(seed: seed)
    let model = try RandomGraph.model(of: ModelPackage(url: URL(fileURLWithPath: path)))
    let folder = try StoreFixture.makeFolder()
    let first = try StoreFixture(model, in: folder)
    let saved = try graph.fill(first.coordinator)
    try first.close()
    let again = try StoreFixture(model, in: folder)
    #expect(try RandomGraph.contents(again.coordinator) == saved, "seed \(seed)")
    let plain = PlainSQL(url: again.url)
    #expect(try plain.rows("PRAGMA integrity_check") == ["ok"])
    try graph.change(again.coordinator)
    let changed = try RandomGraph.contents(again.coordinator)
    try again.close()
    let last = try StoreFixture(model, in: folder)
    #expect(try RandomGraph.contents(last.coordinator) == changed, "seed \(seed)")
  }
}
