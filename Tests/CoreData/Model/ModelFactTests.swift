import CoreData
import CoreDataSupport
import Testing

@testable import CoreDataSamples

@Suite struct ModelFactTests {
  private func entity(_ name: String, _ attributes: [String]) -> NSEntityDescription {
    ModelPart.entity(name, attributes.map { ModelPart.attribute($0) })
  }

  @Test func aNewModelIsEmpty() {
    let model = NSManagedObjectModel()
    #expect(model.entities.isEmpty && model.configurations.isEmpty)
    #expect(model.versionIdentifiers.isEmpty)
  }

  @Test func newDescriptionsNameNoTransformerAndNoDerivation() {
    #expect(NSAttributeDescription().valueTransformerName == nil)
    let derived = NSDerivedAttributeDescription()
    derived.name = "count"
    #expect(derived.derivationExpression == nil)
    let owner = entity("Owner", [])
    owner.properties = [derived]
    #expect(owner.attributesByName["count"] === derived)
  }

  @Test func uniquenessConstraintsAreNoneAtFirstAndComeBackAsTheyWereSet() {
    let person = entity("Person", ["first", "last"])
    #expect(person.uniquenessConstraints.isEmpty)
    person.uniquenessConstraints = [["first", "last"]]
    #expect(person.uniquenessConstraints as? [[String]] == [["first", "last"]])
  }

  @Test func indexesAreNotInherited() {
    let parent = entity("Parent", ["a", "b"])
    let child = entity("Child", [])
    parent.subentities = [child]
    let elements = ["a", "b"].compactMap { name in
      parent.attributesByName[name].map {
        NSFetchIndexElementDescription(property: $0, collationType: .binary)
      }
    }
    parent.indexes = [NSFetchIndexDescription(name: "both", elements: elements)]
    #expect(parent.indexes.first?.elements.count == 2 && child.indexes.isEmpty)
  }

  @Test func modelsOfEqualContentAreEqual() {
    #expect(ModelPart.model([entity("A", ["x"])]) == ModelPart.model([entity("A", ["x"])]))
    #expect(ModelPart.model([entity("A", ["x"])]) != ModelPart.model([entity("A", ["y"])]))
    #expect(CompanyModel.make() == CompanyModel.make())
  }

