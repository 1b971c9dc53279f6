import Foundation
import Testing

@testable import ModelCompiler

/// What the plugin says of sources made for Xcode, before the compiler does.
@Suite struct ForeignConstructTests {
  private func findings(
    _ source: String, conditions: [String] = [], modules: Set<String> = []
  ) -> ForeignConstructs.Findings {
    ForeignConstructs.findings(
      in: Data(source.utf8), path: "/App/Item.swift", conditions: conditions, modules: modules)
  }

  struct Case: CustomTestStringConvertible, Sendable {
    let source: String
    /// A part of what is said, with the line; nil where nothing is.
    let said: String?
    var testDescription: String { source }
  }

  /// Of each construct: where it stands, and where it only seems to.
  static let refused: [Case] = [
    Case(source: "@objc(Item) class Item {}", said: ":1:1: error: @objc needs"),
    Case(source: "\n@objcMembers\nclass Item {}", said: ":2:1: error: @objcMembers needs"),
    Case(
      source: "class A {\n  func f() {\n    @objc func g() {}\n  }\n}", said: ":3:1: error: @objc"),
    Case(
      source: "let k = #keyPath(Item.owner.name)",
      said: "write \"owner.name\", or \\Item.owner.name"),
    Case(source: "f(#keyPath(name))", said: "write \"name\""),
    Case(
      source: "import Foundation\nimport CoreData.NSFetchRequest",
      said:
        ":2:1: error: there is no module CoreData.NSFetchRequest on this platform: import"),
    Case(source: "import Foundation.NSDate", said: "import Foundation as a whole"),
    Case(source: "f(#selector(A.b(_:)))", said: ":1:1: error: #selector is for"),
    Case(source: "#if os(Linux)\n@objc class A {}\n#endif", said: ":2:1: error: @objc"),
    Case(
      source: "#if !os(iOS) && !canImport(UIKit)\n@objc class A {}\n#endif", said: "error: @objc"),
    Case(
      source: "#if canImport(UIKit)\n#else\n@objc class A {}\n#endif", said: ":3:1: error: @objc"),
    Case(source: "#if os(iOS)\n#elseif os(Linux)\n@objc class A {}\n#endif", said: "error: @objc"),
  ]

  static let silent: [Case] = [
    "@nonobjc class A {}", "// @objc class A {}", "/* #keyPath(a) */",
    "let s = \"@objc #keyPath(a.b)\"",
    "let s = \"\"\"\n  @objc\n  #selector(a)\n  \"\"\"", "let s = #\"#keyPath(a)\"#",
    "let objc = keyPath(a)",
    "#if canImport(ObjectiveC)\n@objc class A {}\n#endif",
    "#if os(iOS) || os(macOS)\n@objc class A {}\n#endif",
    "#if SOMETHING\n@objc class A {}\n#endif", "#if !SOMETHING\n@objc class A {}\n#endif",
    "#if os(Linux)\n#else\n@objc class A {}\n#endif",
    "#if os(iOS)\n#if os(Linux)\n@objc class A {}\n#endif\n#endif",
    "#if canImport(UIKit)\nimport UIKit\n#endif", "import Foundation\nimport CoreData",
    "let r = x as NSFetchRequest<Item>", "let r = T.fetchRequest() as! NSFetchRequest<T>",
    "let r = x as! NSFetchedThing<Item>", "let s = value(forKey: k) as! Set<Item>",
    "let s = mutableSetValue(forKey: k)", "x.import UIKit",
    "let s = mutableSetValue(forKey: k).allObjects as! [Item]",
    "#if swift(>=5)\n@objc class A {}\n#endif",
    "let s = primitiveValue(forKey: k) as! NSMutableSet", "let s = value(forKey: k) as! NSSet",
    "let s = mutableSetValue(forKey: k) as NSMutableSet",
    "let s = value(at: k) as! NSMutableSet", "let c: AnyClass? = NSClassFromString(\"App.Item\")",
    "#if canImport(Combine)\nfinal class A: ObservableObject {}\n#endif",
    "import OpenCombine\nfinal class A: ObservableObject { @Published var a = 1 }",
    "import class CoreData.NSManagedObject", "import struct Foundation.Data",
    "let publishedAt = Published", "// AnyCancellable", "final class A: Own {}",
  ].map { Case(source: $0, said: nil) }

