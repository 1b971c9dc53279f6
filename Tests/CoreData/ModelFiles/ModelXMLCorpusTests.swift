import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

/// Real `.xcdatamodel` files against the hashes of what Apple's tools made of them.
@Suite(.enabled(if: Corpus.isNamed, Corpus.reason))
struct ModelXMLCorpusTests {
  @Test func hashesOfModelFilesAreThoseOfTheirStores() throws {
    for (path, version, store) in CorpusModels.stores {
      let package = ModelPackage(url: try Corpus.url("models/" + path))
      let model = try package.model(version: version)
      let hashes = try Corpus.hashes(ofStore: store)
      let ours = model.entityVersionHashesByName.mapValues(\.hexadecimal)
      #expect(ours == hashes, "\(version) for \(store)")
    }
  }

  @Test func modelsThatApplicationsHaveShippedAreRead() throws {
    let folder = "shipped"
    for url in try Corpus.urls(under: folder, suffix: ".xcdatamodel/contents") {
      let model = try ModelPackage(url: url.deletingLastPathComponent()).currentModel()
      #expect(!model.entities.isEmpty, "\(url.path)")
    }
    for (model, store) in [
      ("Artsy/ArtsyPartner.xcdatamodeld", "Artsy/ArtsyOSS.sqlite"),
      ("LoopKit/Model.xcdatamodeld", "LoopKit/Model.v1.sqlite"),
    ] {
      let package = ModelPackage(url: try Corpus.url("\(folder)/\(model)"))
      let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
        ofType: NSSQLiteStoreType, at: try Corpus.url("\(folder)/\(store)"))
      let fits = try package.versionNames().filter { version in
        try package.model(version: version)
          .isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata)
      }
      #expect(fits.count == 1, "\(store): \(fits)")
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

  /// What the archive says was listed by a script that shares no code with this project.
  @Test func aModelOfTheOldestKindIsRead() throws {
    let url = try Corpus.url("models/mogenerator/MyModel.xcdatamodeld/MyModel.xcdatamodel")
    let model = try ModelPackage(url: url).currentModel()
    let names = [
      "Assistant", "Company", "Department", "DepartmentAssistant", "DepartmentEmployee", "Employee",
    ]
    #expect(model.entities.map(\.name) == names)
    let employee = try #require(model.entitiesByName["Employee"])
    #expect(employee.managedObjectClassName == "ModelEmployee")
    #expect(
      Set(employee.attributesByName.keys) == ["name", "isOnVacation", "birthDate"]
        && Set(employee.relationshipsByName.keys) == ["assistant", "departments", "company"])
    let onVacation = try #require(employee.attributesByName["isOnVacation"])
    #expect(onVacation.attributeType == .booleanAttributeType && !onVacation.isOptional)
    #expect(onVacation.defaultValue as? Bool == false)
    #expect(employee.attributesByName["birthDate"]?.attributeType == .dateAttributeType)
    let company = try #require(employee.relationshipsByName["company"])
    #expect(!company.isToMany && company.minCount == 1 && company.isTransient)
    #expect(company.destinationEntity?.name == "Company" && !company.isOptional)
    #expect(company.inverseRelationship?.name == "employees")
    #expect(company.deleteRule == .nullifyDeleteRule)
    let department = try #require(model.entitiesByName["Department"])
    #expect(department.relationshipsByName["employees"]?.maxCount == 0)
    #expect(department.userInfo?["com.apple.syncservices.Syncable"] as? String == "NO")
  }

  @Test func documentsHaveTheHashesOfTheirModels() throws {
    for url in try Corpus.urls(under: "models", suffix: ".xcdatamodel/contents") {
      let document = try ModelDocument(data: Data(contentsOf: url), file: url.path)
      let model = try ModelBuilder.model(of: document)
      #expect(document.versionHashes() == model.entityVersionHashesByName, "\(url.path)")
    }
  }

  /// What the build plugin puts into a `.momd` is the same model.
  @Test func documentsWrittenAnewAreTheSameModels() throws {
    for url in try Corpus.urls(under: "models", suffix: ".xcdatamodel/contents") {
      let data = try Data(contentsOf: url)
      let text = try ModelElement.root(of: data, file: url.path).text
      let again = try ModelDocument(data: Data(text.utf8), file: url.path)
      let model = try ModelBuilder.model(of: ModelDocument(data: data, file: url.path))
      #expect(try ModelBuilder.model(of: again) == model, "\(url.path)")
      #expect(text.utf8.count < data.count, "\(url.path)")
    }
  }
}
