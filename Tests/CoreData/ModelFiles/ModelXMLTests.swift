import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

struct ModelXMLTests {
  private func model(_ body: String) throws -> NSManagedObjectModel {
    let text =
      "<?xml version=\"1.0\"?>\n<model userDefinedModelVersionIdentifier=\"\">\n\(body)\n</model>"
    return try ModelBuilder.model(of: document(text))
  }

  private func document(_ text: String) throws -> ModelDocument {
    try ModelDocument(data: Data(text.utf8), file: "Test", moduleName: "App")
  }

  private func problem(_ body: String) -> ModelFileError? {
    #expect(throws: ModelFileError.self) { try model(body) }
  }

  private func attribute(_ text: String) throws -> NSAttributeDescription {
    let model = try model("<entity name=\"E\"><attribute name=\"a\" \(text)/></entity>")
    return try #require(model.entitiesByName["E"]?.attributesByName["a"])
  }

  @Test(arguments: [
    ("Integer 16", "-3"), ("Integer 32", "70000"), ("Integer 64", "5000000000"), ("Double", "1.5"),
    ("Float", "0.25"), ("Decimal", "12.50"),
  ])
  func readsNumericDefaults(type: String, text: String) throws {
    let read = try attribute("attributeType=\"\(type)\" defaultValueString=\"\(text)\"")
    #expect((read.defaultValue as? NSNumber)?.doubleValue == Double(text))
    #expect((read.defaultValue is NSDecimalNumber) == (type == "Decimal"))
  }

  @Test func readsOtherDefaults() throws {
    func value(_ type: String, _ text: String) throws -> Any? {
      try attribute("attributeType=\"\(type)\" \(text)").defaultValue
    }
    #expect(try value("Boolean", "defaultValueString=\"YES\"") as? Bool == true)
    #expect(try value("Integer 64", "defaultValueString=\"0.0\"") as? Int == 0)
    #expect(try value("String", "defaultValueString=\"\"") as? String == "")
    #expect(try value("String", "") == nil)
    let uuid = UUID()
    #expect(try value("UUID", "defaultValueString=\"\(uuid.uuidString)\"") as? UUID == uuid)
    let url = try value("URI", "defaultValueString=\"https://example.org/a\"") as? URL
    #expect(url?.host == "example.org")
    let date = try value("Date", "defaultDateTimeInterval=\"86400\"") as? Date
    #expect(date == Date(timeIntervalSinceReferenceDate: 86400))
  }

