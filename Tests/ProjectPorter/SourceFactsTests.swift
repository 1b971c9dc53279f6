import Foundation
import Testing

@testable import ProjectPorter

struct SourceFactsTests {
  private func facts(_ text: String, _ conditions: Set<String> = []) -> SourceFacts {
    SourceFacts(URL(fileURLWithPath: "/A.swift"), text: Array(text.utf8), conditions: conditions)
  }

  @Test func everyFormOfImport() {
    let text = """
      import Foundation
      @testable import App
      @_exported import struct Foundation.URL
      internal import os.log
      @preconcurrency
      import CoreData // import Nothing
      /* import Nothing /* import Nothing */ */ import func Darwin.exit
      """
    #expect(
      facts(text).imports.map(\.module) == [
        "Foundation", "App", "Foundation", "os", "CoreData", "Darwin",
      ])
    #expect(facts(text).imports.map(\.line) == [1, 2, 3, 4, 6, 7])
    #expect(facts(text).importsCoreData)
  }

  @Test func stringsAreNoCodeAndInsertionsAre() {
    let text = #####"""
      let a = "import Nothing \(Inside.self) \("\(Deep.self)") \\(Nothing)"
      let b = """
        import Nothing
        "Nothing" \(Long.name("x")) struct Nothing
        """
      let c = #"\(Nothing) \#(Raw.self) "Nothing" "#
      let d = "\"Nothing\"" ; let e = After()
      """#####
    let facts = facts(text)
    #expect(facts.imports.isEmpty && facts.types.isEmpty)
    #expect(Set(facts.mentions.keys) == ["Inside", "Deep", "Long", "Raw", "After"])
    #expect(facts.mentions["After"] == 7)
  }

  @Test func declarations() {
    let facts = facts(
      """
      public final class A: B { class func Nothing() {} ; struct Inner { enum Deep {} } }
      actor C {} ; protocol D: AnyObject {} ; typealias E = Int ; indirect enum F { case struct_ }
      extension A { class var Nothing: Int { 1 } ; typealias InExtension = Int }
      func f() { struct Local {} ; print(A.self is AnyObject.Type) }
      """)
    #expect(facts.types == ["A", "C", "D", "E", "F"])
    #expect(facts.innerTypes == ["Inner", "Deep", "InExtension", "Local"])
    #expect(facts.mentions["B"] == 1 && facts.mentions["Type"] == nil)
  }

  @Test func accessToTypes() {
    let facts = facts(
      """
      public struct A {}
      open
      class B {}
      private struct C {}
      fileprivate final class D {}
      struct E { public struct F {} }
      """)
    #expect(facts.types == ["A", "B", "E"])
    #expect(facts.publicTypes == ["A"])
    #expect(facts.innerTypes == ["C", "D", "F"])
  }

  @Test func entries() {
    for attribute in ["@main", "@UIApplicationMain", "@NSApplicationMain"] {
      #expect(facts("import Foundation\n\(attribute)\nstruct A {}").entryLine == 2)
    }
    #expect(facts("struct main {}").entryLine == nil)
  }

  /// XCTest calls functions without parameters alone.
  @Test(arguments: [
    ("func testA() {}", 1), ("func test_b() async throws -> Void {}", 1),
    ("func testA(_ a: Int) {}", 0),
    ("func testA<T>(a: T) {}", 0), ("static func testA() {}", 0), ("func atest() {}", 0),
    ("@Test func a() {}", 1), ("@Test(arguments: [1]) func a(_ b: Int) {}", 1),
    ("@available(iOS 13, *) func testA() {}", 1), ("func testA(\n) {}", 1),
  ]) func testsAreCounted(_ function: String, _ count: Int) {
    #expect(facts("class Tests { \(function) }").testCount == count)
  }

  /// What holds on Linux in a debug build, and every way to combine it.
  @Test func conditions() {
    let conditions = [
      ("os(Linux)", true), ("os(iOS)", false), ("canImport(UIKit)", false),
      ("canImport(CoreData)", true),
      ("canImport(Combine)", true), ("canImport(os.log)", true), ("DEBUG", true), ("FLAG", true),
      ("OTHER", false),
      ("swift(>=5.9)", true), ("compiler(<5.0)", false), ("targetEnvironment(simulator)", false),
      ("true", true),
      ("false", false),
    ]
    func branch(_ condition: String) -> String? {
      facts("#if \(condition) // why\nimport A\n#else\nimport B\n#endif", ["FLAG"]).imports.first?
        .module
    }
    for (first, holds) in conditions {
      #expect(branch(first) == (holds ? "A" : "B"), "\(first)")
      #expect(branch("!\(first)") == (holds ? "B" : "A"), "!\(first)")
      for (second, also) in conditions {
        #expect(branch("\(first) && \(second)") == (holds && also ? "A" : "B"))
        #expect(branch("\(first) || \(second)") == (holds || also ? "A" : "B"))
        #expect(branch("!(\(first) || \(second)) && true") == (holds || also ? "B" : "A"))
      }
    }
  }

  @Test func branches() {
    let text = """
      #if os(iOS)
        #if os(Linux)
          import A
        #else
          import B
        #endif
      #elseif os(Linux)
        import C
        #if os(macOS)
          import D
        #else
          import E
        #endif
      #elseif canImport(Foundation)
        import F
      #else
        import G
      #endif
      import H
      """
    #expect(facts(text).imports.map(\.module) == ["C", "E", "H"])
  }

  @Test func whatIsCutOffEndsTheFile() {
    for text in [
      "\"", "\"\"\"", "/*", "#", "#if", "\"\\(", "#\"", "`", "import", "#endif\nimport A", "\"\\",
    ] {
      _ = facts(text)
    }
    #expect(facts("#endif\nimport A").imports.count == 1)
  }

  @Test(arguments: [
    ("struct A<Key, Value: Map<Key, Other>> {}", ["Key", "Value"]),
    ("func a<Key>(_ a: Key) -> Value { b < Other }", ["Key"]),
    ("init<each Key>(a: Value) {}", ["Key"]),
    ("protocol A { associatedtype Key: Value }", ["Key"]),
    ("struct A { subscript<Key>(a: Key) -> [Value<Other>] { 1 } }", ["Key"]),
    ("let a = b<Key>()", []), ("typealias A<Key> = Map<Key, Value>", ["Key"]),
    ("func < (a: Key, b: Value) -> Bool { true }", []),
  ]) func genericParametersAreTypesOfTheFile(_ text: String, _ names: [String]) {
    let facts = SourceFacts(URL(fileURLWithPath: "/A.swift"), text: Array(text.utf8))
    #expect(facts.innerTypes.intersection(["Key", "Value", "Other"]) == Set(names))
  }
}
