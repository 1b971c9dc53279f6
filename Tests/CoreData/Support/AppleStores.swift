import Foundation

/// Stores that Apple's framework made.
enum AppleStores {
  static let names = [
    "BrowserServicesKit/Bookmarks_V1", "BrowserServicesKit/Bookmarks_V2",
    "BrowserServicesKit/Bookmarks_V3", "BrowserServicesKit/Bookmarks_V4",
    "BrowserServicesKit/Bookmarks_V5", "BrowserServicesKit/SyncMetadata_V3",
    "CoreDataPlus/SampleModel_V1", "CoreDataPlus/SampleModel_V2", "CoreDataPlus/SampleModel2_V1",
    "CoreDataPlus/SampleModel2_V2", "CoreDataPlus/SampleModel3_V1", "CoreDataStack/TestModel",
  ]

  /// Stores whose tables no migration has touched.
  static let unmigrated = names.filter { !$0.hasSuffix("SampleModel_V2") }

  static func copy(_ name: String) throws -> URL {
    let folder = try StoreFixture.makeFolder()
    let source = try Corpus.url("stores/\(name).sqlite")
    let target = folder.appendingPathComponent("Store.sqlite")
    for suffix in ["", "-wal"] {
      let file = URL(fileURLWithPath: source.path + suffix)
      guard FileManager.default.fileExists(atPath: file.path) else { continue }
      try FileManager.default.copyItem(
        at: file, to: URL(fileURLWithPath: target.path + suffix))
    }
    return target
  }
}