  static let warned: [Case] = [
    Case(source: "import UIKit", said: ":1:1: warning: there is no module UIKit"),
    Case(
      source: "import Foundation\n@testable import os.log",
      said: ":2:1: warning: there is no module os"),
    Case(source: "import os.lock", said: "imports it, as a whole: import os; the plugin"),
    Case(source: "import os", said: "-module-alias os=OSShim imports it; the plugin"),
    Case(source: "import class Combine.Just", said: "product CombineShim"),
    Case(source: "let r = x as! NSFetchRequest<NSFetchRequestResult>", said: "stops the program"),
    Case(source: "f(A.fetchRequest() as! NSFetchRequest<NSFetchRequestResult>)", said: "stops"),
    Case(source: "if let r = x as? NSFetchedResultsController<Item> {}", said: "is nil here"),
    Case(
      source: "let s = a.mutableSetValue(forKey: k) as! Set<Item>",
      said: "is empty on this platform"),
    Case(source: "let s = a.mutableSetValue(\n  forKey: \"b\") as? Set<Item>", said: "is empty"),
    Case(
      source: "(a.value(forKey: k) as! NSMutableSet).add(b)",
      said: ":1:1: warning: what value(forKey:) gives of a relationship is a copy"),
    Case(
      source: "let s = value(\n  forKey: k) as? NSMutableOrderedSet",
      said: "take mutableOrderedSetValue(forKey:)"),
    Case(
      source: "let c = NSClassFromString(entity.managedObjectClassName) as! Item.Type",
      said: "by Module.Class alone"),
    Case(
      source: "import Foundation\n\nfinal class A: ObservableObject { @Published var a = 1 }",
      said: ":3:1: warning: ObservableObject is Combine's"),
    Case(source: "class A {\n  @Published var a = 1\n}", said: ":2:1: warning: Published is"),
    Case(source: "import CoreData\nvar a: AnyCancellable?", said: "@_exported import CombineShim"),
    Case(source: "let a = PassthroughSubject<Int, Never>()", said: "PassthroughSubject is"),
  ]

  @Test func theTargetsOwnTypesAreNotCombines() {
    let found = ForeignConstructs.findings(
      in: Data("final class A: ObservableObject {}".utf8), path: "/App/A.swift", conditions: [],
      modules: [], declared: ["ObservableObject"])
    #expect(found.warnings.isEmpty)
    #expect(findings("var a: AnyCancellable?", modules: ["CombineShim"]).warnings.isEmpty)
  }

  @Test(arguments: refused) func whatTheCompilerRefusesIsAnError(_ one: Case) throws {
    let found = findings(one.source)
    #expect(found.errors.count == 1 && found.warnings.isEmpty)
    #expect(found.errors.first?.contains(try #require(one.said)) == true, "\(found.errors)")
    #expect(found.errors.first?.contains("PortedSources") == true)
  }

  @Test(arguments: warned) func whatDoesSomethingElseIsAWarning(_ one: Case) throws {
    let found = findings(one.source)
    #expect(found.warnings.count == 1 && found.errors.isEmpty)
    #expect(found.warnings.first?.contains(try #require(one.said)) == true, "\(found.warnings)")
  }

  @Test(arguments: silent) func nothingIsSaidOfWhatIsNotCompiledOrMeansSomethingElse(_ one: Case) {
    let found = findings(one.source)
    #expect(found.errors.isEmpty && found.warnings.isEmpty, "\(found)")
  }

