import Foundation
import Testing

@testable import ModelCompiler

/// What the plugin finds in sources that need modules which are not built yet, or that are hard to read.
@Suite(.enabled(if: TemporaryTarget.compiler != nil, "there is no swiftc on the path"))
struct SourceReadingTests {
  private func withGenerated(
    from sources: [String: String], _ check: (String) throws -> Void
  ) throws {
    var target = try TemporaryTarget()
    for (name, text) in sources.sorted(by: { $0.key < $1.key }) {
      try target.addSource(text, name: name)
    }
    try target.withOutput(check)
  }

  private static let item = """
    import CoreData
    class Item: NSManagedObject {
      @NSManaged var day: Date
      @NSManaged var key: UUID?
      @NSManaged var link: URL
    }

    """

  private func expectItem(
    in text: String, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    for symbol in ["C3day20FoundationEssentials4DateV", "C4link20FoundationEssentials3URLV"] {
      expectPart("$s3App4Item\(symbol)vg", in: text, sourceLocation: sourceLocation)
    }
    expectPart("managedGet0_Item() -> Foundation.Date", in: text, sourceLocation: sourceLocation)
  }

  @Test func extensionsOfUnknownTypesMayStandInAnyNumberOfFiles() throws {
    let other = """
      @_exported import Networking
      import struct Charts.Line
      typealias Account = Networking.Account
      extension Account { enum Kind { case a }; var label: String { "" } }
      extension Networking.Session { struct State {} }
      extension Charts.Line where Value: Equatable { static var width: Int { 3 } }
      extension Date { static var kind: Kind? { nil } }
      extension UUID { enum Kind { case b } }
      extension NSPersistentStoreCoordinator { enum Kind { case c } }
      extension NSComparisonPredicate { enum Kind { case d } }
      """
    try withGenerated(from: [
      "A.swift": Self.item, "B.swift": other, "C.swift": other.replacing("Account", with: "Person"),
    ]) { expectItem(in: $0) }
  }

  @Test func anExtensionMayNameItsClassInAnyWay() throws {
    let source = """
      typealias Thing = Item
      typealias Base = NSManagedObject
      extension Thing { @NSManaged var first: Int16 }
      extension App.Item { @NSManaged var second: Int16; var shown: String { "" } }
      enum Space { class Inner: Base { @NSManaged var sibling: Sibling? }; class Sibling: Base {} }
      extension Space.Inner { @NSManaged var third: Space.Sibling }
      extension App.Space { enum Kind: Int { case a } }
      extension Space.Sibling { @NSManaged var kind: Space.Kind }
      """
    try withGenerated(from: ["A.swift": Self.item, "B.swift": source]) { text in
      expectItem(in: text)
      for name in ["first", "second"] {
        expectPart("managedValue(ItemManagedKeys.\(name))", in: text)
      }
      expectPart("\"shown\"", in: text)
      expectPart("() -> Swift.Optional<App.Space.Sibling>", in: text)
      expectPart("() -> App.Space.Sibling {", in: text)
      expectPart("() -> App.Space.Kind {", in: text)
    }
  }

  /// Only the name of a superclass counts, and not its arguments: every place of one, with every
  /// kind of clause around it.
  @Test func whatArgumentsNameIsInheritedByNobody() throws {
    let arguments = [
      "One<Item>", "Two<Int, Item>", "Two<Item, Int>", "Two<One<Item>, [Item]>",
      "Two<(Item) -> Item, (Int, Item)>", "Two<[Int: Item], Item?>",
    ]
    let tails = ["", ", Sendable", ", Keyed", ", Equatable, Keyed"]
    var source = """
      class One<A> {}
      class Two<A, B> {}
      protocol Keyed { associatedtype Key = Item }
      extension One: Equatable { static func == (a: One, b: One) -> Bool { true } }
      extension Two: Equatable { static func == (a: Two, b: Two) -> Bool { true } }

      """
    for (number, superclass) in arguments.enumerated() {
      for (other, tail) in tails.enumerated() {
        source += "final class Heir\(number)_\(other): \(superclass)\(tail) { var title = \"\" }\n"
        source += "class Plain\(number)_\(other)<C>: \(superclass) where C: Item {}\n"
      }
      source += "typealias Alias\(number) = \(superclass)\nclass Last\(number): Alias\(number) {}\n"
    }
    try withGenerated(from: ["A.swift": Self.item, "B.swift": source]) { text in
      expectItem(in: text)
      for name in ["Heir", "Plain", "Last"] { #expect(!text.contains(name)) }
    }
  }

  @Test func listsOfTypes() {
    #expect(
      Declaration.types(inList: " A<B, C> , (D, E) -> F,[G: H] ,I ") == [
        "A<B, C>", "(D, E) -> F", "[G: H]", "I",
      ])
  }

  @Test func aTypeOfTheTargetHidesFoundations() throws {
    try withGenerated(from: ["A.swift": Self.item, "B.swift": "struct Date {}"]) {
      expectPart("$s3App4ItemC3dayAA4DateVvg", in: $0)
      expectPart("managedGet0_Item() -> App.Date", in: $0)
    }
  }

  @Test func aTypeMayHaveTheNameOfAModule() throws {
    let source = """
      struct App {}
      enum Foundation {}
      class Part: NSManagedObject { @NSManaged var whole: Part?; @NSManaged var day: Date? }
      """
    try withGenerated(from: ["A.swift": "import CoreData\n" + source]) { text in
      expectPart("() -> Swift.Optional<Part>", in: text)
      expectPart("() -> Swift.Optional<Date>", in: text)
    }
  }

