import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

/// Archives that Apple's tools wrote: read, compared, written again.
@Suite(.enabled(if: Corpus.isNamed, Corpus.reason))
struct ModelArchiveCorpusTests {
  private func archives() throws -> [URL] {
    try Corpus.urls(under: "compiled", suffix: ".mom")
      + Corpus.urls(under: "stores", suffix: ".modelcache.mom")
  }

  @Test func modelCachesHaveTheHashesOfTheirStores() throws {
    let caches = try Corpus.urls(under: "stores", suffix: ".modelcache.mom")
    #expect(caches.count == 12)
    for url in caches {
      let model = try NSManagedObjectModel(archivedData: Data(contentsOf: url), file: url.path)
      let folder = url.deletingLastPathComponent().lastPathComponent
      let store = url.lastPathComponent.replacingOccurrences(of: ".modelcache.mom", with: "")
      let hashes = try Corpus.hashes(ofStore: "\(folder)/\(store)")
      let ours = model.entityVersionHashesByName.mapValues(\.hexadecimal)
      #expect(Set(ours.keys) == Set(hashes.keys), "\(store)")
      for (name, hash) in hashes where !hasDerivedAttribute(model.entitiesByName[name]) {
        #expect(ours[name] == hash, "\(store): \(name)")
      }
    }
  }

  /// The hash of derived attributes is not known: see the version hash of file formats.
  private func hasDerivedAttribute(_ entity: NSEntityDescription?) -> Bool {
    entity?.properties.contains { $0 is NSDerivedAttributeDescription } ?? false
  }

  @Test func compiledModelsHaveTheHashesOfTheirVersionInfo() throws {
    for url in try Corpus.urls(under: "compiled", suffix: ".momd") {
      let package = ModelPackage(url: url)
      let info = try #require(
        try PropertyListSerialization.propertyList(
          from: Data(contentsOf: url.appendingPathComponent("VersionInfo.plist")), format: nil)
          as? [String: Any])
      let versions = try #require(
        info["NSManagedObjectModel_VersionHashes"] as? [String: [String: Data]])
      let checksums = info["NSManagedObjectModel_VersionChecksums"] as? [String: String]
      #expect(Set(try package.versionNames()) == Set(versions.keys))
      for (version, hashes) in versions {
        let model = try package.model(version: version)
        #expect(model.entityVersionHashesByName == hashes, "\(version)")
        if let checksum = checksums?[version] { #expect(model.versionChecksum == checksum) }
      }
    }
  }

  @Test func modelFilesEqualWhatAppleCompiledFromThem() throws {
    for name in ["SampleModel", "SampleModel3"] {
      let source = ModelPackage(url: try Corpus.url("models/CoreDataPlus/\(name).xcdatamodeld"))
      let compiled = ModelPackage(url: try Corpus.url("compiled/CoreDataPlus/\(name).momd"))
      for version in try compiled.versionNames() {
        let ours = try source.model(version: version)
        let theirs = try compiled.model(version: version)
        // This one attribute got a class in the file after the file was compiled.
        ours.entitiesByName["Car"]?.attributesByName["color"]?.attributeValueClassName = nil
        for (entityName, theirEntity) in theirs.entitiesByName {
          let ourEntity = try #require(ours.entitiesByName[entityName])
          for (propertyName, theirProperty) in theirEntity.propertiesByName {
            let ourProperty = try #require(ourEntity.propertiesByName[propertyName])
            #expect(ourProperty == theirProperty, "\(version): \(entityName).\(propertyName)")
          }
          #expect(ourEntity == theirEntity, "\(version): \(entityName)")
        }
        #expect(ours == theirs, "\(version)")
      }
    }
  }

  @Test func archivesAreWrittenAsTheyWereRead() throws {
    for url in try archives() {
      let model = try NSManagedObjectModel(archivedData: Data(contentsOf: url), file: url.path)
      let compiled = try NSManagedObjectModel(archivedData: model.compiledData())
      #expect(compiled == model, "\(url.path)")
      let cached = try NSManagedObjectModel(archivedData: model.archivedData())
      #expect(cached == model, "\(url.path)")
    }
  }

  @Test func writtenArchivesHaveTheKeysOfRealOnes() throws {
    var real: [String: Set<Set<String>>] = [:]
    var known: [String: Set<String>] = [:]
    for url in try archives() {
      for (name, keys) in try ArchiveShape.keySets(of: Data(contentsOf: url)) {
        real[name, default: []].formUnion(keys)
        known[name, default: []].formUnion(keys.flatMap(\.self))
      }
    }
    for url in try archives() where url.lastPathComponent.contains("modelcache") {
      let model = try NSManagedObjectModel(archivedData: Data(contentsOf: url), file: url.path)
      for (name, keySets) in try ArchiveShape.keySets(of: model.archivedData()) {
        for keys in keySets {
          let common = real[name]?.reduce(known[name] ?? []) { $0.intersection($1) } ?? []
          #expect(keys.isSubset(of: known[name] ?? []), "\(name): \(keys)")
          #expect(common.isSubset(of: keys), "\(name) lacks \(common.subtracting(keys))")
        }
      }
    }
  }

  @Test func writtenClassesHaveTheAncestorsOfRealOnes() throws {
    var real: [String: [String]] = [:]
    for url in try archives() {
      real.merge(try ArchiveShape.classes(of: Data(contentsOf: url))) { first, _ in first }
    }
    for url in try archives() {
      let model = try NSManagedObjectModel(archivedData: Data(contentsOf: url), file: url.path)
      for (name, ancestors) in try ArchiveShape.classes(of: model.archivedData()) {
        #expect(real[name] == ancestors, "\(name)")
      }
    }
  }

  @Test func everyModelFileSurvivesBothArchives() throws {
    for url in try Corpus.urls(under: "models", suffix: ".xcdatamodel/contents") {
      let model = try ModelPackage(url: url.deletingLastPathComponent()).currentModel()
      let compiled = try NSManagedObjectModel(archivedData: model.compiledData())
      #expect(compiled == model, "\(url.path)")
      let cached = try NSManagedObjectModel(archivedData: model.archivedData())
      #expect(cached == model, "\(url.path)")
      #expect(cached.versionChecksum == model.versionChecksum)
    }
  }
}
