import CoreDataSupport
import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

struct EntityDescriptionTests {
  private func makeHierarchy() -> (
    model: NSManagedObjectModel, parent: NSEntityDescription, child: NSEntityDescription
  ) {
    let parent = NSEntityDescription()
    parent.name = "Parent"
    parent.properties = [ModelPart.attribute("name")]
    let child = NSEntityDescription()
    child.name = "Child"
    child.properties = [ModelPart.attribute("toy")]
    parent.subentities = [child]
    let model = NSManagedObjectModel()
    model.entities = [parent, child]
    return (model, parent, child)
  }

  @Test func propertiesIncludeTheInheritedOnesFirst() {
    let (model, parent, child) = makeHierarchy()
    #expect(child.properties.map(\.name) == ["name", "toy"])
    #expect(child.attributesByName.keys.sorted() == ["name", "toy"])
    #expect(child.propertiesByName["name"]?.entity === parent)
    #expect(child.managedObjectModel === model)
  }

  @Test func settingPropertiesBackKeepsInheritedOnesWhereTheyAre() {
    let (_, parent, child) = makeHierarchy()
    child.properties = child.properties + [ModelPart.attribute("bed")]
    #expect(child.ownProperties.map(\.name) == ["toy", "bed"])
    #expect(parent.ownProperties.map(\.name) == ["name"])
  }

  @Test func anEntityIsOfTheKindOfItsAncestors() {
    let (_, parent, child) = makeHierarchy()
    #expect(child.isKindOf(entity: parent))
    #expect(child.isKindOf(entity: child))
    #expect(!parent.isKindOf(entity: child))
    #expect(child.rootEntity === parent)
  }

  @Test func subentitiesJoinTheModelWithTheirParent() {
    let (_, parent, child) = makeHierarchy()
    let model = NSManagedObjectModel()
    model.entities = [parent]
    #expect(model.entitiesByName["Child"] === child)
  }

  @Test func aNewEntityHasTheDefaultsOfApple() {
    let entity = NSEntityDescription()
    #expect(entity.managedObjectClassName == "NSManagedObject")
    #expect(entity.uniquenessConstraints.isEmpty)
    #expect(entity.indexes.isEmpty)
    let attribute = NSAttributeDescription()
    #expect(attribute.isOptional && !attribute.isTransient)
    #expect(attribute.valueTransformerName == nil)
    #expect(NSDerivedAttributeDescription().derivationExpression == nil)
    #expect(NSRelationshipDescription().maxCount == 0)
  }

  /// Builders of models give each entity one group of names, which is empty where nothing is unique.
  @Test(arguments: [[[]], [[], ["name"]], [["name"], []]] as [[[String]]])
  func aUniquenessConstraintWithoutAttributesIsNone(_ groups: [[String]]) throws {
    let entity = NSEntityDescription()
    (entity.name, entity.managedObjectClassName) = ("Tag", "NSManagedObject")
    let name = NSAttributeDescription()
    (name.name, name.attributeType) = ("name", .stringAttributeType)
    entity.properties = [name]
    entity.uniquenessConstraints = groups
    let model = NSManagedObjectModel()
    model.entities = [entity]
    let stack = try TestStack(.sqlite, model: model)
    try stack.withContext { context in
      for _ in 0..<2 {
        NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
          .setValue("a", forKey: "name")
      }
      guard groups.contains(["name"]) else { return try context.save() }
      #expect(throws: NSError.self) { try context.save() }
    }
  }

  @Test(arguments: [(0, true), (1, false), (5, true)])
  func onlyTheGreatestCountSaysWhetherARelationshipIsToMany(count: Int, isToMany: Bool) {
    let relationship = NSRelationshipDescription()
    relationship.maxCount = count
    relationship.minCount = 1
    #expect(relationship.isToMany == isToMany)
  }

  @Test func numbersInDefaultsAreBridged() {
    let attribute = NSAttributeDescription()
    attribute.attributeType = .integer64AttributeType
    attribute.defaultValue = 7
    #expect(attribute.defaultValue is NSNumber)
    #expect(attribute.defaultValue as? Int64 == 7)
    attribute.attributeType = .decimalAttributeType
    attribute.defaultValue = Decimal(string: "1.5")
    #expect((attribute.defaultValue as? NSDecimalNumber)?.stringValue == "1.5")
  }

  @Test func aModifierChangesTheHashAtOnce() {
    let attribute = ModelPart.attribute("name")
    let before = attribute.versionHash
    attribute.versionHashModifier = "2"
    #expect(attribute.versionHash != before)
    let entity = NSEntityDescription()
    entity.name = "Bare"
    let bare = entity.versionHash
    entity.versionHashModifier = "2"
    #expect(entity.versionHash != bare)
  }

  @Test func fastEnumerationGoesOverDescriptions() {
    let (model, _, child) = makeHierarchy()
    #expect(model.compactMap { ($0 as? NSEntityDescription)?.name } == ["Parent", "Child"])
    #expect(child.compactMap { ($0 as? NSPropertyDescription)?.name } == ["name", "toy"])
  }

  @Test func userInfoIsEmptyUntilItIsSet() {
    #expect(NSEntityDescription().userInfo?.isEmpty == true)
    #expect(NSAttributeDescription().userInfo?.isEmpty == true)
  }
}
