import Foundation
import Testing

@testable import ModelCompiler

/// Files of classes: one that is written once, one with the properties.
struct CodeGenerationTests {
  private static let body = """
    <entity name="Person" representedClassName=".PersonMO">
      <attribute name="name" attributeType="String"/>
      <attribute name="age" optional="YES" attributeType="Integer 16" usesScalarValueType="YES"/>
      <relationship name="rawItems" toMany="YES" ordered="YES" destinationEntity="Item"/>
      <relationship name="boxes" optional="YES" toMany="YES" destinationEntity="Item"/>
    </entity>
    <entity name="Item" representedClassName="Item" parentEntity="Base"/>
    <entity name="Base" representedClassName=".Base" codeGenerationType="class">
      <attribute name="id" optional="YES" attributeType="Composite" composite="Key"/>
    </entity>
    <entity name="Plain"/>
    <composite name="Key"><attribute name="part" optional="YES" attributeType="String"/></composite>
    """

  private func withFiles(
    of options: CodeOptions, entities: Set<String>? = nil, body: String = Self.body,
    _ check: ([CodeGeneration.File]) throws -> Void
  ) throws {
    var target = try TemporaryTarget()
    defer { target.remove() }
    try target.addModel(body)
    try check(
      try CodeGeneration(
        model: target.compilation.models[0], moduleName: "App", options: options,
        entityNames: entities
      ).files)
  }