  @Test func aSubentityThatAConfigurationLeavesOutIsFetchedThroughItsParent() throws {
    let parent = entity("Parent", ["name"])
    let child = entity("Child", [])
    parent.subentities = [child]
    let model = ModelPart.model([parent, child])
    model.setEntities([parent], forConfigurationName: "Parents")
    let stack = try TestStack(.sqlite, model: model)
    try stack.withContext { context in
      context.insert("Child", ["name": "c"])
      context.insert("Parent", ["name": "p"])
      try context.save()
    }
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: "Parents",
      at: stack.coordinator.persistentStores[0].url)
    let context = coordinator.makeContext()
    let names = try context.performAndWait {
      let found = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Parent"))
      return Set(found.compactMap { $0.value(forKey: "name") as? String })
    }
    #expect(names == ["p", "c"])
  }

  @Test func aUniqueEntityMayHaveAMandatoryInverse() throws {
    let owner = entity("Owner", ["name"])
    let pet = entity("Pet", ["name"])
    let (pets, back) = ModelPart.relate(owner, "pets", 0, pet, "owner", 1)
    back.isOptional = false
    owner.properties += [pets]
    pet.properties += [back]
    owner.uniquenessConstraints = [["name"]]
    let stack = try TestStack(.sqlite, model: ModelPart.model([owner, pet]))
    try stack.withContext { context in
      let object = context.insert("Owner", ["name": "o"])
      context.insert("Pet", ["name": "p", "owner": object])
      try context.save()
      #expect((object.value(forKey: "pets") as? NSSet)?.count == 1)
    }
  }

  @Test func aClassThatNoModelClaimsHasAnEntityWithoutName() {
    #expect(UnclaimedObject.entity().name == nil)
    #expect(UnclaimedObject.fetchRequest().entityName == "")
  }

  @Test func anObjectOfAClassThatNoModelClaimsCannotBeMade() async throws {
    let result = try #require(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let model = NSManagedObjectModel()
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        context.performAndWait { _ = UnclaimedObject(context: context) }
      })
    let text = result.complaint
    #expect(
      text.contains("No NSEntityDescriptions in any model claim the NSManagedObject subclass"))
  }

  @Test func membersOfAnInheritedRelationshipBelongToTheSubentitysObject() throws {
    let parent = entity("Parent", ["name"])
    let child = entity("Child", [])
    let toy = entity("Toy", ["name"])
    let (toys, owner) = ModelPart.relate(parent, "toys", 0, toy, "owner", 1)
    parent.properties += [toys]
    toy.properties += [owner]
    parent.subentities = [child]
    let stack = try TestStack(.sqlite, model: ModelPart.model([parent, child, toy]))
    try stack.withContext { context in
      let object = context.insert("Child", ["name": "c"])
      object.managedAdd(context.insert("Toy", ["name": "t"]), to: ManagedProperty("toys"))
      try context.save()
      context.reset()
      let request = NSFetchRequest<NSManagedObject>(entityName: "Toy")
      let found = try #require(try context.fetch(request).first)
      let back = found.value(forKey: "owner") as? NSManagedObject
      #expect(back?.entity.name == "Child" && back?.value(forKey: "name") as? String == "c")
    }
  }

  private func archived(_ original: NSManagedObjectModel) throws -> NSManagedObjectModel {
    let archiver = NSKeyedArchiver(requiringSecureCoding: true)
    archiver.encode(original, forKey: "whatever")
    let coder = try NSKeyedUnarchiver(forReadingFrom: archiver.encodedData)
    let decoded = coder.decodeObject(of: NSManagedObjectModel.self, forKey: "whatever")
    let copy = try #require(decoded)
    #expect(copy == original)
    return copy
  }

  @Test func theTreeOfEntitiesSurvivesAnArchive() throws {
    let original = PeopleModel.make()
    original.entitiesByName["Person"]?.isAbstract = true
    let copy = try archived(original)
    let person = try #require(copy.entitiesByName["Person"])
    let employee = try #require(copy.entitiesByName["Employee"])
    #expect(person.isAbstract && !employee.isAbstract)
    #expect(employee.superentity === person && person.subentities == [employee])
    #expect(employee.propertiesByName["name"] != nil && employee.propertiesByName["boss"] != nil)
  }

  @Test func aModelSurvivesAnArchiveUnderAnyKey() throws {
    let copy = try archived(CompanyModel.make())
    let employee = try #require(copy.entitiesByName["Employee"])
    let department = try #require(employee.relationshipsByName["department"])
    #expect(department.destinationEntity === copy.entitiesByName["Department"])
    #expect(department.inverseRelationship?.inverseRelationship === department)
    let salary = try #require(employee.attributesByName["salary"])
    #expect(salary.validationPredicates == [NSPredicate(format: "SELF >= 0")])
    #expect(salary.validationWarnings as? [String] == ["A salary below zero"])
  }

  @Test func aCompiledPackageNeedsAModelAndTheNameOfTheCurrentOneAlone() throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("\(UUID().uuidString).momd")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer {
      // A folder that is left behind harms nobody.
      try? FileManager.default.removeItem(at: folder)
    }
    let original = ModelPart.model([entity("Parent", ["name"])])
    try original.compiledData().write(to: folder.appendingPathComponent("One.mom"))
    let version = ["NSManagedObjectModel_CurrentVersionName": "One"]
    try PropertyListSerialization.data(fromPropertyList: version, format: .xml, options: 0)
      .write(to: folder.appendingPathComponent("VersionInfo.plist"))
    #expect(NSManagedObjectModel(contentsOf: folder) == original)
  }
}

private final class UnclaimedObject: NSManagedObject {}
