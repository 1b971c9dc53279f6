import Foundation
import TestSupport
import Testing

/// Stores and models of Apple's framework and of applications.
enum StoreCorpus {
  static let root = CorpusFolder.root
  static let reason: Comment = "COREDATA_CORPUS is not set: real stores are not at hand"

  static let stores = [
    "stores/BrowserServicesKit/Bookmarks_V1", "stores/BrowserServicesKit/Bookmarks_V2",
    "stores/BrowserServicesKit/Bookmarks_V3", "stores/BrowserServicesKit/Bookmarks_V4",
    "stores/BrowserServicesKit/Bookmarks_V5", "stores/BrowserServicesKit/SyncMetadata_V3",
    "stores/CoreDataPlus/SampleModel_V1", "stores/CoreDataPlus/SampleModel_V2",
    "stores/CoreDataPlus/SampleModel2_V1", "stores/CoreDataPlus/SampleModel2_V2",
    "stores/CoreDataPlus/SampleModel3_V1", "stores/CoreDataStack/TestModel",
    "shipped/Artsy/ArtsyOSS",
    "shipped/LoopKit/Model.v1",
  ]

  /// All that there are; of a package, not what is in it.
  static let models: [String] = {
    guard let root else { return [] }
    let folder = URL(fileURLWithPath: root).appendingPathComponent("data")
    let extensions = ["xcdatamodeld", "xcdatamodel", "momd", "mom"]
    var found: [String] = []
    for part in ["models", "compiled", "shipped"] {
      let all = FileManager.default.enumerator(atPath: folder.appendingPathComponent(part).path)
      while let name = all?.nextObject() as? String {
        guard extensions.contains((name as NSString).pathExtension) else { continue }
        found.append("\(part)/\(name)")
        all?.skipDescendants()
      }
    }
    return found.sorted()
  }()

  static func url(_ path: String) throws -> URL { try CorpusFolder.url(path) }

  /// A copy of a store that may be written, alone in a folder.
  static func copy(_ name: String) throws -> URL {
    let folder = try TestFolder.make()
    let target = folder.appendingPathComponent("Store.sqlite")
    let source = try url(name + ".sqlite")
    for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: source.path + suffix) {
      let data = try Data(contentsOf: URL(fileURLWithPath: source.path + suffix))
      try data.write(to: URL(fileURLWithPath: target.path + suffix))
    }
    return target
  }
}
