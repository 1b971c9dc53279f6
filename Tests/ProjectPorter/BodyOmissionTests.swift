import Foundation
import Testing

@testable import ProjectPorter

/// What is left out of bodies, so that their declarations stay.
@Suite struct BodyOmissionTests {
  /// Ports a project of one target, and of tests if there are any.
  private func port(
    _ sources: [String: String], tests: String = "", refusals: Refusals = Refusals(),
    _ check: (Porting) throws -> Void
  ) throws {
    try ProjectFolder.with { folder in
      var text = XcodeProjectText()
      var groups: [String] = []
      let testSources = ["KitTests.swift": "@testable import Kit\nimport XCTest\n" + tests]
      for (target, files) in [("Kit", sources), ("KitTests", testSources)] {
        var members: [String] = []
        for (name, source) in files.sorted(by: { $0.key < $1.key }) {
          try folder.write(source, to: "\(target)/\(name)")
          members.append(text.file(name))
        }
        groups.append(text.group(target, members))
        _ = text.target(
          target, type: target == "Kit" ? "framework" : "bundle.unit-test", sources: members,
          products: [])
      }
      text.root(groups)
      try folder.write(text.text(), to: "Kit.xcodeproj/project.pbxproj")
      var options = Porting.Options(openCoreData: "/opencoredata")
      options.refusals = refusals
      try check(Porting(folder["Kit.xcodeproj"], options))
    }
  }

  /// What copies do without, by files; nil for a file that is left out.
  private func without(
    _ sources: [String: String], tests: String = ""
  ) throws -> [String: [String]] {
    var all: [String: [String]] = [:]
    try port(sources, tests: tests) { porting in
      for facts in porting.judgements.flatMap(\.kept) {
        all[facts.file.lastPathComponent] = facts.pathsLeftOut
      }
    }
    return all
  }

  /// Every module with every form of declaration: what each goes without, with the word in it.
  @Test(
    arguments: [
      ("CloudKit", "CKContainer"), ("CoreSpotlight", "CSSearchableIndex"),
      ("CoreBluetooth", "CBCentralManager"), ("WidgetKit", "WidgetCenter"),
      ("StoreKit", "SKPaymentQueue"), ("HealthKit", "HKHealthStore"), ("UIKit", "UIDevice"),
      ("SwiftUI", "UIApplication"), ("AppKit", "NSWorkspace"), ("MapKit", "MKMapView"),
      ("Network", "NWPathMonitor"),
    ],
    [
      // A statement of a function that others need.
      ("func save() {\n  count += 1\n  X.shared.reload()\n}", "in Store.save: X"),
      ("func saveAll() {\n  count += 1\n  X.shared.reload()\n}", "in Store.saveAll: X"),
      ("init() {\n  X.shared.reload()\n}", "in Store.init: X"),
      ("deinit {\n  X.shared.reload()\n}", "in Store.deinit: X"),
      ("override func awake() { X.shared.reload() }", "in Store.awake: X"),
      ("@objc func awake() { X.shared.reload() }", "in Store.awake: X"),
      // A value of it in the middle.
      ("func save() -> Int { let x = X(); return x.count }", "in Store.save: X"),
      ("init?(a: Int) { guard X.isThere else { return nil } }", "in Store.init: X"),
      ("subscript(a: Int) -> Int { X.shared.count }", "in Store.subscript: X"),
      ("override var pages: Int { X.shared.count }", "in Store.pages: X"),
      // Declarations that can go by themselves.
      ("func saveAll() -> Int { let x = X(); return x.count }", "Store.saveAll"),
      ("func paintAll(_ x: X) {}", "Store.paintAll"),
      ("static let sharedX = X()", "Store.sharedX"),
    ])
  func whatGoes(_ module: (String, String), _ member: (String, String)) throws {
    let text = """
      import CoreData
      import \(module.0)
      class Store: Base {
        var count = 1
        \(member.0.replacing("X", with: module.1))
      }
      """
    let goes = member.1.replacing("X", with: member.0.contains("sharedX") ? "X" : module.1)
    let path = goes == "Store.sharedX" ? "Store.shared\(module.1)" : goes
    let imports = ["UIKit", "SwiftUI", "AppKit"].contains(module.0) ? [] : ["import \(module.0)"]
    let found = try without(["Store.swift": text, "Base.swift": "class Base {}"])
    #expect(found["Store.swift"] == [path] + imports, "\(text)")
  }

