#if PortedSources
  import SourcePorter
  import Testing

  /// Copies of tests, which XCTest calls on the main thread.
  @Suite struct RewrittenTestTests: RewritingSuite {
    /// XCTest calls these on the main thread, and of no actor.
    @Test(arguments: ["setUp", "setUpWithError", "tearDown", "tearDownWithError"])
    func testsOnTheMainActorAreSetUpThere(_ name: String) {
      let word = name.hasSuffix("Error") ? "throws " : ""
      let attempt = word.isEmpty ? "" : "try "
      func source(_ head: String, _ function: String, _ body: String) -> String {
        "import XCTest\n\(head)class A: XCTestCase { \(function)func \(name)() \(word){ \(body)} }"
      }
      expect(
        Rewriting(
          source("@MainActor final ", "override ", "a = 1\n"),
          source(
            "@preconcurrency @MainActor final ", "override ",
            "\(attempt)MainActor.assumeIsolated { a = 1\n} ")))
      expect(
        Rewriting(
          source("final ", "@MainActor override ", "a = 1\n"),
          source("final ", "override ", "\(attempt)MainActor.assumeIsolated { a = 1\n} ")))
      for (head, function) in [
        ("final ", "override "), ("@preconcurrency @MainActor final ", ""),
        ("@preconcurrency @MainActor final ", "nonisolated override "),
        ("@preconcurrency @MainActor final ", "override class "),
      ] {
        let plain = source(head, function, "a = 1\n")
        expect(Rewriting(plain, plain))
      }
    }

    /// Copies of tests say what a target's setting says elsewhere.
    @Test(arguments: [
      (
        "import XCTest\nfinal class A: XCTestCase { override func setUp() { b() }\nfunc testA() {} }",
        "import XCTest\n@preconcurrency @MainActor final class A: XCTestCase { override func setUp() { MainActor.assumeIsolated { b() } }\nfunc testA() {} }"
      ),
      ("@Suite struct A { @Test func b() {} }", "@MainActor @Suite struct A { @Test func b() {} }"),
      ("enum A { struct B {} }", "@MainActor enum A { @MainActor struct B {} }"),
      ("func a() { func b() {}; let c = 1 }", "@MainActor func a() { func b() {}; let c = 1 }"),
      ("private let a = 1", "@MainActor private let a = 1"),
      ("extension A { func b() {} }", "@MainActor extension A { func b() {} }"),
      ("enum A: Error {}", "enum A: Error {}"), ("nonisolated let a = 1", "nonisolated let a = 1"),
      ("actor A {}", "actor A {}"), ("extension A: B {}", "extension A: B {}"),
    ]) func testsSayTheirIsolation(_ source: String, _ expected: String) {
      let text = SourcePorter.port(
        [("/A.swift", source)], conditions: ["defaultIsolation(MainActor)"])[0].text
      let words = text.split { $0 == " " || $0 == "\n" }.joined(separator: " ")
      #expect(words.contains(expected.split { $0 == " " || $0 == "\n" }.joined(separator: " ")))
      #expect(
        words.components(separatedBy: "MainActor ").count
          == expected.components(separatedBy: "MainActor ").count)
    }

    /// SwiftPM's list of tests has functions of no actor.
    @Test(arguments: ["func testA() {}", "func testA() throws {}", "func testA() async {}"])
    func testsOnTheMainActorFitIntoTheList(_ test: String) {
      func check(_ head: String, _ text: String, _ expected: String) {
        expect(Rewriting(head + text, head + expected))
      }
      for (text, expected) in [
        (
          "@MainActor class A: XCTestCase { \(test) }",
          "@preconcurrency @MainActor class A: XCTestCase { \(test) }"
        ),
        (
          "class A: XCTestCase { @MainActor \(test) }",
          "class A: XCTestCase { @preconcurrency @MainActor \(test) }"
        ),
        (
          "@MainActor extension A { \(test) }", "@preconcurrency @MainActor extension A { \(test) }"
        ),
      ] {
        check("import XCTest\n", text, expected)
        check("import XCTest\n", expected, expected)
        check("import Testing\n", text, text)
      }
      for plain in [
        "class A: XCTestCase { \(test) }", "class A: XCTestCase { @MainActor func make() {} }",
        "@MainActor class A { func make() {} }",
      ] {
        check("import XCTest\n", plain, plain)
      }
    }
  }
#endif