  @Test func conditionsAndModulesOfTheTargetCount() {
    let source = "#if SERVER\n@objc class A {}\n#endif"
    #expect(findings(source, conditions: ["SERVER"]).errors.count == 1)
    #expect(findings("import Combine", modules: ["CombineShim"]).warnings.isEmpty)
    #expect(findings("import class Combine.Just", modules: ["CombineShim"]).warnings.isEmpty)
    #expect(findings("import os.log", modules: ["OSShim"]).warnings.count == 1)
    #expect(findings("import UIKit", modules: ["UIKit"]).warnings.isEmpty)
    #expect(
      findings("#if canImport(UIKit)\n@objc class A {}\n#endif", modules: ["UIKit"]).errors.count
        == 1)
  }

  @Test(.enabled(if: TemporaryTarget.compiler != nil, "there is no swiftc on the path"))
  func theBuildStopsWithAllThatIsInTheWay() throws {
    var target = try TemporaryTarget()
    target.compilation.dependencies = ["CoreData"]
    try target.addSource(
      "import CoreData\nimport UIKit\n@objc(Item) class Item: NSManagedObject {}")
    try target.addSource("let key = #keyPath(Item.name)", name: "Keys.swift")
    let text = try target.errors()
    for part in ["Source.swift:2:1: warning", "Source.swift:3:1: error", "Keys.swift:1:1: error"] {
      #expect(text.contains(part), "\(part)\n\(text)")
    }
  }

  /// `extension Item { override func awakeFromInsert() {} }`, as beside classes that Xcode generates.
  @Test func anOverrideInAnExtensionIsFound() {
    let source = """
      class A: B {
        override func f() {}
      }
      extension A {
        override func awakeFromInsert() {}
        class Inner: B { override func f() {} }
        public override var name: String { "" }
        func g() { override() }
      }
      """
    let file = DeclarationReader.file(named: "A.swift", path: "/A.swift", Data(source.utf8))
    #expect(file.overridesInExtensions.map(\.line) == [5, 7])
  }

  @Test func anObserverThatIsNoManagedObjectIsFound() {
    let source = """
      class Watcher: NSObject, Watching {
        override func observeValue(forKeyPath keyPath: String?, of object: Any?) {}
        class Inner { func observeValue() {} }
      }
      class Item: NSManagedObject {
        override func observeValue(forKeyPath keyPath: String?, of object: Any?) {}
      }
      """
    let file = DeclarationReader.file(named: "A.swift", path: "/A.swift", Data(source.utf8))
    #expect(file.observers.map(\.line) == [2])
  }

  /// On Apple's systems the method is also called when an object is freed.
  @Test func aClassThatWaitsToBecomeAFaultAndHasNoDeinitIsFound() {
    let source = """
      class Item: NSManagedObject {
        override func didTurnIntoFault() {}
        class Inner { deinit {} }
      }
      class Both: NSManagedObject {
        deinit {}
        override func didTurnIntoFault() { super.didTurnIntoFault() }
      }
      class Outer {
        class Second: NSManagedObject { override func didTurnIntoFault() {} }
        deinit {}
      }
      """
    let file = DeclarationReader.file(named: "A.swift", path: "/A.swift", Data(source.utf8))
    #expect(file.faultOverrides.map(\.line) == [2, 10])
  }

  /// Their signatures have no other purpose.
  @Test func validationMethodsThatNobodyCanCallAreFound() {
    let pointer = "AutoreleasingUnsafeMutablePointer<AnyObject?>"
    let source = """
      class Item: NSManagedObject {
        private func validateHidden(_ value: \(pointer)) throws {}
        @MainActor func validateOnMain(_ value: \(pointer)) throws {}
        func validateName(_ value: \(pointer)) throws {}
        private func validate(_ value: String) {}
      }
      @MainActor extension Item {
        func validateTitle(_ value: \(pointer)) throws {}
      }
      """
    let file = DeclarationReader.file(named: "A.swift", path: "/A.swift", Data(source.utf8))
    #expect(file.unfoundMethods.map(\.place.line) == [2, 3, 8])
    #expect(file.unfoundMethods[0].text.hasPrefix("validateHidden(_:) is private, so"))
    #expect(file.unfoundMethods[2].text.contains("is on the main actor, so"))
  }

  @Test func membersThatNameKeyPathsAndThatNobodyAsksAreFound() {
    let source = """
      class Item: NSManagedObject {
        class func keyPathsForValuesAffectingA() -> Set<String> { [] }
        static var keyPathsForValuesAffectingB: Set<String> { [] }
        @objc class func keyPathsForValuesAffectingC() -> NSSet { [] }
        static var keyPathsForValuesAffectingD: [String] { [] }
        static let keyPathsForValuesAffectingE = Set(["a"])
        private class func keyPathsForValuesAffectingF() -> Set<String> { [] }
        @MainActor class func keyPathsForValuesAffectingG() -> Set<String> { [] }
        class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> { [] }
        func keyPathsForValuesAffectingH() -> [String] { [] }
      }
      """
    let file = DeclarationReader.file(named: "A.swift", path: "/A.swift", Data(source.utf8))
    #expect(file.unfoundMethods.map(\.place.line) == [4, 5, 6, 7, 8])
    #expect(
      file.unfoundMethods[0].text.hasPrefix("keyPathsForValuesAffectingC is of the type NSSet, so"))
    #expect(file.unfoundMethods[2].text.contains("of no written type"))
    #expect(file.unfoundMethods[3].text.contains("is private"))
  }

  private static func warnings(
    in source: String, modules: Set<String> = [], declared: Set<String> = []
  ) -> [String] {
    ForeignConstructs.findings(
      in: Data(source.utf8), path: "/A.swift", conditions: [], modules: modules, declared: declared
    ).warnings
  }

  @Test(arguments: [
    "let table = NSHashTable<Item>.weakObjects()",
    "let url = manager.containerURL(forSecurityApplicationGroupIdentifier: id)",
    "let coordinator = NSFileCoordinator(filePresenter: nil)",
    "let url = NSURL.fileURL(withPath: path)", "let now = CFAbsoluteTimeGetCurrent()",
  ]) func namesThatFoundationLacksLeadToTheProductThatHasThem(_ line: String) {
    let found = Self.warnings(in: line + "\n" + line)
    #expect(found.count == 1 && found[0].contains("FoundationSupport"), "\(found)")
    #expect(Self.warnings(in: line, modules: ["FoundationSupport"]).isEmpty)
    #expect(Self.warnings(in: "#if canImport(Darwin)\n\(line)\n#endif").isEmpty)
  }

  @Test func namesLikeThoseAreNotReported() {
    #expect(Self.warnings(in: "let table = NSHashTable()", declared: ["NSHashTable"]).isEmpty)
    #expect(Self.warnings(in: "let url = NSURL(string: text)\nlet containerURL = url").isEmpty)
    #expect(Self.warnings(in: "Foundation.UserDefaults.standard").isEmpty)
  }

  @Test func typesThatAreOfCoreDataHereAreReportedWithTheModulesName() {
    let found = Self.warnings(in: "Foundation.ValueTransformer.setValueTransformer(a, forName: b)")
    #expect(found.count == 1 && found[0].contains("leave the module's name out"), "\(found)")
  }

  @Test(arguments: [
    "var changes: NotificationCenter.Publisher", "NotificationCenter.default.publisher(for: name)",
    "func all() -> AnyPublisher<Int, Never>",
  ]) func publishersAreCombines(_ line: String) {
    let found = Self.warnings(in: "import CoreData\n" + line)
    #expect(found.count == 1 && found[0].contains("is Combine's"), "\(found)")
    #expect(Self.warnings(in: "import Combine\n" + line, modules: ["Combine"]).isEmpty)
    #expect(Self.warnings(in: "NotificationCenter.default.post(name: name, object: nil)").isEmpty)
  }

  @Test func anOrderedSetThatIsIntersectedIsReported() {
    let line = "let both = NSMutableOrderedSet(array: a)\nboth.intersect(NSOrderedSet(array: b))"
    let found = Self.warnings(in: line)
    #expect(found.count == 1 && found[0].hasPrefix("/A.swift:2:"), "\(found)")
    #expect(Self.warnings(in: "let set = NSMutableSet()\nset.intersect(other)").isEmpty)
    #expect(Self.warnings(in: "NSMutableOrderedSet().union(other)").isEmpty)
  }
}
