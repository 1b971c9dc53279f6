import Foundation
import Testing

@testable import ModelCompiler

/// Classes with `@NSManaged` declarations, as the compiler itself sees them.
@Suite(.enabled(if: TemporaryTarget.compiler != nil, "there is no swiftc on the path"))
struct HandWrittenClassTests {
  private func withGenerated(from source: String, _ check: (String) throws -> Void) throws {
    var target = try TemporaryTarget()
    try target.addSource("import CoreData\nimport Foundation\n" + source)
    try target.withOutput(check)
  }

  private func errors(in source: String) throws -> String {
    var target = try TemporaryTarget()
    try target.addSource(source)
    return try target.errors()
  }

  @Test func accessorsGetTheCompilersOwnSymbols() throws {
    let source = """
      public class Item: NSManagedObject {
        @NSManaged public var title: String?
        @NSManaged var order: Int64
      }
      """
    try withGenerated(from: source) { text in
      expectPart(
        """
        @_silgen_name("$s3App4ItemC5titleSSSgvg") @usableFromInline
        final func managedGet0_Item() -> Swift.Optional<Swift.String> { managedValue(ItemManagedKeys.title) }
        """, in: text)
      expectPart(
        """
        @_silgen_name("$s3App4ItemC5orders5Int64Vvs")
        final func managedSet1_Item(_ value: __owned Swift.Int64) { setManagedValue(value, ItemManagedKeys.order) }
        """, in: text)
      expectPart(
        "ManagedObjectClasses.register( \"Item\", module: \"App\", type: Item.self, inheritsInitializer: true )",
        in: text)
    }
  }

  /// What sources declare of a model's classes is not generated again, whatever the model asks for.
  @Test(arguments: ["class", "category"])
  func whatSourcesDeclareIsNotGenerated(_ kind: String) throws {
    var target = try TemporaryTarget()
    try target.addModel(
      """
      <entity name="Item" representedClassName="Item" codeGenerationType="\(kind)">
        <attribute name="title" optional="YES" attributeType="String"/>
        <attribute name="order" optional="YES" attributeType="String"/>
        <attribute name="note" optional="YES" attributeType="String"/>
      </entity>
      """)
    try target.addSource(
      """
      import CoreData
      public class Item: NSManagedObject { @NSManaged public var title: String? }
      extension Item { @NSManaged var order: String? }
      """)
    try target.withOutput { text in
      #expect(!text.contains("class Item:"))
      #expect(!text.contains("var title") && !text.contains("var order"))
      expectPart("public var note: String? {", in: text)
    }
  }

  /// Also where it is compiled under a condition alone: the registration holds for every build.
  @Test func aClassWithAnInitializerOfItsOwnIsRegisteredAsSuch() throws {
    let initializer = """
      override init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
        super.init(entity: entity, insertInto: context)
      }
      """
    let source = """
      class Item: NSManagedObject { \(initializer) }
      class Debugged: NSManagedObject {
      #if DEBUGGED
        \(initializer)
      #endif
      }
      class Heir: Item {}
      class Note: NSManagedObject {
        convenience init(text: String, in context: NSManagedObjectContext) {
          self.init(context: context)
        }
      }
      """
    try withGenerated(from: source) { text in
      for (name, inherits) in [
        ("Item", false), ("Debugged", false), ("Heir", true), ("Note", true),
      ] {
        expectPart(
          "ManagedObjectClasses.register( \"\(name)\", module: \"App\", type: \(name).self, inheritsInitializer: \(inherits) )",
          in: text)
      }
    }
  }

  @Test func protocolsBoundToManagedObjectsAreNoClasses() throws {
    let source = """
      protocol Named: NSManagedObject { var name: String? { get } }
      protocol Kept where Self: NSManagedObject {}
      extension Named { init(in context: NSManagedObjectContext) { self.init(context: context) } }
      class Item: NSManagedObject, Named, Kept { @NSManaged var name: String? }
      """
    try withGenerated(from: source) { text in
      expectPart("ManagedObjectClasses.register( \"Item\"", in: text)
      #expect(!text.contains("\"Named\"") && !text.contains("\"Kept\""))
    }
  }

