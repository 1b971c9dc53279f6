import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

/// Stores of applications led over all versions of their models, one by one and at once: every value is compared
/// by plain SQL.
@Suite(.enabled(if: Corpus.isNamed, Corpus.reason))
struct CorpusChainTests {
  struct Chain: Sendable, CustomTestStringConvertible {
    let store: String
    let package: String
    /// From the store's on.
    let versions: [String]

    var testDescription: String { store }

    func models() throws -> [NSManagedObjectModel] {
      let package = ModelPackage(url: try Corpus.url(package))
      return try versions.map { try CorpusModels.model(package, $0) }
    }

    func copy() throws -> URL {
      if store.hasPrefix("shipped/") {
        let target = try StoreFixture.makeFolder().appendingPathComponent("Store.sqlite")
        try FileManager.default.copyItem(at: Corpus.url(store + ".sqlite"), to: target)
        return target
      }
      return try AppleStores.copy(store)
    }
  }

  static let chains = [
    Chain(
      store: "CoreDataPlus/SampleModel_V1", package: "models/CoreDataPlus/SampleModel.xcdatamodeld",
      versions: ["SampleModel", "SampleModel2", "SampleModel3"]),
    Chain(
      store: "CoreDataPlus/SampleModel3_V1",
      package: "models/CoreDataPlus/SampleModel3.xcdatamodeld",
      versions: ["SampleModel3", "SampleModel3_v2"]),
    Chain(
      store: "BrowserServicesKit/Bookmarks_V1",
      package: "models/BrowserServicesKit/BookmarksModel.xcdatamodeld",
      versions: CorpusModels.bookmarkVersions),
    Chain(
      store: "BrowserServicesKit/SyncMetadata_V3",
      package: "models/BrowserServicesKit/SyncMetadata.xcdatamodeld",
      versions: ["SyncMetadata 3", "SyncMetadata 4"]),
    Chain(
      store: "shipped/LoopKit/Model.v1", package: "shipped/LoopKit/Model.xcdatamodeld",
      versions: ["Model", "Modelv4"]),
  ]

  private func migrate(_ url: URL, to model: NSManagedObjectModel) throws {
    try CorpusModels.open(url, model).close()
    let checked = try StoreChecker.checkRows(url)
    #expect(checked.status == 0, "\(checked.text)")
    let fresh = try StoreFixture(model)
    #expect(try SchemaText(url).statements == SchemaText(fresh.url).statements)
  }

  @Test(arguments: chains) func versionByVersionEveryObjectIsKept(_ chain: Chain) throws {
    let url = try chain.copy()
    let models = try chain.models()
    var before = try StoredObjects(url, models[0])
    for model in models.dropFirst() {
      try migrate(url, to: model)
      let after = try StoredObjects(url, model)
      try after.expect(after: before)
      before = after
    }
    try PlainValues.expect(of: url, models[models.count - 1])
  }

  @Test(arguments: chains) func directlyEveryObjectIsKept(_ chain: Chain) throws {
    let url = try chain.copy()
    let models = try chain.models()
    let last = try #require(models.last)
    let before = try StoredObjects(url, models[0])
    try migrate(url, to: last)
    let after = try StoredObjects(url, last)
    try after.expect(after: before)
    try PlainValues.expect(of: url, last)
  }

  /// The applications' stores of the first versions are not there, so this one is filled at random.
  @Test func syncMetadataComesFromTheFirstVersionToTheLast() throws {
    let chain = Chain(
      store: "", package: "models/BrowserServicesKit/SyncMetadata.xcdatamodeld",
      versions: ["SyncMetadata", "SyncMetadata 2", "SyncMetadata 3", "SyncMetadata 4"])
    let models = try chain.models()
    for steps in [Array(models.dropFirst()), [models[3]]] {
      let fixture = try StoreFixture(models[0])
      try fixture.insert(
        "SyncFeatureEntity",
        (0..<40).map { ["name": .text("feature \($0)"), "lastModified": .text("\($0 * 7)")] })
      try fixture.close()
      var before = try StoredObjects(fixture.url, models[0])
      for model in steps {
        try migrate(fixture.url, to: model)
        let after = try StoredObjects(fixture.url, model)
        try after.expect(after: before)
        before = after
      }
      #expect(before.count == 40)
    }
  }
}
