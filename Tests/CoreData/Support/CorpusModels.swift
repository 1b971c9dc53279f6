import Foundation

@testable import CoreData

/// Versions of real models, and stores that are led to them.
enum CorpusModels {
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

  static let bookmarkVersions = ["", " 2", " 3", " 4", " 5", " 6"].map { "BookmarksModel\($0)" }

  static func package(_ path: String) throws -> ModelPackage {
    ModelPackage(url: try Corpus.url("models/" + path))
  }

  /// A version of a model, without the classes that it names.
  static func model(_ package: ModelPackage, _ version: String) throws -> NSManagedObjectModel {
    let model = try package.model(version: version)
    for entity in model.entities { entity.managedObjectClassName = "NSManagedObject" }
    return model
  }

  /// Opens the store at a URL with a version of a model, migrating it by inference.
  static func open(_ url: URL, _ model: NSManagedObjectModel) throws -> StoreFixture {
    try StoreFixture(
      model, in: url.deletingLastPathComponent(),
      options: [
        NSMigratePersistentStoresAutomaticallyOption: true,
        OpenCoreDataRemovesEntitiesOption: true,
        NSInferMappingModelAutomaticallyOption: true,
      ])
  }
}
