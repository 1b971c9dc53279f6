import CoreData
import Foundation
import Testing

@testable import ModelCompiler
import ModelDocuments

/// The API that models ask for.
struct GeneratedClassTests {
  private static let body = """
    <entity name="Item" representedClassName=".ItemObject" codeGenerationType="class">
      <attribute name="title" attributeType="String"/>
      <attribute name="default" optional="YES" attributeType="Integer 64" usesScalarValueType="YES"/>
      <attribute name="boxed" attributeType="Integer 64" usesScalarValueType="NO"/>
      <attribute name="price" attributeType="Decimal"/>
      <attribute name="day" attributeType="Date" usesScalarValueType="NO"/>
      <attribute name="seconds" attributeType="Date" usesScalarValueType="YES"/>
      <attribute name="tags" attributeType="Transformable" customClassName="[String]"/>
      <attribute name="any" attributeType="Transformable"/>
      <attribute name="link" attributeType="URI"/>
      <attribute name="key" attributeType="UUID"/>
      <attribute name="bytes" attributeType="Binary"/>
      <relationship name="parts" toMany="YES" destinationEntity="Part" inverseName="item"/>
      <relationship name="steps" toMany="YES" ordered="YES" destinationEntity="Part"/>
    </entity>
    <entity name="Part" representedClassName="Part" codeGenerationType="category">
      <relationship name="item" maxCount="1" destinationEntity="Item" inverseName="parts"/>
    </entity>
    <entity name="Special" representedClassName="Special" parentEntity="Item" codeGenerationType="class"/>
    <entity name="Plain" representedClassName="Plain"><attribute name="x" attributeType="String"/></entity>
    <entity name="Stated" representedClassName="Stated" codeGenerationType="none"><attribute name="y" attributeType="String"/></entity>
    """

  private func withGenerated(_ check: (String) throws -> Void) throws {
    var target = try TemporaryTarget()
    try target.addModel(Self.body)
    try target.withOutput(check)
  }

  @Test(arguments: [
    ("title", "String?"), ("`default`", "Int64"), ("boxed", "NSNumber?"),
    ("price", "NSDecimalNumber?"), ("day", "Date?"), ("seconds", "TimeInterval"),
    ("tags", "[String]?"), ("any", "NSObject?"), ("link", "URL?"), ("key", "UUID?"),
    ("bytes", "Data?"), ("parts", "NSSet?"), ("steps", "NSOrderedSet?"), ("item", "ItemObject?"),
  ])
  func propertiesHaveTheTypesThatXcodeGives(name: String, type: String) throws {
    try withGenerated { expectPart("public var \(name): \(type) {", in: $0) }
  }

  @Test func classesAreMadeWhereTheModelAsksForThem() throws {
    try withGenerated { text in
      expectPart("public class ItemObject: NSManagedObject {}", in: text)
      expectPart("public class Special: ItemObject {}", in: text)
      #expect(!text.contains("class Part:"))
      #expect(!text.contains("class Plain") && !text.contains("extension Plain"))
      #expect(!text.contains("class Stated") && !text.contains("extension Stated"))
      expectPart("extension ItemObject: Identifiable {}", in: text)
      #expect(!text.contains("extension Special: Identifiable"))
      expectPart(
        "public class func fetchRequest() -> NSFetchRequest<ItemObject> { NSFetchRequest<ItemObject>(entityName: \"Item\") }",
        in: text)
    }
  }

  @Test(arguments: [
    "func addToParts(_ value: Part)", "func removeFromParts(_ value: Part)",
    "func addToParts(_ values: NSSet)", "func removeFromParts(_ values: NSSet)",
    "func addToSteps(_ values: NSOrderedSet)", "func insertIntoSteps(_ value: Part, at idx: Int)",
    "func removeFromSteps(at idx: Int)",
    "func insertIntoSteps(_ values: [Part], at indexes: NSIndexSet)",
    "func removeFromSteps(at indexes: NSIndexSet)",
    "func replaceSteps(at idx: Int, with value: Part)",
    "func replaceSteps(at indexes: NSIndexSet, with values: [Part])",
  ])
  func toManyRelationshipsGetTheirFunctions(declaration: String) throws {
    try withGenerated { expectPart("public \(declaration) {", in: $0) }
  }

