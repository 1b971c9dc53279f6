import CoreDataSupport
import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

struct ManagedObjectModelTests {
  @Test func aFrozenModelRefusesEveryChange() async {
    await #expect(processExitsWith: .failure) {
      let model = NSManagedObjectModel()
      let entity = NSEntityDescription()
      entity.name = "Item"
      model.entities = [entity]
      model.freeze()
      entity.name = "Other"
    }
    await #expect(processExitsWith: .failure) {
      let model = NSManagedObjectModel()
      model.freeze()
      model.entities = []
    }
    await #expect(processExitsWith: .failure) {
      let attribute = NSAttributeDescription()
      let entity = NSEntityDescription()
      entity.properties = [attribute]
      let model = NSManagedObjectModel()
      model.entities = [entity]
      model.freeze()
      attribute.isOptional = false
    }
  }

  @Test func userInfoOfAFrozenModelCanChange() {
    let entity = ModelPart.entity("Item", [ModelPart.attribute("title")])
    let model = ModelPart.model([entity])
    model.freeze()
    entity.propertiesByName["title"]?.userInfo = ["search": "x"]
    #expect(entity.propertiesByName["title"]?.userInfo?["search"] as? String == "x")
  }

  @Test func aCopyOfAFrozenModelIsEqualAndCanChange() throws {
    let model = ModelPart.model([ModelPart.entity("Item", [ModelPart.attribute("title")])])
    model.freeze()
    let copy = try #require(model.copy() as? NSManagedObjectModel)
    #expect(copy == model)
    copy.entities[0].name = "Other"
    #expect(copy != model)
  }

  @Test func copiedRelationshipsLeadIntoTheCopy() throws {
    let model = try ApplicationModels.model("Employees")
    let copy = try #require(model.copy() as? NSManagedObjectModel)
    let employee = try #require(copy.entitiesByName["Employee"])
    let department = try #require(employee.relationshipsByName["department"])
    #expect(department.destinationEntity === copy.entitiesByName["Department"])
    #expect(department.inverseRelationship?.inverseRelationship === department)
  }

  @Test func mergingNothingGivesAnEmptyModel() {
    #expect(NSManagedObjectModel(byMerging: [])?.entities.isEmpty == true)
  }

  @Test func mergingTakesEqualEntitiesOnceAndRefusesOthers() {
    let first = ModelPart.model([
      ModelPart.entity("A", [ModelPart.attribute("title")]),
      ModelPart.entity("B", [ModelPart.attribute("title")]),
    ])
    let second = ModelPart.model([
      ModelPart.entity("B", [ModelPart.attribute("title")]),
      ModelPart.entity("C", [ModelPart.attribute("title")]),
    ])
    let merged = NSManagedObjectModel(byMerging: [first, second])
    #expect(merged?.entities.compactMap(\.name).sorted() == ["A", "B", "C"])
    let other = ModelPart.model([ModelPart.entity("B", [ModelPart.attribute("different")])])
    #expect(NSManagedObjectModel(byMerging: [first, other]) == nil)
  }

  @Test func mergingForAStorePicksTheEntitiesItWasMadeWith() {
    let old = ModelPart.model([ModelPart.entity("A", [ModelPart.attribute("title")])])
    let new = ModelPart.model([ModelPart.entity("A", [ModelPart.attribute("name")])])
    let metadata: [String: Any] = ["NSStoreModelVersionHashes": old.entityVersionHashesByName]
    let merged = NSManagedObjectModel(byMerging: [new, old], forStoreMetadata: metadata)
    #expect(merged?.entitiesByName["A"]?.attributesByName["title"] != nil)
    #expect(NSManagedObjectModel(byMerging: [new], forStoreMetadata: metadata) == nil)
  }

  @Test func compatibilityComparesTheHashesOfTheConfiguration() {
    let model = ModelPart.model([
      ModelPart.entity("A", [ModelPart.attribute("title")]),
      ModelPart.entity("B", [ModelPart.attribute("title")]),
    ])
    model.setEntities([model.entities[0]], forConfigurationName: "First")
    let metadata: [String: Any] = ["NSStoreModelVersionHashes": model.entityVersionHashesByName]
    func fits(_ name: String?, _ metadata: [String: Any]) -> Bool {
      model.isConfiguration(withName: name, compatibleWithStoreMetadata: metadata)
    }
    #expect(fits(nil, metadata) && fits("First", metadata))
    #expect(!fits("Unknown", metadata) && !fits(nil, [:]))
    let first: [String: Any] = [
      "NSStoreModelVersionHashes": model.entityVersionHashesByName.filter { $0.key == "A" }
    ]
    #expect(fits("First", first) && !fits(nil, first))
  }

  @Test func configurationsKeepTheirEntities() {
    let model = ModelPart.model([
      ModelPart.entity("A", [ModelPart.attribute("title")]),
      ModelPart.entity("B", [ModelPart.attribute("title")]),
    ])
    model.setEntities([model.entities[1]], forConfigurationName: "Second")
    #expect(model.configurations == ["Second"])
    #expect(model.entities(forConfigurationName: "Second")?.map(\.name) == ["B"])
    #expect(model.entities(forConfigurationName: nil)?.count == 2)
    #expect(model.entities(forConfigurationName: "PF_DEFAULT_CONFIGURATION_NAME")?.count == 2)
    #expect(model.entities(forConfigurationName: "None") == nil)
  }

  @Test func templatesAreCopiedWithTheirVariablesReplaced() {
    let model = ModelPart.model([ModelPart.entity("Item", [ModelPart.attribute("title")])])
    let request = NSFetchRequest<NSFetchRequestResult>(entityName: "Item")
    request.predicate = NSPredicate(format: "title == $TITLE")
    model.setFetchRequestTemplate(request, forName: "byTitle")
    let filled = model.fetchRequestFromTemplate(
      withName: "byTitle", substitutionVariables: ["TITLE": "Milk"])
    #expect(filled?.predicate?.description == "title == \"Milk\"")
    #expect(
      model.fetchRequestTemplate(forName: "byTitle")?.predicate?.description == "title == $TITLE")
  }
}