  @Test func topLevelStatementsAreNoTrouble() throws {
    let main = """
      import CoreData
      import Elsewhere
      extension Elsewhere.Thing { func run() {} }
      for number in 0..<3 { class Local: NSManagedObject { @NSManaged var x: Int } }
      if let arguments = CommandLine.arguments.first { print(arguments) }
      guard true else { fatalError() }
      print("done")
      """
    try withGenerated(from: ["A.swift": Self.item, "main.swift": main]) { text in
      expectItem(in: text)
      #expect(!text.contains("Local"))
    }
  }

  @Test func conditionsAreTheCompilersToDecide() throws {
    let source = """
      import CoreData
      class Item: NSManagedObject {
        #if canImport(UIKit) && !os(Linux)
          @NSManaged var image: UIImage?
        #elseif FLAG
          @NSManaged var flag: Bool
        #else
          @NSManaged var other: Bool
        #endif
      }
      #if canImport(UIKit)
        extension UIColor { @NSManaged var x: Int }
      #endif
      """
    var target = try TemporaryTarget()
    try target.addSource(source)
    target.compilation.conditions = ["FLAG"]
    try target.withOutput { text in
      expectPart("ItemManagedKeys.flag", in: text)
      #expect(!text.contains("ManagedKeys.image") && !text.contains("ManagedKeys.other"))
    }
  }

  @Test func bracketsInTextAreNoBrackets() throws {
    let source = ##"""
      import CoreData
      /* } /* } */ class No: NSManagedObject {} */
      let pattern = /[{"]/, long = #/ " { /# // }
      let raw = #"} \#("}") ""#, lines = """
        } class Nothing: NSManagedObject { \("}" + """
          }
          """)
        """
      enum Level { case open, `class`, private_(Int) = "}" }
      class Item: NSManagedObject {
        lazy var action: () -> String = { "}" }
        @NSManaged var first: Set<
          Item>?  // }
        var quotient: Int { 4 / 2 / 1 } ; var text = "\(1 /* ) */ + "2)".count)"
        @objc(second) @NSManaged public internal(set)
        var second: [String:  // by name
          Int]!
        func open() -> String { """
          \"""}
          """ }
        @NSManaged var third: Int, fourth: Double
      }
      """##
    try withGenerated(from: ["A.swift": source]) { text in
      for name in ["first", "second", "third", "fourth"] {
        expectPart("static let \(name) = Item.managedProperty", in: text)
      }
      expectPart("getters: [ \"action\": { ($0 as! Item).action }, \"quotient\":", in: text)
      #expect(!text.contains("Nothing") && !text.contains("\"No\""))
    }
  }

  @Test func typesThatConvertIntoEachOtherKeepTheirAccessors() throws {
    let types = [
      "Any", "Any?", "AnyObject", "AnyObject?", "NSObject", "NSObject?", "any NSCoding",
      "NSCoding?",
      "(any NSCoding & NSCopying)?", "NSMutableSet?",
    ]
    let properties = types.enumerated().map { "  @NSManaged var p\($0.offset): \($0.element)\n" }
    let source = "import CoreData\nclass Item: NSManagedObject {\n\(properties.joined())}"
    try withGenerated(from: ["A.swift": source]) { text in
      expectPart("{ managedValue(ItemManagedKeys.p0, as: Any.self) }", in: text)
      expectPart("as: ((any Foundation.NSCoding)).self", in: text)
      expectPart("as: Swift.Optional<Foundation.NSMutableSet>.self", in: text)
    }
  }

  @Test func primitiveAccessorsAreToldApartWhenTheModelIsKnown() throws {
    let source = """
      import CoreData
      class Item: NSManagedObject {
        @NSManaged var kind: String?
        @NSManaged var primitiveKind: String!
      }
      """
    try withGenerated(from: ["A.swift": source]) { text in
      expectPart(
        "Swift.Optional<Swift.String> { managedPrimitiveValue(ItemManagedKeys.primitiveKind) }",
        in: text)
      expectPart("{ setManagedPrimitiveValue(value, ItemManagedKeys.primitiveKind) }", in: text)
    }
  }

  @Test func theCompilerIsAskedOnlyAfterDeclarationsHaveChanged() throws {
    var target = try TemporaryTarget()
    try target.addSource(Self.item + "func body() -> Int { 1 }\nextension Elsewhere { enum E {} }")
    defer { target.remove() }
    try target.compilation.run()
    let graph = target.compilation.workFolder
      .appendingPathComponent("Skeleton/App.symbols.json").path
    let old = Foundation.Date(timeIntervalSinceReferenceDate: 0)
    try FileManager.default.setAttributes([.modificationDate: old], ofItemAtPath: graph)
    func wasAsked() throws -> Bool {
      try FileManager.default.attributesOfItem(atPath: graph)[.modificationDate] as? Foundation.Date
        != old
    }
    target.compilation.sources = []
    try target.addSource(
      Self.item + "// longer\n\nfunc body() -> Int { 2 }\nextension Elsewhere { enum E {} }")
    try target.compilation.run()
    #expect(try !wasAsked())
    target.compilation.sources = []
    try target.addSource(Self.item + "extension Item { @NSManaged var more: Int }")
    try target.compilation.run()
    #expect(try wasAsked())
  }

  /// Nothing but a context is used: there is nothing to ask the compiler for.
  @Test func aTargetWithoutClassesIsNotCompiled() throws {
    var target = try TemporaryTarget()
    target.compilation.compiler = URL(fileURLWithPath: "/nowhere/swiftc")
    try target.addSource("import CoreData\nfunc use(_ context: NSManagedObjectContext) {}")
    try target.withOutput { #expect(!$0.contains("@section")) }
  }
}
