#if PortedSources
  import SourcePorter
  import Testing

  /// What each construct becomes. What is on one line stays there.
  @Suite struct RewritingTests {
    /// The copy without what is put around it.
    private func body(_ source: String, _ conditions: Set<String> = []) -> String {
      let text = SourcePorter.port([("/App/File.swift", source)], conditions: conditions)[0].text
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      let start = lines.firstIndex { $0.hasPrefix("#sourceLocation(file") }! + 1
      let end = lines.firstIndex { $0 == "#sourceLocation()" } ?? lines.count
      return lines[start..<end].joined(separator: "\n")
    }

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

    private func expect(_ rewriting: Rewriting, _ conditions: Set<String> = []) {
      let found = body(rewriting.source, conditions).split { $0 == " " || $0 == "\n" }.joined(
        separator: " ")
      #expect(found == rewriting.result.split { $0 == " " || $0 == "\n" }.joined(separator: " "))
    }

    @Test(arguments: [
      Rewriting("@objc enum Kind: Int16 { case a, b }", "enum Kind: Int16 { case a, b }"),
      Rewriting("class A { @nonobjc func f() {} }", "class A { func f() {} }"),
      Rewriting("class A { dynamic var a = 1 }", "class A { var a = 1 }"),
      Rewriting(
        "class A { unowned let item: NSManagedObject }", "class A { let item: NSManagedObject }"),
      Rewriting(
        "class Item: NSManagedObject {}; struct A { unowned(unsafe) var item: Item? }",
        "class Item: NSManagedObject {}; struct A { var item: Item? }"),
      Rewriting("class A { unowned let context: B }", "class A { unowned let context: B }"),
      Rewriting("@UIApplicationMain class A {}", "class A {}"),
      Rewriting(
        "@Generable struct A { @Guide(description: \"b\", .count(2)) var b: [Int] }",
        "struct A { var b: [Int] }"),
      Rewriting(
        "@propertyWrapper struct Guide { var wrappedValue = 1 }; struct A { @Guide var b }",
        "@propertyWrapper struct Guide { var wrappedValue = 1 }; struct A { @Guide var b }"),
      Rewriting("@IBDesignable class A {}", "class A {}"),
      Rewriting(
        "var f: @convention(block) (Int) -> Void = { _ in }", "var f: (Int) -> Void = { _ in }"),
      Rewriting(
        "class A { @objc(\n  b:\n) static func b(_ x: Int) {} }",
        "class A { \n\n static func b(_ x: Int) {} }"),
    ]) func attributesGo(_ rewriting: Rewriting) { expect(rewriting) }

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

    /// Classes of models and of other modules are as managed as the target's own.
    @Test(arguments: [
      Rewriting("let a = Base()", "let a = ObjectiveCSupport.uninitialized(Base.self)"),
      Rewriting(
        "private class Item: Base {}; let a = Item()",
        "class Item_File: Base {}; let a = ObjectiveCSupport.uninitialized(Item_File.self)"),
      Rewriting("class A { unowned let item: Base }", "class A { let item: Base }"),
      Rewriting("class A { unowned let item: Other }", "class A { unowned let item: Other }"),
      Rewriting("struct Base {}; let a = Base()", "struct Base {}; let a = Base()"),
      Rewriting(
        "a.books = []; a.other = []", "a.books = ObjectiveCSupport.literal([]); a.other = []"),
      Rewriting(
        "func a<T>(_ b: T.Type) -> T where T: Base { T() }",
        "func a<T>(_ b: T.Type) -> T where T: Base { ObjectiveCSupport.uninitialized(T.self) }"),
      Rewriting(
        "struct A<T: NSManagedObject> { func b() -> T { return T() } }",
        "struct A<T: NSManagedObject> { func b() -> T { return ObjectiveCSupport.uninitialized(T.self) } }"
      ),
      Rewriting("func a<T: Other>() -> T { T() }", "func a<T: Other>() -> T { T() }"),
    ]) func classesOfOtherModules(_ rewriting: Rewriting) {
      expect(rewriting, ["managedObject(Base)", "toMany(books)", "os(iOS)"])
    }

    /// Generated code sees classes that are private in their file.
    @Test(arguments: [
      Rewriting(
        "private final class Item: NSManagedObject { var other: Item? }; let a = \\Item.other; let b: [Item] = c.Item",
        "final class Item_File: NSManagedObject { var other: Item_File? }; let a = \\Item_File.other; let b: [Item_File] = c.Item"
      ),
      Rewriting(
        "fileprivate class Item: Base {}; class Base: NSManagedObject {}; let a = Item()",
        "class Item_File: Base {}; class Base: NSManagedObject {}; let a = ObjectiveCSupport.uninitialized(Item_File.self)"
      ),
      Rewriting(
        "private class Item: NSManagedObject { var kind: Kind }; private enum Kind { case a }; private func b(_ c: Kind?) {}",
        "class Item_File: NSManagedObject { var kind: Kind_File }; enum Kind_File { case a }; private func b(_ c: Kind_File?) {}"
      ),
      Rewriting(
        "private class Item: Base {}; let a = Item()", "private class Item: Base {}; let a = Item()"
      ),
      Rewriting(
        "class A: NSManagedObject { public subscript(name: String) -> Any? { get { 1 } set {} } }",
        "class A: NSManagedObject { public override subscript(name: String) -> Any? { get { 1 } set {} } }"
      ),
      Rewriting(
        "class A: NSManagedObject { subscript(a name: String) -> Any? { get { 1 } set {} } }",
        "class A: NSManagedObject { subscript(a name: String) -> Any? { get { 1 } set {} } }"),
      Rewriting(
        "class A: B { subscript(name: String) -> Any? { get { 1 } set {} } }",
        "class A: B { subscript(name: String) -> Any? { get { 1 } set {} } }"),
    ]) func classesOfCoreData(_ rewriting: Rewriting) { expect(rewriting) }

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

    /// A session without a configuration is there on Apple's systems only.
    @Test(arguments: [
      Rewriting(
        "class A: URLSession { var b = 1 }; class B: A {}; let c = (A(), B(), URLSession())",
        "class A: URLSession { var b = 1 }; class B: A {}; let c = (A(configuration: .default), B(configuration: .default), URLSession())"
      ),
      Rewriting(
        "class A: URLSession { override init() { b = 1; super.init() } }; let c = A()",
        "class A: URLSession { init() { b = 1; super.init(configuration: .default) } }; let c = A()"
      ),
      Rewriting(
        "class A: URLSession { init() { b = 1 } }",
        "class A: URLSession { init() { b = 1; super.init(configuration: .default) } }"),
      Rewriting(
        "class A: URLSession { override init() {} }",
        "class A: URLSession { init() {super.init(configuration: .default)} }"),
      Rewriting(
        "class A: URLSessionDataTask { override init() {} }; let c = A()",
        "class A: URLSessionDataTask { override init() {} }; let c = A()"),
    ]) func sessionsHaveAConfiguration(_ rewriting: Rewriting) { expect(rewriting) }

    @Test(arguments: [
      ("class A: NSAtomicStore { init(a: Int) { super.init() } }", true),
      ("class A: NSIncrementalStore { init() {}; convenience init(b: Int) {} }", true),
      ("class A: NSAtomicStore { convenience init(b: Int) {} }", false),
      ("class A: B { init() {} }", false),
      (
        "class A: NSAtomicStore { init(persistentStoreCoordinator a: B, configurationName: C, at: D, options: E) {}; init() {} }",
        false
      ),
    ]) func storesHaveTheirInitializer(_ source: String, _ isAdded: Bool) {
      #expect(body(source).contains("required init(persistentStoreCoordinator root:") == isAdded)
    }

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

    @Test(arguments: [
      Rewriting(
        "let a: Foundation.ValueTransformer = Foundation.ValueTransformer()",
        "let a: ObjectiveCSupport.ValueTransformer = ObjectiveCSupport.ValueTransformer()"),
      Rewriting("let a: Foundation.Date", "let a: Foundation.Date"),
      Rewriting(
        "extension NSManagedObjectModel { static func a() { self.init() } }",
        "extension NSManagedObjectModel { static func a() { NSManagedObjectModel.init() } }"),
      Rewriting(
        "extension NSManagedObjectModel { convenience init(a: Int) { self.init() } }",
        "extension NSManagedObjectModel { convenience init(a: Int) { self.init() } }"),
      Rewriting(
        "func a<T: NSPersistentStoreCoordinator>(_ type: T.Type = T.self) { b = type.init(c: 1) }",
        "func a<T: NSPersistentStoreCoordinator>(_ type: T.Type = T.self) { b = (NSPersistentStoreCoordinator.init(c: 1) as! T) }"
      ),
      Rewriting(
        "init<T>(a type: T.Type) where T: NSManagedObjectContext { b = { type.init(c: 1) } }",
        "init<T>(a type: T.Type) where T: NSManagedObjectContext { b = { (NSManagedObjectContext.init(c: 1) as! T) } }"
      ),
      Rewriting(
        "func a(type: NSPersistentContainer.Type) { type.init(name: b) }",
        "func a(type: NSPersistentContainer.Type) { NSPersistentContainer.init(name: b) }"),
      Rewriting(
        "func a<T: NSManagedObject>(type: T.Type) { type.init(context: b) }",
        "func a<T: NSManagedObject>(type: T.Type) { type.init(context: b) }"),
      Rewriting(
        "class A: NSManagedObject { var b: NSSet? }; func f(_ a: A) { a.b = [1] }",
        "class A: NSManagedObject { var b: NSSet? }; func f(_ a: A) { a.b = ObjectiveCSupport.literal([1]) }"
      ),
      Rewriting("let a: NSOrderedSet = [1]", "let a: NSOrderedSet = NSOrderedSet(array: [1])"),
      Rewriting(
        "func f() { class A: NSManagedObject { @NSManaged var b: String } }",
        "func f() { class A: NSManagedObject {  var b: String "
          + "{ get { self.managedValue(Self.managedProperty(\"b\")) } "
          + "set { self.setManagedValue(newValue, Self.managedProperty(\"b\")) } } }"
          + "; ObjectiveCSupport.registerLocalClass(A.self) { A(entity: $0, insertInto: $1) } }"),
      Rewriting(
        "func f() { class A: NSManagedObject {}; class B: A {} }",
        "func f() { class A: NSManagedObject {}"
          + "; ObjectiveCSupport.registerLocalClass(A.self) { A(entity: $0, insertInto: $1) }; class B: A {}"
          + "; ObjectiveCSupport.registerLocalClass(B.self) { B(entity: $0, insertInto: $1) } }"),
      Rewriting(
        "func f() { struct B { class A: NSManagedObject {} }; class C: NSObject {} }",
        "func f() { struct B { class A: NSManagedObject {} }; class C: NSObject {} }"),
      Rewriting(
        "class A: NSManagedObject { @NSManaged var b: String }",
        "class A: NSManagedObject { @NSManaged var b: String }"),
      Rewriting(
        "let a = Bundle(for: A.self).bundleIdentifier!",
        "let a = Bundle(for: A.self).identifier(saidToBe: nil, for: #fileID)!"),
      Rewriting(
        "let a = Bundle.main.bundleIdentifier",
        "let a = ObjectiveCSupport.mainBundle(for: #fileID)"
          + ".identifier(saidToBe: \"com.apple.dt.xctest.tool\", for: #fileID)"),
      Rewriting(
        "import XCTest; class A: XCTestCase { func b() { c(self.classForCoder) } }",
        "import XCTest; class A: XCTestCase { func b() { c(type(of: self)) } }"),
      Rewriting(
        "class A: NSObject { func b() { c(self.classForCoder) } }",
        "class A: NSObject { func b() { c(self.classForCoder) } }"),
      Rewriting("let a = running.bundleIdentifier", "let a = running.bundleIdentifier"),
      Rewriting("let a = [] as NSSet", "let a = NSSet(array: []) as NSSet"),
      Rewriting("func f(_ a: NSSet? = []) {}", "func f(_ a: NSSet? = NSSet(array: [])) {}"),
      Rewriting("func f() -> NSSet { [1] }", "func f() -> NSSet { NSSet(array: [1]) }"),
      Rewriting(
        "func f() -> NSSet? { g(); if a { return [1] }; [2]; return nil }",
        "func f() -> NSSet? { g(); if a { return NSSet(array: [1]) }; [2]; return nil }"),
      Rewriting("var a: NSSet { [] }", "var a: NSSet { NSSet(array: []) }"),
      Rewriting(
        "var a: NSSet { get { return [] } }", "var a: NSSet { get { return NSSet(array: []) } }"),
      Rewriting("func f() -> NSSet { g { [1] } }", "func f() -> NSSet { g { [1] } }"),
      Rewriting(
        "class A { var b: NSSet? }; func f(_ a: A) { g(a.b ?? []) }",
        "class A { var b: NSSet? }; func f(_ a: A) { g(a.b ?? ObjectiveCSupport.literal([])) }"),
      Rewriting(
        "class A { var b: NSSet? }; class B { var b: [Int] = [] }; func f(_ a: A?) { a?.b = [1] }",
        "class A { var b: NSSet? }; class B { var b: [Int] = [] }; func f(_ a: A?) { a?.b = ObjectiveCSupport.literal([1]) }"
      ),
      Rewriting(
        "class A { var b: [Int] = [] }; func f(_ a: A) { a.b = [1] }",
        "class A { var b: [Int] = [] }; func f(_ a: A) { a.b = [1] }"),
      Rewriting(
        "class A: NSManagedObject {}; let a = A()",
        "class A: NSManagedObject {}; let a = ObjectiveCSupport.uninitialized(A.self)"),
      Rewriting(
        "extension A { class B: NSManagedObject { var c = C() }; class C: B {} }",
        "extension A { class B: NSManagedObject { var c = ObjectiveCSupport.uninitialized(C.self) }; class C: B {} }"
      ),
      Rewriting(
        "enum A { class B: NSManagedObject {} }; let a = A.B()",
        "enum A { class B: NSManagedObject {} }; let a = ObjectiveCSupport.uninitialized(A.B.self)"),
      Rewriting(
        "enum A { class B: NSManagedObject {} }; class B {}; let a = B(); let b = c.B()",
        "enum A { class B: NSManagedObject {} }; class B {}; let a = B(); let b = c.B()"),
      Rewriting(
        "enum A { class B {}; let b = B() }; class B: NSManagedObject {}",
        "enum A { class B {}; let b = B() }; class B: NSManagedObject {}"),
      Rewriting(
        "class A: NSManagedObject { init() {} }; let a = A()",
        "class A: NSManagedObject { init() {} }; let a = A()"),
      Rewriting(
        "let a: NSMutableOrderedSet = [1]",
        "let a: NSMutableOrderedSet = ObjectiveCSupport.working(NSMutableOrderedSet(array: [1]))"),
      Rewriting(
        "let a = NSMutableOrderedSet(array: b).count",
        "let a = ObjectiveCSupport.working(NSMutableOrderedSet(array: b)).count"),
      Rewriting(
        "let a = b.c.mutableCopy() as! NSMutableOrderedSet",
        "let a = ObjectiveCSupport.working(b.c.mutableCopy()) as! NSMutableOrderedSet"),
      Rewriting(
        "let a = b?.mutableCopy() as? NSMutableOrderedSet",
        "let a = ObjectiveCSupport.working(b?.mutableCopy()) as? NSMutableOrderedSet"),
      Rewriting("let p = ProcessInfo()", "let p = ProcessInfo.processInfo"),
      Rewriting(
        "let p = Progress(totalUnitCount: 1)",
        "let p = ObjectiveCSupport.ObservableProgress(totalUnitCount: 1)"),
      Rewriting(
        "let b = unsafeBitCast(block, to: AnyObject.self)", "let b = (block as AnyObject)"),
      Rewriting("import XCTest; wait(for: [a])", "import XCTest; wait(for: [a], timeout: 86_400)"),
      Rewriting(
        "import XCTest; wait(for: [a], timeout: 1)", "import XCTest; wait(for: [a], timeout: 1)"),
      Rewriting("wait(for: [a])", "wait(for: [a])"),
      Rewriting(
        "switch a { case .stringAttributeType: 1 }",
        "switch a { case .stringAttributeType: 1 @unknown default: fatalError(\"no case of this switch is for one of "
          + "URIAttributeType, UUIDAttributeType, binaryDataAttributeType, booleanAttributeType, compositeAttributeType, "
          + "dateAttributeType, decimalAttributeType, doubleAttributeType, floatAttributeType, integer16AttributeType, "
          + "integer32AttributeType, integer64AttributeType, objectIDAttributeType, transformableAttributeType, "
          + "undefinedAttributeType\") }"),
      Rewriting(
        "switch a { case .stringAttributeType: 1; default: 2 }",
        "switch a { case .stringAttributeType: 1; default: 2 }"),
    ]) func whatFrameworksHaveElsewhere(_ rewriting: Rewriting) { expect(rewriting) }

    @Test(arguments: [
      Rewriting(
        "@objc protocol P { @objc optional var a: Int { get } }; func f(_ p: P?) { p?.a }",
        "protocol P: AnyObject { var a: Int { get throws } }; func f(_ p: P?) { "
          + "ObjectiveCSupport.optionalProperty(p, { try $0.a }) }"),
      Rewriting(
        "@objc protocol P { @objc optional var a: Int { get } }; struct Q { let a: Int }; func f(_ q: Q) { q.a }",
        "protocol P: AnyObject { var a: Int { get throws } }; struct Q { let a: Int }; func f(_ q: Q) { q.a }"
      ),
      Rewriting(
        "@objc protocol P { @objc optional var a: Int { get } }; class C { weak var p: P?; func f() { guard let p else { return }; _ = p.a } }",
        "protocol P: AnyObject { var a: Int { get throws } }; class C { weak var p: P?; func f() { guard let p else { return }; "
          + "_ = ObjectiveCSupport.optionalProperty(p, { try $0.a }) } }"),
      Rewriting(
        "@objc protocol P { @objc optional func a(_ x: Int) }; func f(_ p: P?) { if p?.a == nil {} }",
        "protocol P: AnyObject { func a(_ x: Int) throws }; func f(_ p: P?) { "
          + "if !ObjectiveCSupport.responds(p, to: Selector(\"a:\")) {} }"),
    ]) func optionalProperties(_ rewriting: Rewriting) { expect(rewriting) }

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

    @Test(arguments: [
      Rewriting(
        "let r = x as! NSFetchRequest<NSFetchRequestResult>",
        "let r = ObjectiveCSupport.cast(x, to: NSFetchRequest<NSFetchRequestResult>.self)!"),
      Rewriting(
        "let r = a.copy() as? NSFetchRequest<Item>",
        "let r = ObjectiveCSupport.cast(a.copy(), to: NSFetchRequest<Item>.self)"),
      Rewriting(
        "let r = Item.fetchRequest() as NSFetchRequest<Item>",
        "let r = Item.fetchRequest() as NSFetchRequest<Item>"),
      Rewriting(
        "if let s = value(forKey: k) as? NSMutableSet {}",
        "if let s = mutableSetValue(forKey: k) as NSMutableSet? {}"),
      Rewriting(
        "let s = a.b.value(forKeyPath: k) as! NSMutableOrderedSet",
        "let s = a.b.mutableOrderedSetValue(forKeyPath: k)"),
      Rewriting("let r = x as! [NSFetchRequestResult]", "let r = x as! [NSFetchRequestResult]"),
      Rewriting(
        "let s = snapshot as NSDiffableDataSourceSnapshot<String, NSManagedObjectID>",
        "let s = NSDiffableDataSourceSnapshot<String, NSManagedObjectID>(snapshot)"),
    ]) func castsLookPastTypeParameters(_ rewriting: Rewriting) { expect(rewriting) }

    @Test(arguments: [
      Rewriting(
        "(undo.prepare(withInvocationTarget: self) as AnyObject).set(a.b, to: old)",
        "undo.prepareInvocation(self, a.b, old) { $0.set($1, to: $2) }"),
      Rewriting(
        "(undo?.prepare(withInvocationTarget: list) as! List).clear()",
        "undo?.prepareInvocation(list) { $0.clear() }"),
      Rewriting(
        "let v = (a.b as AnyObject).value(forKey: k) as? String",
        "let v = ObjectiveCSupport.keyed(a.b).value(forKey: k) as? String"),
      Rewriting("let c = NSClassFromString(name)", "let c = ObjectiveCSupport.classNamed(name)"),
      Rewriting(
        "let c = NSStringFromClass(A.self)", "let c = ObjectiveCSupport.nameOfClass(A.self)"),
      Rewriting(
        "let b = Bundle(identifier: name)", "let b = ObjectiveCSupport.bundle(identifier: name)"),
      Rewriting("let b = Bundle(for: A.self)", "let b = Bundle(for: A.self)"),
      Rewriting(
        "extension NSFetchRequestResult where Self: Item {}",
        "extension NSFetchRequestResult where Self: Item {}"),
      Rewriting(
        "protocol P: AnyObject, NSFetchRequestResult {}",
        "protocol P: AnyObject, NSFetchRequestResult {}"),
    ]) func framework(_ rewriting: Rewriting) { expect(rewriting) }

    @Test func optionalRequirementsMayThrow() {
      let source = """
        @objc protocol P { @objc optional func a(_ x: Int); func b(); @objc optional func c() -> Bool }
        func f(_ p: P?) {
          p?.a?(1)
          let c = p?.c?() ?? true
          p!.a!(2)
          f(nil)
        }
        """
      expect(
        Rewriting(
          source,
          """
          protocol P: AnyObject { func a(_ x: Int) throws; func b(); func c() throws -> Bool }
          func f(_ p: P?) {
          _ = (try? p?.a(1))
          let c = (try? p?.c()) ?? true
          _ = (try! p!.a(2))
          f(nil)
          }
          """))
      let text = SourcePorter.port(source: source, path: "/App/File.swift").text
      #expect(
        text.contains(
          "extension P { func a(_ x: Int) throws { throw ObjectiveCSupport.MissingRequirement() }; "
        ))
    }

    @Test func closuresAreCalledAsEver() {
      let source = """
        @objc protocol P { @objc optional func done(_ x: Int) }
        class A { var done: ((Int) -> Void)?; var other: (() -> Void)? }
        func f(_ a: A) { a.done?(1); a.other?() }
        """
      #expect(body(source).contains("a.done?(1); a.other?()"))
    }

    @Test func conditionsThatHoldAreTrue() {
      let ported = SourcePorter.port(
        [("/A.swift", "#if DEBUG && os(macOS) && !OTHER\n#endif")],
        conditions: ["DEBUG", "os(macOS)"])
      #expect(ported[0].text.contains("#if true && true && !OTHER\n"))
    }

    /// Whatever is written elsewhere about what stands in an `#if` has its condition.
    @Test(arguments: [
      ("#if A\nclass B: NSObject { @objc func c() {} }\n#endif", "#if (A)\nB.__objectiveC1()\n"),
      (
        "#if A\n#elseif B\n#else\nclass C: NSObject { @objc func d() {} }\n#endif",
        "#if !(A) && !(B)\nC.__objectiveC1()\n"
      ),
      (
        "#if A\n#if B\nclass C: NSObject { @objc func d() {} }\n#endif\n#endif",
        "#if (A) && (B)\nC.__objectiveC1()\n"
      ),
      (
        "class B: NSObject {\n#if A\n@objc func c() {}\n#endif\n}",
        "#if (A)\nc.method(\"c\", 0, { o, _ in o.c() })\n#endif\n"
      ),
      (
        "class B: NSObject {\n#if A\n@objc var c = 1\n#endif\n}",
        "#if (A)\nc.property(\"c\", \\B.c)\n#endif\n"
      ),
      (
        "class B {\n#if A\n@objc(C) class C: NSObject {}\n#endif\n}",
        "#if (A)\nB.C.__objectiveC2()\n#endif\n"
      ),
      (
        "@objc protocol P {\n#if A\n@objc optional func a()\n#endif\n}",
        "#if (A)\nfunc a() throws { throw ObjectiveCSupport.MissingRequirement() }\n#endif\n"
      ),
      (
        "#if A\n@objc protocol P { @objc optional func a() }\n#endif",
        "#if (A)\nextension P { func a() throws { throw ObjectiveCSupport.MissingRequirement() } }\n#endif\n"
      ),
      (
        "class B: C {}\n#if A\nextension B {\n#if !D\noverride func e() {}\n#endif\n}\n#endif",
        "#if (!D) && (A)\n#sourceLocation(file: \"/A.swift\", line: 5)\noverride func e() {}\n#endif\n"
      ),
    ]) func conditionsAreKept(source: String, part: String) {
      let text = SourcePorter.port(source: source, path: "/A.swift").text
      #expect(text.contains(part), "\(text)")
    }

    /// Every line is where it was, but for what is put behind the members of a type.
    @Test func linesStay() {
      let source = """
        import UIKit
        @objc(
          Name
        )
        class A: NSObject {
          @objc
          dynamic
          var title = #keyPath(
            A.title
          )
        }
        let last = #line
        """
      let lines = SourcePorter.port(source: source, path: "/A.swift").text.split(
        separator: "\n", omittingEmptySubsequences: false)
      // The import and the place before the first line.
      #expect(lines[1] == "#sourceLocation(file: \"/A.swift\", line: 1)")
      #expect(lines[2 + 11] == "let last = #line")
    }

    @Test func overridesMoveIntoTheClass() {
      let ported = SourcePorter.port([
        ("/App/Class.swift", "class A: B {\n}\nlet line = 3"),
        ("/App/More.swift", "\nextension A { override class func entity() -> C { c } }"),
      ])
      #expect(
        ported[0].text.contains(
          """
          class A: B {

          #sourceLocation(file: "/App/More.swift", line: 2)
          override class func entity() -> C { c }
          #sourceLocation(file: "/App/Class.swift", line: 2)
          }
          """))
      #expect(ported[1].text.hasSuffix("extension A {  }"))
    }

    @Test func overridesKeepTheAccessThatTheirExtensionGives() {
      for (declaration, expected) in [
        ("public extension A { override func f() {} }", "\npublic override func f() {}"),
        ("public extension A { internal override func f() {} }", "\ninternal override func f() {}"),
        (
          "package extension A { @objc override var f: Int { 1 } }",
          "\n package override var f: Int { 1 }"
        ),
        ("public extension A { override open func f() {} }", "\noverride open func f() {}"),
        ("private extension A { override func f() {} }", "\noverride func f() {}"),
        ("extension A { override func f() {} }", "\noverride func f() {}"),
        (
          "public extension A {\n#if B\noverride func f() {}\n#endif\n}",
          "\npublic override func f() {}"
        ),
      ] {
        let ported = SourcePorter.port([
          ("/App/Class.swift", "class A: B {\n}"), ("/App/More.swift", declaration),
        ])
        #expect(ported[0].text.contains(expected), "\(declaration): \(ported[0].text)")
      }
    }
  }
#endif
