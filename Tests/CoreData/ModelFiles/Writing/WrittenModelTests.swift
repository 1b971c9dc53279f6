import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

/// Every real model in every form, written and read back.
@Suite(.enabled(if: Corpus.isNamed, Corpus.reason))
struct WrittenModelTests {
  /// Every model at hand by the path that it comes from: sources of both kinds, compiled ones and those that
  /// stores have in them.
  private static func models() throws -> [(path: String, model: NSManagedObjectModel)] {
    var models: [(String, NSManagedObjectModel)] = []
    for folder in ["models", "shipped"] {
      for suffix in [".xcdatamodel/contents", ".xcdatamodel/elements"] {
        guard folder == "models" || suffix.hasSuffix("contents") else { continue }
        for url in try Corpus.urls(under: folder, suffix: suffix) {
          let package = ModelPackage(url: url.deletingLastPathComponent())
          models.append((url.path, try package.currentModel()))
        }
      }
    }
    for url in try Corpus.urls(under: "compiled", suffix: ".mom") {
      models.append((url.path, try ModelPackage(url: url).currentModel()))
    }
    for folder in ["stores", "shipped"] {
      for url in try Corpus.urls(under: folder, suffix: ".sqlite") {
        let cached = try? NSPersistentStoreCoordinator.cachedModelForPersistentStore(at: url)
        if let cached { models.append((url.path, cached)) }
      }
    }
    return models
  }

  @Test(arguments: ModelForm.allCases) func everyModelSurvives(form: ModelForm) throws {
    let folder = try StoreFixture.makeFolder()
    let models = try Self.models()
    #expect(models.count == 71)
    for (path, model) in models {
      guard form.canHold(path) else {
        let error = #expect(throws: ModelFileError.self) { try form.write(model, in: folder) }
        #expect(error?.problem.contains("the counts") == true, "\(path)")
        continue
      }
      let read = try form.roundTrip(model, in: folder)
      #expect(read == model, "\(path)")
      let lost = ModelFacts(of: model).firstDifference(from: ModelFacts(of: read))
      #expect(lost == nil, "\(path)")
      #expect(read.entityVersionHashesByName == model.entityVersionHashesByName, "\(path)")
      #expect(read.versionChecksum == model.versionChecksum, "\(path)")
    }
  }

  @Test(arguments: ModelForm.allCases) func equalModelsHaveEqualBytes(form: ModelForm) throws {
    let folder = try StoreFixture.makeFolder()
    for (path, model) in try Self.models() where form.canHold(path) {
      let first = try form.write(model, in: folder)
      let bytes = try ModelForm.bytes(at: first)
      let read = try ModelPackage(url: first).currentModel()
      try form.shuffled(read).write(to: first)
      let again = try ModelForm.bytes(at: first)
      #expect(again == bytes, "\(path): \(ModelForm.firstDifference(bytes, again))")
    }
  }

  @Test func versionsOfRealPackagesAreWrittenTogether() throws {
    let folder = try StoreFixture.makeFolder()
    for source in try Corpus.urls(under: "compiled", suffix: ".momd") {
      let package = ModelPackage(url: source)
      let names = try package.versionNames()
      let versions = try Dictionary(
        uniqueKeysWithValues: names.map { ($0, try package.model(version: $0)) })
      let url = folder.appendingPathComponent(source.lastPathComponent)
      try NSManagedObjectModel.write(
        versions, currentVersion: package.currentVersionName(), to: url)
      let written = try Self.propertyList(url)
      let real = try Self.propertyList(source)
      for (key, value) in real {
        #expect(ModelValue.areEqual(written[key], value), "\(source.lastPathComponent): \(key)")
      }
      let checksums = "NSManagedObjectModel_VersionChecksums"
      #expect(Set(written.keys) == Set(real.keys).union([checksums]))
    }
  }

  private static func propertyList(_ package: URL) throws -> [String: Any] {
    let data = try Data(contentsOf: package.appendingPathComponent(VersionInfo.fileName))
    return try #require(
      PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any])
  }
}

/// The forms in which a model is written.
enum ModelForm: String, CaseIterable, Sendable {
  case source = "xcdatamodel"
  case versionedSource = "xcdatamodeld"
  case compiled = "mom"
  case versionedCompiled = "momd"

  var isSource: Bool { self == .source || self == .versionedSource }

  /// These models were made in code: their to-many relationships have a maximum count of -1, and XML knows none
  /// below 0.
  func canHold(_ path: String) -> Bool {
    !isSource || !path.contains("stores/CoreDataPlus/SampleModel2_")
  }

  func write(_ model: NSManagedObjectModel, in folder: URL) throws -> URL {
    let url = folder.appendingPathComponent("Written.\(rawValue)")
    try model.write(to: url)
    return url
  }

  func roundTrip(_ model: NSManagedObjectModel, in folder: URL) throws -> NSManagedObjectModel {
    try ModelPackage(url: write(model, in: folder)).currentModel()
  }

  /// The contents of a file, or of all files in a folder, by their paths.
  static func bytes(at url: URL) throws -> [String: Data] {
    var isFolder: ObjCBool = false
    _ = FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder)
    guard isFolder.boolValue else { return ["": try Data(contentsOf: url)] }
    var bytes: [String: Data] = [:]
    for path in try FileManager.default.subpathsOfDirectory(atPath: url.path) {
      bytes[path] = try? Data(contentsOf: url.appendingPathComponent(path))
    }
    return bytes
  }

  /// The first lines of text that are different.
  static func firstDifference(_ left: [String: Data], _ right: [String: Data]) -> String {
    let texts = [left, right].map { files in
      files.sorted { $0.key < $1.key }.flatMap {
        String(decoding: $0.value, as: UTF8.self).split(separator: "\n")
      }
    }
    let different = zip(texts[0], texts[1]).first { $0 != $1 }
    return different.map { "\($0.0.prefix(300)) / \($0.1.prefix(300))" } ?? "none"
  }

  /// An equal model whose entities, properties and indexes stand in another order.
  func shuffled(_ model: NSManagedObjectModel) throws -> NSManagedObjectModel {
    let copy = try #require(model.copy() as? NSManagedObjectModel)
    for entity in copy.entities {
      entity.properties = entity.ownProperties.reversed()
      entity.indexes = entity.indexes.reversed()
    }
    copy.entities = copy.entities.reversed()
    copy.configurationMembers.reverse()
    return copy
  }
}
