import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

/// Mapping models as Xcode edits them.
@Suite(.enabled(if: Corpus.isNamed, Corpus.reason))
struct MappingSourceTests {
  @Test func aSourceSaysWhatAppleCompiledFromIt() throws {
    let ours = try NSMappingModel(
      contentsOfMappingModelAt: Corpus.url("models/CoreDataPlus/V2toV3.xcmappingmodel"))
    let theirs = try NSMappingModel(
      contentsOfMappingModelAt: Corpus.url("compiled/CoreDataPlus/V2toV3.cdm"))
    #expect(ours.entityMappings.count == 5)
    for (our, their) in zip(ours.entityMappings, theirs.entityMappings) {
      #expect(our.name == their.name && our.mappingType == their.mappingType)
      #expect(our.sourceExpression == their.sourceExpression, "\(their.name ?? "")")
      for path in [\NSEntityMapping.attributeMappings, \.relationshipMappings] {
        let (one, other) = (our[keyPath: path] ?? [], their[keyPath: path] ?? [])
        #expect(one.map(\.name) == other.map(\.name))
        #expect(one.map(\.valueExpression) == other.map(\.valueExpression))
      }
      #expect(our == their, "\(their.name ?? "")")
    }
    #expect(ours == theirs)
  }

  @Test func theEditorsCopyOfAModelStandsForAMissingOne() throws {
    let url = try Corpus.url("models/CoreDataPlus/V2toV3.xcmappingmodel")
    let alone = try StoreFixture.makeFolder().appendingPathComponent("V2toV3.xcmappingmodel")
    try FileManager.default.copyItem(at: url, to: alone)
    let model = try NSMappingModel(contentsOfMappingModelAt: alone)
    #expect(try model == NSMappingModel(contentsOfMappingModelAt: url))
  }

  @Test func modelsCanBeHandedIn() throws {
    let url = try Corpus.url("models/CoreDataPlus/V2toV3.xcmappingmodel")
    let package = try CorpusModels.package("CoreDataPlus/SampleModel.xcdatamodeld")
    let source = try CorpusModels.model(package, "SampleModel2")
    let destination = try CorpusModels.model(package, "SampleModel3")
    let model = try NSMappingModel(
      contentsOfMappingModelAt: url, sourceModel: source, destinationModel: destination)
    #expect(try model == NSMappingModel(contentsOfMappingModelAt: url))
    let error = #expect(throws: ModelFileError.self) {
      try NSMappingModel(
        contentsOfMappingModelAt: url, sourceModel: source, destinationModel: source)
    }
    #expect(error?.problem.contains("destination model") == true)
  }

  @Test func pathsAndNamesOfMappingsMakeTheExpressions() throws {
    let url = try Corpus.url("models/objcio-core-data/Moody 2-Moody 3.xcmappingmodel")
    let model = try NSMappingModel(contentsOfMappingModelAt: url)
    let continent = try #require(model.entityMappingsByName["ContinentToContinent"])
    #expect(continent.mappingType == .copyEntityMappingType)
    let texts = (continent.relationshipMappings ?? []).map {
      "\($0.name ?? "") = \($0.valueExpression?.description ?? "nil")"
    }
    #expect(
      texts == [
        "countries = FUNCTION($manager, \"destinationInstancesForEntityMappingNamed:sourceInstances:\" , "
          + "\"CountryToCountry\", $source.countries)",
        "moods = FUNCTION($manager, \"destinationInstancesForEntityMappingNamed:sourceInstances:\" , "
          + "\"MoodToMood\", $source.countries.@distinctUnionOfSets.moods)",
      ])
    #expect(
      model.entityMappings.map(\.name) == [
        "MoodToMood", "CountryToCountry", "ContinentToContinent",
      ])
    #expect(model.entityMappings.allSatisfy { $0.entityMigrationPolicyClassName == nil })
  }

  @Test func expressionsWrittenByHandAreKept() throws {
    let url = try Corpus.url(
      "models/CoreStore/Advanced.EvolutionDemo.V2.FromV1.xcmappingmodel")
    let model = try NSMappingModel(contentsOfMappingModelAt: url)
    let creature = try #require(model.entityMappings.first)
    #expect(creature.mappingType == .customEntityMappingType)
    let texts = (creature.attributeMappings ?? []).map {
      "\($0.name ?? "") = \($0.valueExpression?.description ?? "nil")"
    }
    #expect(
      texts == [
        "dnaCode = $source.dnaCode", "hasHead = 1", "hasTail = nil", "hasVertebrae = nil",
        "numberOfFlippers = $source.numberOfFlagella",
      ])
  }

  /// The store of the second version with the third by the source alone.
  @Test func aStoreIsMigratedByASource() throws {
    let url = try AppleStores.copy("CoreDataPlus/SampleModel_V2")
    let package = try CorpusModels.package("CoreDataPlus/SampleModel.xcdatamodeld")
    let source = try CorpusModels.model(package, "SampleModel2")
    let destination = try CorpusModels.model(package, "SampleModel3")
    let mapping = try NSMappingModel(
      contentsOfMappingModelAt: Corpus.url("models/CoreDataPlus/V2toV3.xcmappingmodel"))
    for entity in mapping.entityMappings { entity.entityMigrationPolicyClassName = nil }
    let target = url.deletingLastPathComponent().appendingPathComponent("V3.sqlite")
    try NSMigrationManager(sourceModel: source, destinationModel: destination).migrateStore(
      from: url, sourceType: NSSQLiteStoreType, options: nil, with: mapping,
      toDestinationURL: target, destinationType: NSSQLiteStoreType, destinationOptions: nil)
    #expect(try PlainSQL(url: target).rows("SELECT count(*) FROM ZCAR") == ["125"])
  }
}
