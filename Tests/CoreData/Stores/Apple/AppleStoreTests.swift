import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

/// Stores that Apple's framework made, opened with the model that they carry.
@Suite(.enabled(if: Corpus.isNamed, Corpus.reason))
struct AppleStoreTests {
  private func model(of url: URL) throws -> NSManagedObjectModel {
    try NSPersistentStoreCoordinator.cachedModelForPersistentStore(at: url)
  }

  @Test(arguments: AppleStores.names) func withItsOwnModelEveryValueIsWhatPlainSQLGives(
    _ name: String
  ) throws {
    let url = try AppleStores.copy(name)
    try PlainValues.expect(of: url, model(of: url))
  }

  @Test(arguments: CorpusModels.stores.indices)
  func withItsModelFileEveryValueIsWhatPlainSQLGives(_ index: Int) throws {
    let (path, version, store) = CorpusModels.stores[index]
    let package = ModelPackage(url: try Corpus.url("models/" + path))
    let url = try AppleStores.copy(String(store.dropLast(".sqlite".count)))
    try PlainValues.expect(of: url, package.model(version: version))
  }

  @Test(arguments: AppleStores.unmigrated) func aFreshStoreHasTheSameSchema(_ name: String) throws {
    let original = try AppleStores.copy(name)
    let ignored = ["ACHANGE", "ATRANSACTION", "Z_TRANSACTION"]
    let expected = try PlainSQL(url: original).schema.filter { statement in
      !ignored.contains { statement.contains($0) }
    }
    let layouts = try model(of: original).entityLayouts()
    let schema = try SQLSchemaBuilder(
      layouts: layouts, numbers: StoreCreation.numbers(layouts)
    ).schema()
    #expect(schema.statements == expected)
  }

  @Test(arguments: AppleStores.unmigrated) func numbersHashesDigestAndChecksumAreTheSame(
    _ name: String
  ) throws {
    let original = try AppleStores.copy(name)
    let model = try model(of: original)
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
      ofType: NSSQLiteStoreType, at: original)
    let fresh = try StoreFixture(model)
    let ours = try #require(fresh.store.metadata)
    let numbers = "SELECT Z_ENT, Z_NAME, Z_SUPER FROM Z_PRIMARYKEY WHERE Z_ENT < 16000"
    #expect(try PlainSQL(url: fresh.url).rows(numbers) == PlainSQL(url: original).rows(numbers))
    // The version hash of an entity with a derived attribute is not known to be reproducible.
    guard !name.contains("SampleModel2_") else { return }
    for key in [StoreMetadataKey.hashesDigest, NSPersistentStoreModelVersionChecksumKey]
    where metadata[key] != nil {
      #expect(ours[key] as? String == metadata[key] as? String)
    }
    #expect(
      ours[NSStoreModelVersionHashesKey] as? [String: Data]
        == metadata[NSStoreModelVersionHashesKey] as? [String: Data])
  }
}