  @Test func ownPropertiesCanBeReadByKey() throws {
    let source = """
      class Item: NSManagedObject {
        @NSManaged var title: String?
        var section: String { "" }
        private var hidden: Int { 0 }
        static var count: Int { 0 }
      }
      final class Special: Item { var extra = 1 }
      """
    try withGenerated(from: source) { text in
      expectPart("getters: [ \"section\": { ($0 as! Item).section }, ]", in: text)
      expectPart(
        "\"extra\": { ($0 as! Special).extra }, \"section\": { ($0 as! Special).section },",
        in: text)
      #expect(!text.contains("hidden") && !text.contains("\"count\""))
    }
  }

  @Test func nestedAndInheritingClassesAreFound() throws {
    let source = """
      enum Space { final class Nested: NSManagedObject { @NSManaged var flag: Bool } }
      class Base: NSManagedObject {}
      class Derived: Base { @NSManaged var name: String? }
      class Other {}
      """
    try withGenerated(from: source) { text in
      expectPart("extension Space.Nested {", in: text)
      for name in ["Space.Nested", "Base", "Derived"] {
        expectPart("ManagedObjectClasses.register( \"\(name)\"", in: text)
      }
      #expect(!text.contains("Other"))
    }
  }

  @Test func classesOfGeneratedParentsAreFound() throws {
    var target = try TemporaryTarget()
    try target.addModel(
      "<entity name=\"Base\" representedClassName=\"Base\" codeGenerationType=\"class\"/>")
    try target.addSource("import CoreData\nclass Derived: Base { @NSManaged var name: String? }")
    try target.withOutput { text in
      expectPart("@_silgen_name(\"$s3App7DerivedC4nameSSSgvg\")", in: text)
    }
  }

  @Test(arguments: ["", "@available(iOS 15, *)", "@available(*, deprecated)"])
  func anInitializerThatMayBeCalledIsKept(_ attribute: String) throws {
    var target = try TemporaryTarget()
    try target.addSource(
      """
      import CoreData
      class A: NSManagedObject {
        @NSManaged var name: String?
        \(attribute)
        override init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
          super.init(entity: entity, insertInto: context)
        }
      }
      """)
    try target.withOutput { text in
      expectPart("@_silgen_name(\"$s3App1AC4nameSSSgvg\")", in: text)
    }
  }

  @Test(arguments: [
    ("private class B: NSManagedObject { @NSManaged var x: Int16 }", "the class B is private"),
    ("class C<T>: NSManagedObject { @NSManaged var y: String? }", "the class C is generic"),
    (
      "class D: NSManagedObject { init(z: Int) { fatalError() } }",
      "no visible initializer init(entity:insertInto:)"
    ),
    (
      """
      class E: NSManagedObject {
        @available( *, unavailable, message: "Use init(in:)")
        override init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
          fatalError()
        }
      }
      """, "neither private nor unavailable"
    ),
    (
      "class G: NSManagedObject { @NSManaged var a: Set<Missing>? }",
      "“Set<Missing>?”, the type of G.a, is found neither in this target"
    ),
    (
      "class H: NSManagedObject { @NSManaged func work(_ x: Int) }",
      "@NSManaged func work is not an accessor of a to-many"
    ),
    (
      "class I: Elsewhere.Base { @NSManaged var a: String? }",
      "“Elsewhere.Base” is no managed object class of this target"
    ),
    ("class J { @NSManaged var a: String? }", "it has no superclass"),
    (
      "class K: NSManagedObject { private enum Kind: Int { case a }; @NSManaged private var kind: Kind }",
      "“Kind”, the type of K.kind, is private"
    ),
    (
      "extension Elsewhere.Item { @NSManaged var a: String? }",
      "“Elsewhere.Item”, which is extended with @NSManaged a, is not found"
    ),
  ])
  func saysWhatIsNotSupportedAndWhere(declaration: String, expected: String) throws {
    let text = try errors(in: "import CoreData\nimport Elsewhere\n" + declaration)
    #expect(text.contains("Source.swift:3:1: error:") && text.contains(expected), "\(text)")
  }
}