  @Test func xcodesClassFileIsWhatXcodeWrites() throws {
    try withFiles(of: CodeOptions(flavour: .xcode)) { files in
      #expect(
        files.map(\.name) == [
          "Base+CoreDataClass.swift", "Base+CoreDataProperties.swift", "Item+CoreDataClass.swift",
          "Item+CoreDataProperties.swift", "PersonMO+CoreDataClass.swift",
          "PersonMO+CoreDataProperties.swift",
        ])
      #expect(files.map(\.isWrittenOnce) == [true, false, true, false, true, false])
      #expect(
        files[2].text == """
          //
          //  Item+CoreDataClass.swift
          //

          import Foundation
          import CoreData

          @objc(Item)
          public class Item: Base {

          }

          """)
    }
  }

  @Test func xcodesPropertiesFileIsWhatXcodeWrites() throws {
    try withFiles(of: CodeOptions(flavour: .xcode)) { files in
      let text = try #require(files.last?.text)
      let start = """
        //
        //  PersonMO+CoreDataProperties.swift
        //
        //  This file was automatically generated and should not be edited.
        //

        import Foundation
        import CoreData


        extension PersonMO {

            @nonobjc public class func fetchRequest() -> NSFetchRequest<PersonMO> {
                return NSFetchRequest<PersonMO>(entityName: "Person")
            }

            @NSManaged public var age: Int16
            @NSManaged public var name: String?
            @NSManaged public var boxes: NSSet?
            @NSManaged public var rawItems: NSOrderedSet?

        }

        // MARK: Generated accessors for boxes
        extension PersonMO {

            @objc(addBoxesObject:)
            @NSManaged public func addToBoxes(_ value: Item)

            @objc(removeBoxesObject:)
            @NSManaged public func removeFromBoxes(_ value: Item)

            @objc(addBoxes:)
            @NSManaged public func addToBoxes(_ values: NSSet)

            @objc(removeBoxes:)
            @NSManaged public func removeFromBoxes(_ values: NSSet)

        }

        // MARK: Generated accessors for rawItems
        extension PersonMO {

            @objc(insertObject:inRawItemsAtIndex:)
            @NSManaged public func insertIntoRawItems(_ value: Item, at idx: Int)

            @objc(removeObjectFromRawItemsAtIndex:)
            @NSManaged public func removeFromRawItems(at idx: Int)

            @objc(insertRawItems:atIndexes:)
            @NSManaged public func insertIntoRawItems(_ values: [Item], at indexes: NSIndexSet)

            @objc(removeRawItemsAtIndexes:)
            @NSManaged public func removeFromRawItems(at indexes: NSIndexSet)

            @objc(replaceObjectInRawItemsAtIndex:withObject:)
            @NSManaged public func replaceRawItems(at idx: Int, with value: Item)

            @objc(replaceRawItemsAtIndexes:withRawItems:)
            @NSManaged public func replaceRawItems(at indexes: NSIndexSet, with values: [Item])

        """
      #expect(text.hasPrefix(start), "\(text)")
      #expect(text.hasSuffix("}\n\nextension PersonMO : Identifiable {\n\n}\n"))
    }
  }

  @Test func aSubentityAndAnIdThatIsNotHashableAreNotIdentifiable() throws {
    for flavour in CodeOptions.Flavour.allCases {
      try withFiles(of: CodeOptions(flavour: flavour)) { files in
        let texts = files.filter { !$0.isWrittenOnce }.map(\.text)
        #expect(texts.map { $0.contains("Identifiable") } == [false, false, true])
      }
    }
  }

  /// All but `@objc` stands in Xcode's files on this platform too.
  @Test(.enabled(if: TemporaryTarget.compiler != nil, "there is no swiftc on the path"))
  func xcodesFilesAreDefinedByThePlugin() throws {
    try withFiles(of: CodeOptions(flavour: .xcode)) { files in
      var target = try TemporaryTarget()
      for file in files {
        let lines = file.text.split(separator: "\n").filter { !$0.contains("@objc(") }
        try target.addSource(lines.joined(separator: "\n"), name: file.name)
      }
      try target.withOutput { text in
        // Three attributes and two relationships with two functions each, and their functions.
        #expect(text.matches(of: /@_silgen_name/).count == 5 * 2 + 4 + 10)
      }
    }
  }

  /// Key-value coding reads the model's values, whatever types the properties have.
  @Test(
    .enabled(if: TemporaryTarget.compiler != nil, "there is no swiftc on the path"),
    arguments: [CodeOptions.Flavour.standard, .idiomatic])
  func filesInATargetAreRegisteredWithNothingButOwnGetters(flavour: CodeOptions.Flavour) throws {
    try withFiles(of: CodeOptions(flavour: flavour)) { files in
      var target = try TemporaryTarget()
      for file in files { try target.addSource(file.text, name: file.name) }
      try target.addSource(
        "import CoreData\nextension PersonMO { var label: String { managedValue(key) + \"!\" } }",
        name: "Label.swift")
      try target.withOutput { text in
        expectPart(
          "register( \"Base\", module: \"App\", type: Base.self, inheritsInitializer: true ) {",
          in: text)
        expectPart(
          "type: PersonMO.self, getters: [ \"label\": { ($0 as! PersonMO).label }, ], "
            + "keyPaths: [ \"label\": \\PersonMO.label, ], inheritsInitializer: true )", in: text)
      }
    }
  }

  @Test func theOrderOfAModelsFileDoesNotMatter() throws {
    let attributes = "<attribute name=\"a\" attributeType=\"String\"/>"
    let others = "<attribute name=\"b\" attributeType=\"String\"/>"
    func body(_ content: [String]) -> String {
      let parts = content.map { "<entity name=\"\($0)\" representedClassName=\"\($0)\">" }
      return parts.map { $0 + attributes + others + "</entity>" }.joined()
    }
    for flavour in CodeOptions.Flavour.allCases {
      var first: [CodeGeneration.File] = []
      try withFiles(of: CodeOptions(flavour: flavour), body: body(["A", "B", "C"])) { first = $0 }
      try withFiles(of: CodeOptions(flavour: flavour), body: body(["C", "A", "B"])) { files in
        #expect(files == first)
      }
    }
  }

  @Test func aClassIsWrittenOnceAndItsPropertiesWhenTheyChange() throws {
    var target = try TemporaryTarget()
    defer { target.remove() }
    try target.addModel(Self.body)
    let folder = target.folder.appendingPathComponent("Classes")
    func write(_ flavour: CodeOptions.Flavour) throws -> [String] {
      try CodeGeneration(
        model: target.compilation.models[0], moduleName: "App",
        options: CodeOptions(flavour: flavour), entityNames: ["Item"]
      ).write(into: folder)
    }
    #expect(
      try write(.standard) == ["Item+CoreDataClass.swift", "Item+CoreDataProperties.swift"])
    #expect(try write(.standard) == [])
    let own = folder.appendingPathComponent("Item+CoreDataClass.swift")
    try Data("// mine".utf8).write(to: own)
    #expect(try write(.idiomatic) == ["Item+CoreDataProperties.swift"])
    #expect(try String(contentsOf: own, encoding: .utf8) == "// mine")
  }

  @Test func aNamespaceIsAFileOfItsOwn() throws {
    let options = CodeOptions(flavour: .idiomatic, access: .internal, namespace: "Model")
    try withFiles(of: options, entities: ["Item"]) { files in
      #expect(
        files.map(\.name) == [
          "Model.swift", "Item+CoreDataClass.swift", "Item+CoreDataProperties.swift",
        ])
      expectPart("enum Model {}", in: files[0].text)
      expectPart("extension Model {", in: files[1].text)
      expectPart("class Item: Model.Base {}", in: files[1].text)
      expectPart("extension Model.Item {", in: files[2].text)
      #expect(!files.contains { $0.text.contains("public") })
    }
  }

  @Test(arguments: [("Thing", "it has no entity “Thing”"), ("Plain", "are of NSManagedObject")])
  func saysWhichEntityHasNoCode(name: String, expected: String) throws {
    let error = #expect(throws: (any Error).self) {
      try withFiles(of: CodeOptions(), entities: [name]) { _ in }
    }
    #expect("\(try #require(error))".contains(expected))
  }
}