  @Test func limitsBecomeValidationPredicatesWithErrorCodes() throws {
    let number = try attribute(
      "attributeType=\"Integer 32\" minValueString=\"1\" maxValueString=\"9\"")
    #expect(number.validationPredicates.map(\.description) == ["SELF >= 1", "SELF <= 9"])
    #expect(number.validationWarnings as? [Int] == [1620, 1610])
    let text = try attribute(
      "attributeType=\"String\" minValueString=\"2\" maxValueString=\"5\" regularExpressionString=\"a+\""
    )
    #expect(
      text.validationPredicates.map(\.description)
        == ["length >= 2", "length <= 5", "SELF MATCHES \"a+\""])
    #expect(text.validationWarnings as? [Int] == [1670, 1660, 1680])
    let date = try attribute(
      "attributeType=\"Date\" minDateTimeInterval=\"0\" maxDateTimeInterval=\"10\"")
    #expect(date.validationWarnings as? [Int] == [1640, 1630])
  }

  @Test func classNamesWithADotGetTheModule() throws {
    let model = try model(
      "<entity name=\"A\" representedClassName=\".A\"/><entity name=\"B\" representedClassName=\"B\"/><entity name=\"C\"/>"
    )
    #expect(model.entities.map(\.managedObjectClassName) == ["App.A", "B", "NSManagedObject"])
  }

  @Test func readsEveryKindOfDescription() throws {
    let model = try model(
      """
      <entity name="Place" isAbstract="YES" elementID="Spot" versionHashModifier="2">
        <attribute name="name" attributeType="String" elementID="title" preserveAfterDeletion="YES"/>
        <attribute name="photo" attributeType="Binary" allowsExternalBinaryDataStorage="YES"/>
        <attribute name="where" optional="YES" attributeType="Composite" composite="Point"/>
        <attribute name="count" optional="YES" attributeType="Integer 64" derived="YES" derivationExpression="parts.@count"/>
        <relationship name="parts" toMany="YES" ordered="YES" maxCount="9" deletionRule="Deny" destinationEntity="Part" inverseName="place"/>
        <fetchedProperty name="same"><fetchRequest name="f" entity="Place" predicateString="name == $FETCH_SOURCE.name"/></fetchedProperty>
        <fetchIndex name="byName"><fetchIndexElement property="name" type="Binary" order="descending"/></fetchIndex>
        <uniquenessConstraints><uniquenessConstraint><constraint value="name"/></uniquenessConstraint></uniquenessConstraints>
        <userInfo><entry key="k" value="v"/></userInfo>
      </entity>
      <entity name="Part"><relationship name="place" maxCount="1" destinationEntity="Place" inverseName="parts"/></entity>
      <entity name="Park" parentEntity="Place"/>
      <composite name="Point"><attribute name="x" attributeType="Double"/><attribute name="y" attributeType="Double"/></composite>
      <configuration name="Some"><memberEntity name="Part"/></configuration>
      <fetchRequest name="all" entity="Place" fetchLimit="3"/>
      """)
    let place = try #require(model.entitiesByName["Place"])
    #expect(
      place.isAbstract && place.renamingIdentifier == "Spot" && place.versionHashModifier == "2")
    #expect(place.attributesByName["name"]?.preservesValueInHistoryOnDeletion == true)
    #expect(place.attributesByName["photo"]?.allowsExternalBinaryDataStorage == true)
    let composite = place.attributesByName["where"] as? NSCompositeAttributeDescription
    #expect(composite?.elements.map(\.name) == ["x", "y"])
    let derived = place.attributesByName["count"] as? NSDerivedAttributeDescription
    #expect(derived?.derivationExpression?.description == "parts.@count")
    let parts = try #require(place.relationshipsByName["parts"])
    #expect(parts.isOrdered && parts.maxCount == 9 && parts.deleteRule == .denyDeleteRule)
    #expect(
      model.entitiesByName["Part"]?.relationshipsByName["place"]?.deleteRule == .noActionDeleteRule)
    let fetched = place.propertiesByName["same"] as? NSFetchedPropertyDescription
    #expect(fetched?.fetchRequest?.predicate?.description == "name == $FETCH_SOURCE.name")
    // An ascending index of one property makes another one, of the property's name; a descending one does not.
    #expect(place.indexes.map(\.name) == ["byName"])
    #expect(place.indexes.first?.elements.first?.isAscending == false)
    #expect(place.uniquenessConstraints as? [[String]] == [["name"]])
    #expect(place.userInfo?["k"] as? String == "v")
    #expect(model.entitiesByName["Park"]?.superentity === place)
    #expect(model.entities(forConfigurationName: "Some")?.map(\.name) == ["Part"])
    #expect(model.fetchRequestTemplate(forName: "all")?.fetchLimit == 3)
    #expect(try NSManagedObjectModel(archivedData: model.archivedData()) == model)
    #expect(try NSManagedObjectModel(archivedData: model.compiledData()) == model)
  }

  @Test func errorsNameFileLineEntityAndProperty() throws {
    let error = try #require(
      problem("<entity name=\"E\">\n<attribute name=\"a\" attributeType=\"Number\"/></entity>"))
    #expect(error.file == "Test" && error.line == 4)
    #expect(error.entity == "E" && error.property == "a")
    #expect(error.description.hasPrefix("Test:4:1: error: entity “E”, property “a”: “Number”"))
  }

  @Test(arguments: [
    ("<entity/>", "has no name"),
    ("<entity name=\"E\"/><entity name=\"E\"/>", "more than one entity"),
    ("<entity name=\"E\" parentEntity=\"F\"/>", "does not exist"),
    ("<entity name=\"E\" parentEntity=\"E\"/>", "own ancestor"),
    (
      "<entity name=\"E\"><attribute name=\"a\"/><attribute name=\"a\"/></entity>",
      "more than one property"
    ),
    ("<entity name=\"E\"><relationship name=\"r\"/></entity>", "no destination"),
    (
      "<entity name=\"E\"><relationship name=\"r\" destinationEntity=\"F\"/></entity>",
      "“F” does not exist"
    ),
    (
      "<entity name=\"E\"><attribute name=\"a\" attributeType=\"Composite\" composite=\"C\"/></entity>",
      "no composite"
    ),
    (
      "<entity name=\"E\"><attribute name=\"a\" attributeType=\"Composite\" composite=\"C\"/></entity><composite name=\"C\"><attribute name=\"c\" attributeType=\"Composite\" composite=\"C\"/></composite>",
      "contains itself"
    ),
    ("<fetchRequest name=\"f\" entity=\"E\" predicateString=\"a == \"/>", "Unable to parse"),
    ("<entity name=\"E\">", "not a readable XML file"),
  ])
  func saysWhatIsWrong(body: String, expected: String) throws {
    let error = try #require(problem(body))
    #expect(error.problem.contains(expected), "\(error.problem)")
  }

  @Test func aMissingModelIsNilAndAnError() {
    let url = URL(fileURLWithPath: "/nowhere/None.momd")
    #expect(NSManagedObjectModel(contentsOf: url) == nil)
    #expect(throws: ModelFileError.self) { try NSManagedObjectModel(contentsOfModelAt: url) }
    let odd = URL(fileURLWithPath: "/nowhere/None.txt")
    #expect(throws: ModelFileError.self) { try NSManagedObjectModel(contentsOfModelAt: odd) }
  }
}
