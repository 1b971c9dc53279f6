import Foundation
import Testing

@testable import CoreData

/// Real `.xcdatamodel` files against the hashes of what Apple's tools made of them.
@Suite(.enabled(if: Corpus.isNamed, Corpus.reason))
struct ModelXMLCorpusTests {
  /// Model version, and a store made with it.
  static let stores: [(model: String, version: String, store: String)] =
    (1...5).map {
      (
        "BrowserServicesKit/BookmarksModel.xcdatamodeld",
        $0 == 1 ? "BookmarksModel" : "BookmarksModel \($0)",
        "BrowserServicesKit/Bookmarks_V\($0).sqlite"
      )
    } + [
      (
        "BrowserServicesKit/SyncMetadata.xcdatamodeld", "SyncMetadata 3",
        "BrowserServicesKit/SyncMetadata_V3.sqlite"
      ),
      (
        "CoreDataPlus/SampleModel.xcdatamodeld", "SampleModel", "CoreDataPlus/SampleModel_V1.sqlite"
      ),
      (
        "CoreDataPlus/SampleModel.xcdatamodeld", "SampleModel2",
        "CoreDataPlus/SampleModel_V2.sqlite"
      ),
      (
        "CoreDataPlus/SampleModel3.xcdatamodeld", "SampleModel3",
        "CoreDataPlus/SampleModel3_V1.sqlite"
      ),
      ("CoreDataStack/Sample.xcdatamodeld", "TestModel", "CoreDataStack/TestModel.sqlite"),
    ]

  @Test func hashesOfModelFilesAreThoseOfTheirStores() throws {
    for (path, version, store) in Self.stores {
      let package = ModelPackage(url: try Corpus.url("models/" + path))
      let model = try package.model(version: version)
      let hashes = try Corpus.hashes(ofStore: store)
      let ours = model.entityVersionHashesByName.mapValues(\.hexadecimal)
      #expect(ours == hashes, "\(version) for \(store)")
    }
  }

  @Test func everyModelFileIsRead() throws {
    var versions = 0
    for url in try Corpus.urls(under: "models", suffix: ".xcdatamodel/contents") {
      let model = try ModelPackage(url: url.deletingLastPathComponent()).currentModel()
      #expect(!model.entities.isEmpty, "\(url.path)")
      versions += 1
    }
    #expect(versions == 48)
  }

  @Test func theCurrentVersionIsRead() throws {
    let url = try Corpus.url("models/CoreDataPlus/SampleModel.xcdatamodeld")
    let model = try #require(NSManagedObjectModel(contentsOf: url))
    #expect(model.entitiesByName["SportCar"]?.superentity?.name == "Car")
  }

  @Test func aModelOfTheOldestKindIsRefusedWithAReason() throws {
    let url = try Corpus.url("models/mogenerator/MyModel.xcdatamodeld/MyModel.xcdatamodel")
    let error = #expect(throws: ModelFileError.self) {
      try ModelPackage(url: url).currentModel()
    }
    #expect(error?.problem.contains("Xcode 4.2 or older") == true)
  }
}