  @Test func everythingIsRegistered() throws {
    try withGenerated { text in
      expectPart("ManagedObjectClasses.register( \"ItemObject\", module: \"App\"", in: text)
      expectPart("EmbeddedModels.register( name: \"Store\", module: \"App\"", in: text)
      expectPart("@section(\".init_array\") @used", in: text)
    }
  }

  @Test func theCompiledModelIsTheOneOfTheFile() throws {
    var target = try TemporaryTarget()
    try target.addModel(Self.body)
    defer { target.remove() }
    try target.compilation.run()
    let url = target.compilation.modelFolder.appendingPathComponent("Store.momd")
    let compiled = try #require(NSManagedObjectModel(contentsOf: url))
    #expect(compiled.entitiesByName["Item"]?.managedObjectClassName == "App.ItemObject")
    let source = try NSManagedObjectModel(contentsOfModelAt: target.compilation.models[0])
    #expect(compiled.entityVersionHashesByName == source.entityVersionHashesByName)
  }

  @Test func theEmbeddedModelIsTheOneOfTheFile() throws {
    let odd = "a\\#(b)\"#&lt;&amp;é&#10;"
    let body =
      Self.body
      + "<entity name=\"Odd\"><userInfo><entry key='k' value='\(odd)'/></userInfo></entity>"
    var target = try TemporaryTarget()
    try target.addModel(body)
    let source = try NSManagedObjectModel(contentsOfModelAt: target.compilation.models[0])
    try target.withOutput { text in
      let start = try #require(text.range(of: "document: #\"")).upperBound
      let end = try #require(text.range(of: "\"#)", range: start..<text.endIndex)).lowerBound
      let literal = String(text[start..<end])
      #expect(!literal.contains("\"#") && !literal.contains("\\"))
      let document = try ModelDocument(data: Data(literal.utf8), file: "literal")
      #expect(document.versionHashes() == source.entityVersionHashesByName)
      let odd = try #require(document.entitiesByName["Odd"])
      #expect(odd.userInfo["k"] == "a\\#(b)\"#<&é\n")
      #expect(document.entitiesByName["Item"]?.className == "App.ItemObject")
    }
  }

  @Test func whatStaysTheSameIsNotWrittenAgain() throws {
    var target = try TemporaryTarget()
    try target.addModel(Self.body)
    defer { target.remove() }
    try target.compilation.run()
    let old = Date(timeIntervalSinceReferenceDate: 0)
    let path = target.compilation.output.path
    try FileManager.default.setAttributes([.modificationDate: old], ofItemAtPath: path)
    try target.compilation.run()
    let date = try FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
    #expect(date == old)
  }

  @Test func aTargetWithNothingGetsTheNamesAlone() throws {
    let target = try TemporaryTarget()
    try target.withOutput { text in
      expectPart(
        "public typealias NSExpression = NSManagedObject.CoreDataModule.NSExpression", in: text)
      expectPart("public typealias NSCompoundPredicate = NSPredicate.Compound", in: text)
      #expect(!text.contains("@section"))
    }
  }

  @Test(arguments: [
    (
      "<entity name=\"A\" representedClassName=\"X\" codeGenerationType=\"class\"/><entity name=\"B\" representedClassName=\"X\" codeGenerationType=\"class\"/>",
      "generated for “A” already"
    ),
    (
      "<entity name=\"A\" representedClassName=\"A B\" codeGenerationType=\"class\"/>",
      "cannot stand in Swift code"
    ),
    (
      "<entity name=\"A\" representedClassName=\"A\" codeGenerationType=\"class\"><attribute name=\"a-b\" attributeType=\"String\"/></entity>",
      "cannot stand in Swift code"
    ),
    (
      "<entity name=\"A\" representedClassName=\"A\" codeGenerationType=\"class\"><attribute name=\"isDeleted\" attributeType=\"Boolean\"/></entity>",
      "every managed object has a property of this name"
    ),
    (
      "<entity name=\"A\" representedClassName=\"A\" codeGenerationType=\"all\"/>",
      "“all” is not a kind"
    ),
  ])
  func saysWhatCannotBecomeCode(body: String, expected: String) throws {
    var target = try TemporaryTarget()
    try target.addModel(body)
    let errors = try target.errors()
    #expect(
      errors.contains(expected) && errors.contains("entity “"), "\(errors)")
  }
}
