#if PortedSources
  import SourcePorter
  import Testing

  /// Names, and what looks them up: selectors, key paths, texts, bundles, imports.
  @Suite struct NameRewritingTests: RewritingSuite {
    /// Foundation exports Combine on Apple's systems.
    @Test(arguments: [
      ("import Foundation\nclass A: ObservableObject {}", true),
      ("class A { @Published var a = 1 }", true),
      ("let a = PassthroughSubject<Int, Never>()", true),
      ("import Combine\nclass A: ObservableObject {}", false),
      ("import Foundation\nclass A: NSObject {}", false),
    ]) func namesOfCombineBringItsImport(_ source: String, _ isBrought: Bool) {
      let text = SourcePorter.port(source: source, path: "/App/File.swift").text
      #expect(text.contains("#if canImport(Combine)\nimport Combine\n#endif\n") == isBrought)
    }

    @Test(arguments: [
      Rewriting("import UIKit", "import Foundation"),
      Rewriting("import class AppKit.NSColor", "import Foundation"),
      Rewriting("@_exported import SwiftUI", "@_exported import Foundation"),
      Rewriting("import os.log", "import os"),
      Rewriting("import CoreData.NSManagedObject", "import CoreData"),
      Rewriting("import struct Foundation.Date", "import struct Foundation.Date"),
      Rewriting("import Combine", "import Combine"),
    ]) func importsAreOfWhatIsHere(_ rewriting: Rewriting) { expect(rewriting) }

    @Test(arguments: [
      Rewriting(
        "let s = #selector(A.go)\nclass A { func go() {} }",
        "let s = Selector(\"go\")\nclass A { func go() {} }"),
      Rewriting("let s = #selector(go(_:))", "let s = Selector(\"go:\")"),
      Rewriting(
        "let s = #selector(A.move(to:animated:))", "let s = Selector(\"moveTo:animated:\")"),
      Rewriting("let s = #selector(show(title:))", "let s = Selector(\"showWithTitle:\")"),
      Rewriting("let s = #selector(getter: A.title)", "let s = Selector(\"title\")"),
      Rewriting("let s = #selector(setter: A.title)", "let s = Selector(\"setTitle:\")"),
      Rewriting("let s = #selector(A.go(_:) as (A) -> (Int) -> Void)", "let s = Selector(\"go:\")"),
      Rewriting("let s = Selector(\"go:\")", "let s = Selector(\"go:\")"),
    ]) func selectorsAreNames(_ rewriting: Rewriting) { expect(rewriting) }

    /// A generic class is registered where a selector is made, also in an extension.
    @Test func selectorsInExtensionsOfGenericClasses() {
      let text = body(
        """
        class A<T> { @objc private func b() {} }
        extension A { func c() { d(#selector(b)) } }
        extension E { func c() { d(#selector(b)) } }
        """)
      #expect(text.contains("nonisolated static func __objectiveCMembersOfA() { let c = "))
      #expect(
        text.contains(
          "d(ObjectiveCSupport.known(Selector(\"b\")) { A.__objectiveCMembersOfA() })"))
      #expect(text.contains("extension E { func c() { d(Selector(\"b\")) }"))
    }

    @Test(arguments: [
      Rewriting("let k = #keyPath(Person.name)", "let k = \"name\""),
      Rewriting("let k = #keyPath(Person.address.city)", "let k = \"address.city\""),
      Rewriting("let k = #keyPath(App.Person.Inner.name)", "let k = \"name\""),
      Rewriting("let k = #keyPath(self.name)", "let k = \"name\""),
      Rewriting("let k = #keyPath(name)", "let k = \"name\""),
      Rewriting("let k = #keyPath(URL)", "let k = \"URL\""),
      Rewriting("let k = #keyPath(Person.`class`)", "let k = \"class\""),
      Rewriting("let k = #keyPath(List<Int>.count)", "let k = \"count\""),
      Rewriting("let k = #keyPath(\n  Person.name)", "let k = \"name\"\n"),
      Rewriting("let k = (\\A.b)._kvcKeyPathString", "let k = (\\A.b).objectiveCKeyPath"),
    ]) func keyPathsAreStrings(_ rewriting: Rewriting) { expect(rewriting) }

    /// One name in several classes, which have other names for it in Objective-C or none.
    @Test(arguments: [
      ("A.text", "a"), ("B.text", "text"), ("C.text", "c"), ("Below.text", "a"),
      ("A.b.text", "b.text"),
      ("A.c.text", "c.c"), ("B.a.b.text", "first.b.text"), ("App.C.text", "c"),
    ]) func keyPathsHaveTheNamesOfTheirClass(path: String, expected: String) {
      let classes = """
        class A: NSObject { @objc(a) var text = ""; @objc var b: B?; @objc var c: C = C() }
        class Below: A { func k() -> String { #keyPath(text) } }
        class B: NSObject { @objc var text = ""; @objc(first) var a: A?; func k() -> String { #keyPath(text) } }
        class C: NSObject { @objc(c) var text = ""; func k() -> String { #keyPath(self.text) } }
        """
      let ported = SourcePorter.port([
        ("/Classes.swift", classes),
        ("/Use.swift", "let k = #keyPath(\(path))\nlet s = #selector(getter: C.text)"),
      ])
      #expect(ported[1].text.contains("let k = \"\(expected)\"\n"), "\(ported[1].text)")
      #expect(ported[1].text.contains("let s = Selector(\"c\")"))
      let keys = ported[0].text.matches(of: /String { "(\w+)" }/).map { String($0.1) }
      #expect(keys == ["a", "text", "c"])
    }

    /// A local object of any class has keys.
    @Test(arguments: [
      Rewriting(
        "func a() { let b = c as AnyObject; b.setValue(1, forKeyPath: d) }",
        "func a() { let b = c as AnyObject; ObjectiveCSupport.keyed(b).setValue(1, forKeyPath: d) }"
      ),
      Rewriting(
        "func a(b: AnyObject) { c { b.value(forKey: d) } }",
        "func a(b: AnyObject) { c { ObjectiveCSupport.keyed(b).value(forKey: d) } }"),
      Rewriting(
        "func a() throws { let b = try JSONSerialization.jsonObject(with: c, options: .mutableContainers) as AnyObject; b.value(forKey: d) }",
        "func a() throws { let b = try ObjectiveCSupport.mutableJSONObject(with: c, options: .mutableContainers) as AnyObject; ObjectiveCSupport.keyed(b).value(forKey: d) }"
      ),
      Rewriting(
        "func a() { let b = JSONSerialization.jsonObject(with: c, options: .mutableContainers) as? [Int] }",
        "func a() { let b = JSONSerialization.jsonObject(with: c, options: .mutableContainers) as? [Int] }"
      ),
      Rewriting(
        "func a(b: Item) { let c = d as AnyObject; b.value(forKey: e) }",
        "func a(b: Item) { let c = d as AnyObject; b.value(forKey: e) }"),
      Rewriting(
        "extension AnyKeyPath { var a: String? { _kvcKeyPathString } }",
        "extension AnyKeyPath { var a: String? { objectiveCKeyPath } }"),
    ]) func objectsOfAnyClass(_ rewriting: Rewriting) { expect(rewriting) }

    /// Texts are looked up in the application's bundle.
    @Test func textsAreOfTheApplication() {
      let bundle = "bundle: ObjectiveCSupport.mainBundle(for: #fileID)"
      for (source, result) in [
        ("NSLocalizedString(a, comment: b)", "NSLocalizedString(a, \(bundle), comment: b)"),
        (
          "NSLocalizedString(a, tableName: c, value: d, comment: b)",
          "NSLocalizedString(a, tableName: c, \(bundle), value: d, comment: b)"
        ),
        (
          "NSLocalizedString(a, bundle: c, comment: b)",
          "NSLocalizedString(a, bundle: c, comment: b)"
        ),
        ("String(localized: \"a\")", "String(localized: \"a\", \(bundle))"),
        (
          "String(localized: \"a\", table: c, comment: b)",
          "String(localized: \"a\", table: c, \(bundle), comment: b)"
        ),
        ("String(localized: resource)", "String(localized: resource)"),
      ] {
        expect(Rewriting(source, result))
      }
    }

    /// An application's resources lie beside its code, and not in the program's bundle.
    @Test(arguments: [
      (
        "let a = Bundle.main.url(forResource: b, withExtension: c)",
        "let a = X.url(forResource: b, withExtension: c)"
      ),
      ("let a = Foundation.Bundle.main", "let a = X"),
      ("let a: Bundle = .main", "let a: Bundle = X"),
      ("let a: Bundle? = .main", "let a: Bundle? = X"),
      (
        "func f(a: Bundle = .main, b: Queue = .main) {}",
        "func f(a: Bundle = X, b: Queue = .main) {}"
      ),
      ("let a = Queue.main", "let a = Queue.main"),
      ("let a = Bundle.module", "let a = Bundle.module"),
    ]) func mainBundles(_ source: String, _ result: String) {
      expect(
        Rewriting(
          source, result.replacing("X", with: "ObjectiveCSupport.mainBundle(for: #fileID)")))
    }
  }
#endif
