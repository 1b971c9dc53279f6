import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

/// Which version of a model is the current one, and which files are looked at.
struct ModelPackageTests {
  /// The text of a model whose entity has so many attributes.
  private func text(_ count: Int, entity: String = "Item") -> String {
    let attributes = (0..<count).map { "<attribute name=\"a\($0)\" attributeType=\"String\"/>" }
    return
      "<model><entity name=\"\(entity)\">\(attributes.joined())</entity><entity name=\"Tag\"/></model>"
  }

  private func withFolder(_ name: String, _ body: (URL) throws -> Void) throws {
    let parent = FileManager.default.temporaryDirectory
      .appendingPathComponent("ModelPackageTests-\(UUID().uuidString)")
    let folder = parent.appendingPathComponent(name)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    // What stays behind lies in the system's folder for temporary files.
    defer { try? FileManager.default.removeItem(at: parent) }
    try body(folder)
  }

  private func writeVersions(_ counts: ClosedRange<Int>, to folder: URL) throws {
    for count in counts {
      try Data(text(count).utf8).write(to: folder.appendingPathComponent("V\(count).mom"))
    }
  }

  private func hashes(_ counts: ClosedRange<Int>) throws -> [String: [String: Data]] {
    Dictionary(
      uniqueKeysWithValues: try counts.map { count in
        let data = Data(text(count).utf8)
        return ("V\(count)", try ModelDocument(data: data, file: "V").versionHashes())
      })
  }

  private func writeInfo(_ current: String?, _ counts: ClosedRange<Int>, to folder: URL) throws {
    let info = VersionInfo(currentVersion: current, hashes: try hashes(counts))
    try info.data().write(to: folder.appendingPathComponent(VersionInfo.fileName))
  }

  @Test func theOnlyVersionIsTheCurrentOne() throws {
    try withFolder("X.momd") { folder in
      try writeVersions(1...1, to: folder)
      #expect(
        NSManagedObjectModel(contentsOf: folder)?.entitiesByName["Item"]?.properties.count == 1)
      try writeInfo(nil, 1...1, to: folder)
      #expect(
        NSManagedObjectModel(contentsOf: folder)?.entitiesByName["Item"]?.properties.count == 1)
    }
    try withFolder("X.xcdatamodeld") { folder in
      let version = folder.appendingPathComponent("V.xcdatamodel")
      try FileManager.default.createDirectory(at: version, withIntermediateDirectories: true)
      try Data(text(2).utf8).write(to: version.appendingPathComponent("contents"))
      let note = folder.appendingPathComponent(".xccurrentversion")
      try PropertyListSerialization.data(fromPropertyList: [:], format: .xml, options: 0)
        .write(to: note)
      #expect(
        NSManagedObjectModel(contentsOf: folder)?.entitiesByName["Item"]?.properties.count == 2)
    }
  }

  @Test func ofSeveralVersionsOneMustBeNamed() throws {
    try withFolder("X.momd") { folder in
      try writeVersions(1...2, to: folder)
      try writeInfo(nil, 1...2, to: folder)
      let error = #expect(throws: ModelFileError.self) {
        try NSManagedObjectModel(contentsOfModelAt: folder)
      }
      #expect(error?.problem == "it has 2 versions and does not say which one is current")
      try writeInfo("V2", 1...2, to: folder)
      #expect(
        NSManagedObjectModel(contentsOf: folder)?.entitiesByName["Item"]?.properties.count == 2)
    }
  }

  @Test func archivesAndDocumentsAreToldApartByTheirContents() throws {
    try withFolder("X.momd") { folder in
      try writeVersions(3...3, to: folder)
      let document = folder.appendingPathComponent("V3.mom")
      let model = try #require(NSManagedObjectModel(contentsOf: document))
      let archive = folder.appendingPathComponent("A.mom")
      try model.compiledData().write(to: archive)
      #expect(NSManagedObjectModel(contentsOf: archive) == model)
    }
  }

  /// The versions that are not needed are damaged here, so that reading them would be an error.
  @Test func onlyTheVersionOfTheStoreIsRead() throws {
    let versions = 1...117
    try withFolder("X.momd") { folder in
      try writeInfo("V117", versions, to: folder)
      for count in versions {
        let contents = count == 40 ? text(count) : "damaged"
        try Data(contents.utf8).write(to: folder.appendingPathComponent("V\(count).mom"))
      }
      let metadata: [String: Any] = [
        "NSStoreModelVersionHashes": try #require(hashes(versions)["V40"])
      ]
      let bundle = try #require(Bundle(path: folder.deletingLastPathComponent().path))
      let model = NSManagedObjectModel.mergedModel(from: [bundle], forStoreMetadata: metadata)
      #expect(model?.entitiesByName["Item"]?.properties.count == 40)
      #expect(model?.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata) == true)
    }
  }

  @Test func aStoreOfTwoModelsTakesAVersionOfEach() throws {
    try withFolder("X.momd") { folder in
      let other = folder.deletingLastPathComponent().appendingPathComponent("Y.momd")
      try FileManager.default.createDirectory(at: other, withIntermediateDirectories: true)
      try writeVersions(1...3, to: folder)
      try writeInfo("V3", 1...3, to: folder)
      try Data(text(5, entity: "Note").utf8).write(to: other.appendingPathComponent("N.mom"))
      let note = try ModelDocument(data: Data(text(5, entity: "Note").utf8), file: "N")
      let wanted = try #require(hashes(1...3)["V2"]).merging(note.versionHashes()) { $1 }
      let bundle = try #require(Bundle(path: folder.deletingLastPathComponent().path))
      let model = NSManagedObjectModel.mergedModel(
        from: [bundle], forStoreMetadata: ["NSStoreModelVersionHashes": wanted])
      #expect(model?.entitiesByName["Item"]?.properties.count == 2)
      #expect(model?.entitiesByName["Note"]?.properties.count == 5)
      let missing = wanted.merging(["Gone": Data(count: 32)]) { $1 }
      #expect(
        NSManagedObjectModel.mergedModel(
          from: [bundle], forStoreMetadata: ["NSStoreModelVersionHashes": missing]) == nil)
    }
  }

  @Test func anyBundleAtThePlaceOfTheProgramHasItsModels() throws {
    EmbeddedModels.register(
      name: "Package", module: "Tests", version: "V",
      document: "<model><entity name='InPackage'/></model>")
    let copy = try #require(Bundle(path: Bundle.main.bundlePath))
    func names(_ bundles: [Bundle]?) throws -> [[String?]] {
      try BundleModels(bundles).currentModels().map { $0.entities.map(\.name) }
    }
    #expect(try names([copy]) == names(nil))
    #expect(try names([copy]).contains(["InPackage"]))
  }
}