  /// What a body uses of a declaration that goes.
  @Test func usersOfWhatGoes() throws {
    let text = """
      import CoreData
      import UIKit
      class Book: NSManagedObject {}
      extension Book: CustomStringConvertible {
        var coverColor: UIColor { .red }
        convenience init(a: Int) { coverColor }
        var description: String { coverColor.name }
      }
      """
    #expect(
      try without(["Book.swift": text])["Book.swift"] == [
        "Book.coverColor", "in Book.init: coverColor", "in Book.description: coverColor",
      ])
  }

  /// Every way to call or set what is missing in a statement of its own, in every block: the
  /// statement goes, and the function with the rest stays.
  @Test(
    arguments: [
      "X.start()", "try X.start()", "try? await X.start()", "await X.start()", "_ = X.start()",
      "X.shared.start(1)", "X.rate = 1",
      // A member that is left out, of an object that is not.
      "Themes.shared.paintAll(1)", "await Themes.shared.paintAll(1)", "themes?.paintAll(1)",
      "self.themes.paintAll(1)", "try! self.themes?.paintAll(1)", "_ = themes.paintAll(1)",
      "Themes.shared.allTints = 1",
    ],
    [
      "S", "Task {\nS\n}", "Task { @MainActor in\nS\n}", "Task { [weak self] in\nS\n}",
      "queue.async {\nS\n}", "queue.asyncAfter(deadline: .now() + 4) {\ncount = 0\nS\n}",
      "if count > 0 {\nS\n}", "do {\nS\n} catch {}", "for a in all {\nS\n}",
    ])
  func aStatementGoesFromWhereItStands(_ statement: String, _ block: String) throws {
    let word =
      statement.contains("X")
      ? "WidgetCenter" : statement.contains("allTints") ? "allTints" : "paintAll"
    let code = block.replacing("S", with: statement).replacing("X", with: "WidgetCenter")
    #expect(
      try goesWithout("count += 1\n\(code)") == ["in Store.saveAll: \(word)"], "\(code)")
  }

  /// What is kept of it, decides or hands over code takes the function along.
  @Test(arguments: [
    "let a = Themes.shared.paintAll(1)", "if Themes.shared.paintAll(1) {}",
    "count = themes.paintAll(1)", "return themes.paintAll(1)", "print(themes.paintAll(1))",
    "let task = Task {\nawait themes.paintAll(1)\n}", "count = 1 + themes.allTints",
    "return Task {\nthemes.paintAll(1)\n}", "themes.paintAll { 1 }", "themes.allTints + 1",
  ]) func aValueTakesTheFunction(_ statement: String) throws {
    #expect(try goesWithout("count += 1\n\(statement)") == ["Store.saveAll"], "\(statement)")
  }

  /// What `Store` goes without, with some code in a function of it.
  private func goesWithout(_ code: String) throws -> [String] {
    let found = try without([
      "Store.swift": """
      import CoreData
      import WidgetKit
      class Store {
        var count = 1
        var themes = Themes.shared
        func saveAll() {
          \(code)
        }
      }
      """,
      "Themes.swift": """
      import SwiftUI
      class Themes {
        static let shared = Themes()
        func paintAll(_ color: Color) {}
        static var allTints: [Color] { [] }
      }
      """,
    ])
    return try #require(found["Store.swift"]).filter { $0 != "import WidgetKit" }
  }

  /// Without a body to take it out of, the file goes as before.
  @Test(arguments: ["var x = X()", "init(x: X) {}", "let y: Int = { X().count }()"])
  func whatIsInNoBody(_ member: String) throws {
    let text = "import CoreData\nimport CloudKit\nclass Store: Base { \(member) }".replacing(
      "X", with: "CKContainer")
    let found = try without(["Store.swift": text, "Base.swift": "class Base {}"])
    #expect(found["Store.swift"] == nil && found["Base.swift"] == [])
  }

  /// What the project declares is no type of a module's.
  @Test func typesOfOtherFilesStay() throws {
    let text = """
      import CoreData
      import CloudKit
      class Store { let log: Logger; func save() { CKContainer.default() } }
      """
    let found = try without(["Store.swift": text, "Log.swift": "struct Logger {}"])
    #expect(found["Store.swift"] == ["in Store.save: CKContainer", "import CloudKit"])
  }

  /// Nor what Combine or a package brings, where the module's types have a prefix.
  @Test func typesOfOtherModulesStay() throws {
    let text = """
      import CoreData
      import CoreBluetooth
      import SwiftUI
      class Store: ObservableObject {
        @Published var count = 1
        var bag: Set<AnyCancellable> = []
        var strange: Strange?
        func save() { CBCentralManager.current() }
      }
      """
    #expect(
      try without(["Store.swift": text])["Store.swift"] == [
        "in Store.save: CBCentralManager", "import CoreBluetooth",
      ])
  }

  /// Classes that Xcode writes from a model are the project's.
  @Test(arguments: ["name=\"Tag\"", "name=\"X\" representedClassName=\".Tag\""])
  func classesOfAModel(_ entity: String) throws {
    let text =
      "import CoreData\nimport WidgetKit\nstruct Store { var tag: Tag; static let all: [Any] = []; init() { Self.all } }"
    try ProjectFolder.with([
      "Package.swift": """
      // swift-tools-version: 5.9
      import PackageDescription
      let package = Package(name: "Kit", targets: [.target(name: "Kit")])
      """,
      "Sources/Kit/Store.swift": text,
      "Sources/Kit/M.xcdatamodeld/M.xcdatamodel/contents": "<model><entity \(entity)/></model>",
    ]) {
      let porting = try Porting($0.url, Porting.Options(openCoreData: "/opencoredata"))
      #expect(porting.judgements.flatMap(\.kept).map(\.pathsLeftOut) == [["import WidgetKit"]])
    }
  }

  @Test func importsOfMachO() throws {
    let head = "import CoreData\nimport MachO\n"
    #expect(
      try without(["A.swift": head + "struct A { let machine: Schedule; struct Schedule {} }"])[
        "A.swift"] == ["import MachO"])
    #expect(
      try without([
        "A.swift": head + "func memory() -> Int {\n  let a = mach_task_self_\n  return 1\n}"
      ])["A.swift"] == ["in memory: mach_task_self_", "import MachO"])
  }

  /// A file of which nothing is for Linux is what it is on iOS, where it needs nothing of iOS.
  @Test(arguments: [
    ("#if os(iOS)\nstruct A {}\n#endif", ["if canImport(UIKit)", "if os(iOS)"]),
    (
      "#if canImport(UIKit)\nimport UIKit\nstruct A {}\n#endif",
      ["if canImport(UIKit)", "if os(iOS)"]
    ),
    ("#if os(macOS)\nstruct A {}\n#endif", ["if canImport(AppKit)", "if os(macOS)"]),
    (
      "#if os(iOS) || os(tvOS)\nimport Foundation\nextension Int { var a: Int { 1 } }\n#endif",
      ["if canImport(UIKit)", "if os(iOS)"]
    ),
    ("#if os(iOS)\nimport UIKit\nclass A: UIView {}\n#endif", []),
    // What needs UIKit is left out of it, if something else is in it.
    (
      "#if os(iOS)\nimport UIKit\nstruct A {}\nfunc showAll() -> UIView { UIView() }\n#endif",
      ["showAll", "if canImport(UIKit)", "if os(iOS)"]
    ),
    (
      "#if canImport(UIKit)\nimport UIKit\nextension UIView { var size: Int { 1 } }\nstruct A {}\n#endif",
      ["extension UIView", "if canImport(UIKit)", "if os(iOS)"]
    ),
    ("#if os(iOS)\nimport UIKit\nstruct A { let view: UIView }\n#endif", []),
    ("#if os(watchOS)\nstruct A {}\n#endif", []),
    ("#if os(iOS)\nstruct A {}\n#else\nstruct A {}\n#endif", []), ("// nothing", []),
    ("struct B {}\n#if os(iOS)\nstruct A {}\n#endif", ["if canImport(UIKit)", "if os(iOS)"]),
    ("struct B {}\n#if os(iOS)\nlet a: UIColor\n#endif", []),
    ("struct B {}\n#if os(iOS)\nlet a = 1\n#endif\n#if os(iOS)\n#else\nlet c = 1\n#endif", []),
  ]) func aFileForAnotherPlatform(_ text: String, _ conditions: [String]) throws {
    #expect(
      try without(["A.swift": text, "Item.swift": "import CoreData"])["A.swift"] == conditions)
  }

  /// Tests keep their bodies, or go: half a test would pass.
  @Test func testsAreWholeOrGo() throws {
    let found = try without(
      [
        "Store.swift": """
        import CoreData
        import CloudKit
        class Store: Base {
          override func loadAll() -> Int { CKContainer.default().count }
          override func saveAll() {
            CKContainer.default()
          }
        }
        """, "Base.swift": "class Base {}",
      ],
      tests: """
        import CloudKit
        final class StoreTests: XCTestCase {
          func testCloud() {
            CKContainer.default()
          }
          func testLoading() { Store().loadAll() }
          func testSaving() { Store().saveAll() }
        }
        """)
    #expect(
      found == [
        "Store.swift": [
          "in Store.loadAll: CKContainer", "in Store.saveAll: CKContainer", "import CloudKit",
        ], "Base.swift": [],
        "KitTests.swift": ["StoreTests.testCloud", "StoreTests.testLoading", "import CloudKit"],
      ])
  }

  /// A line of a body that the compiler refuses costs the body first, then the declaration.
  @Test(arguments: [
    (2, "Store.init"), (3, "Store.init"), (5, nil), (6, "Store.save"), (7, "Store.save"),
    (9, "Store.count"), (10, nil), (11, "Store.subscript"),
  ]) func bodiesAtLines(line: Int, path: String?) {
    let text = """
      struct Store {
        init() {
          x()
        }
        var a = 1
        func save() {
          x() }
        var b: Int {
          didSet { x() }}
        let c = { 1 }
        subscript(d: Int) -> Int { 1 }
      }
      """.replacing("var b: Int {\n    didSet", with: "\n  var count: Int { didSet")
    let facts = SourceFacts(URL(fileURLWithPath: "/Store.swift"), text: Array(text.utf8))
    #expect(facts.body(atLine: line).flatMap(facts.bodyPath) == path)
  }

  @Test func aRefusedBodyStays() throws {
    var refusals = Refusals()
    _ = refusals.add("no", file: "Kit/Store.swift", declaration: "in Store.save")
    let text = "import CoreData\nclass Store { func save() { gone() } }"
    try port(["Store.swift": text], refusals: refusals) { porting in
      let kept = porting.judgements.flatMap(\.kept).filter {
        $0.file.lastPathComponent == "Store.swift"
      }
      #expect(kept.map(\.pathsLeftOut) == [["in Store.save"]])
      #expect(
        porting.report.description.contains(
          "Kit/Store.swift:2: Store.save is built without what does not compile here: no"))
    }
  }
}
