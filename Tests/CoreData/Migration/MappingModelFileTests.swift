import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

/// Mapping models that Apple's compiler made.
@Suite(.enabled(if: Corpus.isNamed, Corpus.reason))
struct MappingModelFileTests {
  /// Makes an object of the new entity Maker for each name that cars have.
  final class MakerPolicy: NSEntityMigrationPolicy {
    override func createDestinationInstances(
      forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
      try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
      let car = try #require(
        manager.destinationInstances(
          forEntityMappingName: mapping.name, sourceInstances: [sInstance]
        ).first)
      guard let name = sInstance.value(forKey: "maker") as? String else { return }
      let known = manager.destinationContext.registeredObjects.first {
        $0.entity.name == "Maker" && $0.value(forKey: "name") as? String == name
      }
      let maker =
        known
        ?? NSEntityDescription.insertNewObject(
          forEntityName: "Maker", into: manager.destinationContext)
      maker.setValue(name, forKey: "name")
      car.setValue(maker, forKey: "createdBy")
    }
  }

  private func compiled() throws -> NSMappingModel {
    try #require(NSMappingModel(contentsOf: Corpus.url("compiled/CoreDataPlus/V2toV3.cdm")))
  }

  @Test func everythingOfACompiledMappingModelIsRead() throws {
    let model = try compiled()
    let names = model.entityMappings.map { "\($0.name ?? "") \($0.mappingType.rawValue)" }
    #expect(
      names == [
        "CarToCar 1", "LuxuryCarToLuxuryCar 1", "PersonToPerson 4", "SportCarToSportCar 1",
        "Maker 2",
      ])
    let person = try #require(model.entityMappingsByName["PersonToPerson"])
    let texts = ((person.attributeMappings ?? []) + (person.relationshipMappings ?? [])).map {
      "\($0.name ?? "") = \($0.valueExpression?.description ?? "nil")"
    }
    let cars =
      "FUNCTION($manager, \"destinationInstancesForSourceRelationshipNamed:sourceInstances:\" , "
      + "\"cars\", $source.cars)"
    #expect(
      texts == [
        "firstName = $source.firstName", "lastName = $source.lastName",
        "updatedAt = $source.updatedAt", "cars = \(cars)", "previousCars = \(cars)",
      ])
    #expect(try model == compiled())
  }

  @Test func aStoreIsMigratedByACompiledMappingModelAndAPolicy() throws {
    let url = try AppleStores.copy("CoreDataPlus/SampleModel_V2")
    let plain = PlainSQL(url: url)
    let before = try plain.rows(
      "SELECT c.ZNUMBERPLATE, c.ZMAKER, c.ZMODEL, p.ZFIRSTNAME, p.ZLASTNAME FROM ZCAR c LEFT JOIN ZPERSON p "
        + "ON p.Z_PK = c.ZOWNER ORDER BY c.ZNUMBERPLATE")
    let package = try CorpusModels.package("CoreDataPlus/SampleModel.xcdatamodeld")
    let source = try CorpusModels.model(package, "SampleModel2")
    let destination = try CorpusModels.model(package, "SampleModel3")
    let mapping = try compiled()
    MakerPolicy.register(as: "MakerPolicyOfTests")
    for entity in mapping.entityMappings where entity.entityMigrationPolicyClassName != nil {
      entity.entityMigrationPolicyClassName = "MakerPolicyOfTests"
    }
    let target = url.deletingLastPathComponent().appendingPathComponent("V3.sqlite")
    let bytes = try Data(contentsOf: url)
    try NSMigrationManager(sourceModel: source, destinationModel: destination).migrateStore(
      from: url, sourceType: NSSQLiteStoreType, options: nil, with: mapping,
      toDestinationURL: target,
      destinationType: NSSQLiteStoreType, destinationOptions: nil)
    #expect(try Data(contentsOf: url) == bytes)
    let after = try PlainSQL(url: target).rows(
      "SELECT c.ZNUMBERPLATE, m.ZNAME, c.ZMODEL, p.ZFIRSTNAME, p.ZLASTNAME FROM ZCAR c "
        + "LEFT JOIN ZMAKER m ON m.Z_PK = c.ZCREATEDBY LEFT JOIN ZPERSON p ON p.Z_PK = c.ZOWNER "
        + "ORDER BY c.ZNUMBERPLATE")
    #expect(after == before)
    #expect(after.count == 125)
    let owned = before.filter { !$0.hasSuffix("NULL") }.count
    #expect(
      try PlainSQL(url: target).rows("SELECT count(*) FROM Z_1PREVIOUSOWNERS") == ["\(owned)"])
    let checked = try StoreChecker.checkRows(target)
    #expect(checked.status == 0, "\(checked.text)")
  }
}
