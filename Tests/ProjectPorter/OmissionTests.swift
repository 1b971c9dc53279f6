import Foundation
import Testing

@testable import ProjectPorter

/// Declarations that are left out of files which are built otherwise.
@Suite struct OmissionTests {
  /// Judges a package of sources for a target, and others for its tests.
  private func port(
    _ sources: [String: String], tests: [String: String] = [:],
    _ check: (Porting, ProjectFolder) throws -> Void
  ) throws {
    let manifest = """
      // swift-tools-version: 5.9
      import PackageDescription
      let package = Package(
        name: "Kit",
        targets: [.target(name: "Kit"), .testTarget(name: "KitTests", dependencies: ["Kit"])])
      """
    var files = ["Package.swift": manifest, "Tests/KitTests/Empty.swift": "import XCTest"]
    for (name, text) in sources { files["Sources/Kit/\(name)"] = text }
    for (name, text) in tests {
      files["Tests/KitTests/\(name)"] = "@testable import Kit\nimport XCTest\n" + text
    }
    try ProjectFolder.with(files) { folder in
      try check(Porting(folder.url, Porting.Options(openCoreData: "/opencoredata")), folder)
    }
  }

  /// What copies do without, by files; nil for a file that is left out.
  private func without(
    _ sources: [String: String], tests: [String: String] = [:]
  ) throws -> [String: [String]] {
    var all: [String: [String]] = [:]
    try port(sources, tests: tests) { porting, _ in
      for facts in porting.judgements.flatMap(\.kept)
      where facts.file.lastPathComponent != "Empty.swift" {
        all[facts.file.lastPathComponent] = facts.pathsLeftOut
      }
    }
    return all
  }

  private let book = "import CoreData\nimport UIKit\nclass Book: NSManagedObject {}\n"

  @Test(arguments: [
    (
      "extension Book { func coverImage() -> UIImageView? { nil }\nvar pages: Int { 1 } }",
      ["Book.coverImage"]
    ),
    (
      "extension Book { var coverColor: UIColor { .red }\nvar pages: Int { 1 } }",
      ["Book.coverColor"]
    ),
    ("extension Book { static let coverColor = UIColor.red }", ["Book.coverColor"]),
    ("extension Book { class func coverImage(_ x: UIImageView) {} }", ["Book.coverImage"]),
    (
      "extension UIColor { convenience init(of: Int) { self.init() }; static let book = 1 }",
      ["extension UIColor"]
    ),
    ("extension Book: UITableViewDelegate { func tableDidTap() {} }", ["extension Book"]),
    ("struct Badge { let image: UIImageView }", ["Badge"]),
    ("final class Badge: UIView { @objc func tapTwice() {} }", ["Badge"]),
    ("enum Style { struct Badge { let image: UIImageView }\n case plain }", ["Style.Badge"]),
    // In types of types, however deep.
    (
      "struct Style { enum Kind { case a\n var shadeColor: UIColor { .red }\n var size: Int { 1 } }\n let kind = Kind.a }",
      ["Style.Kind.shadeColor"]
    ),
    (
      "extension Book { enum Kind: String { case a\n func shadeColor() -> UIColor { .red } } }",
      ["Book.Kind.shadeColor"]
    ),
    (
      "enum A { enum B { enum C { static let shadeColor = UIColor.red\n case c } }\n case a }",
      ["A.B.C.shadeColor"]
    ),
    (
      "enum Style { enum Kind { case image(UIImageView), none\n func say() {} }\n case plain }",
      ["Style.Kind"]
    ),
    (
      "enum A { class B { enum C { var shadeColor: UIColor { .red }\n case c }\n var color: UIColor = .red }\n case a }",
      ["A.B.C.shadeColor", "A.B.color"]
    ),
    (
      "struct Style { enum Kind { case a\n var shadeColor: UIColor { .red } }\n var otherColor: Int { Kind.a.shadeColor.x }\n let size = 1 }",
      ["Style.Kind.shadeColor", "Style.otherColor"]
    ),
    ("let bookColor = UIColor.red", ["bookColor"]),
    ("func bookColor() -> UIColor { .red }", ["bookColor"]),
    ("typealias BookColor = UIColor", ["BookColor"]),
    (
      "extension Book {\n  /// A cover.\n  @MainActor\n  public static func coverImage(_ x: UIImageView) {} }",
      ["Book.coverImage"]
    ),
    // What a protocol asks for, with those who give it and who call it.
    ("protocol Covered { func coverImage() -> UIImageView }", ["Covered.coverImage"]),
    ("protocol Covered { var coverImage: UIImageView? { get set } }", ["Covered.coverImage"]),
    (
      "protocol Covered: AnyObject { static func paint(_ image: UIImageView) async throws -> Int; var size: Int { get } }",
      ["Covered.paint"]
    ),
    (
      "protocol Covered { func coverImage() -> UIImageView; func say() }\nstruct A { func say() {} }\nlet a = A().say()",
      ["Covered.coverImage"]
    ),
    (
      "protocol Covered { func coverImage() -> UIImageView; func say() }\nstruct A: Covered { func say() {}\nfunc coverImage() -> UIImageView { .a } }",
      ["Covered.coverImage", "A.coverImage"]
    ),
    (
      "protocol Covered { func coverImage(_ x: UIImageView); func say() }\nfunc sayAll(_ a: Covered) { a.say()\na.coverImage(.a) }",
      ["Covered.coverImage", "in sayAll: coverImage"]
    ),
    // Nothing can ask for it by a protocol: where it is meant, the compiler says so.
    (
      "extension Book { var cover: UIColor { .red } }\nclass Shelf { let cover = 1 }\nlet b = Shelf().cover",
      ["Book.cover"]
    ),
    ("enum Tab { case a\nvar icon: UIImageView { .a } }\nlet b = c.icon", ["Tab.icon"]),
    ("enum Cover { case image(UIImageView), none }", ["Cover"]),
    (
      "struct Cover { let image: UIImageView }\nlet theCover = Cover(image: 1)",
      ["Cover", "theCover"]
    ),
    // What names it goes too, in this file and in others.
    (
      "extension Book { var coverColor: UIColor { .red }\nvar colorName: String { coverColor.name } }",
      ["Book.coverColor", "Book.colorName"]
    ),
    // What a class holds for itself.
    ("class A { var image = UIImageView()\nvar size = 1 }", ["A.image"]),
    ("class A { var image: UIImageView?\nvar size = 1 }", ["A.image"]),
    ("class A { var size = 1\nprivate weak var image: UIImageView! }", ["A.image"]),
    ("actor A { var image: UIImageView?\nvar size = 1 }", ["A.image"]),
    (
      "class A: ObservableObject { @Published private(set) var color: UIColor = .red\nvar size = 1 }",
      ["A.color"]
    ),
    (
      "class A { var theColor: UIColor?\nvar size: Int\ninit() { size = 1\nself.theColor = .red\n} }",
      ["A.theColor", "in A.init: theColor"]
    ),
    // An initialiser that is handed what is missing, where the type can be made without it.
    ("extension Book { convenience init(image: UIImageView) {} }", ["Book.init(image:)"]),
    (
      "class A { var size = 1\ninit(_ image: UIImageView, of map: [Int: Int] = [1: 2, 3: 4], by f: Dictionary<Int, Int>) {} }",
      ["A.init(_:of:by:)"]
    ),
    (
      "struct A { let size: Int\ninit(size: Int) { self.size = size }\ninit(image: UIImageView?, then: (Int) -> Int) { size = 1 } }",
      ["A.init(image:then:)"]
    ),
    // One of two that copies cannot tell apart.
    (
      "extension Book { func coverImage() -> UIImageView? { nil }\nfunc coverImage(_ x: Int) {} }",
      ["Book.coverImage", "Book.coverImage"]
    ),
    // Braces and names where they do not count.
    (
      "extension Book { var text: String { \"UIImageView \\(\"{\")\" }\nvar coverColor: UIColor { .red } }",
      ["Book.coverColor"]
    ),
    (
      "extension Book { var size: Int { [1].map { $0 + 1 }.count }\nvar coverColor: UIColor { .red } }",
      ["Book.coverColor"]
    ),
  ]) func isLeftOut(_ text: String, names: [String]) throws {
    #expect(try without(["Book.swift": book + text]) == ["Book.swift": names])
  }

  /// Where nothing can be left out by itself, the file goes.
  @Test(arguments: [
    // Stored, overriding, required, found by a name in a text.
    "class A: Codable { var image = UIImageView() }", "@Model class A { var image: UIImageView? }",
    "class A { let image: UIImageView\ninit(image: UIImageView) { self.image = image } }",
    "extension Book { @objc func coverImage() -> UIImageView? { nil } }",
    "extension Book { @NSManaged var cover: UIImageView? }",
    "extension Shelf { var coverColor: UIColor { .red } }\n@objcMembers class Shelf: NSObject {}",
    "class A { var size: Int\ninit(image: UIImageView) { size = 1 } }",
    "class A { var size = 1\nrequired init(image: UIImageView) {} }",
    "class A { var size = 1\ninit(image: UIImageView) {}\ninit(image: Int) {} }",
    "extension Book { subscript(image: UIImageView) -> Int { 1 } }",
    "extension Book { static func == (a: Book, b: UIImageView) -> Bool { true } }",
    "class Novel: Book { var coverColor: UIColor { .red }\n@NSManaged var cover: UIImageView? }",
    // What a protocol of a framework may ask for.
    "extension Book: Planned { static var stages: [UIColor] { [] }\nvar pages: Int { 1 } }",
    "extension Book { static var versionIdentifier: UIColor { 1 }\nvar pages: Int { 1 } }",
    // Whether this is the same cover is not known, and the compiler would not say.
    "extension Book: Planned { var firstCover: UIColor { .red } }\nclass Shelf { let firstCover = 1 }",
    // A requirement, as far as names tell.
    "extension Book: Covered { func coverImage() -> UIImageView { 1 } }\nprotocol Covered { func coverImage() }",
    "@objc protocol Covered { func coverImage() -> UIImageView }",
    "let (a, b) = (UIColor.red, 1)", "let a = UIColor.red, b = 1",
  ]) func goesAsAWhole(_ text: String) throws {
    #expect(
      try without(["Book.swift": book + text, "Other.swift": "let other = 1"]) == [
        "Other.swift": []
      ])
  }

  /// A member that no protocol of Swift's can ask for goes by itself, whatever the type conforms to.
  @Test(
    arguments: [
      ": String, Codable", ": Int", ": Codable", ": Hashable, Sendable", ": Identifiable",
      ": String, CaseIterable, Identifiable, Comparable", ": Error, LocalizedError",
      ": Swift.Hashable, Foundation.LocalizedError", ": @unchecked Sendable",
    ],
    ["var shade: Color { .red }", "static let shade = Color.red", "func paint() -> Color { .red }"])
  func aConformanceToSwiftsProtocolsKeepsNothing(_ clause: String, _ member: String) throws {
    let name = member.contains("paint") ? "paint" : "shade"
    for kind in ["enum", "struct"] {
      let text =
        "import SwiftUI\nimport CoreData\n\(kind) Tint\(clause) {\nstatic let plain = 1\n\(member)\n}"
      #expect(try without(["Tint.swift": text]) == ["Tint.swift": ["Tint.\(name)"]], "\(text)")
    }
    let book =
      "import SwiftData\nimport SwiftUI\n@Model final class Book { var pages = 1\ninit() {}\n\(member) }"
    #expect(try without(["Book.swift": book]) == ["Book.swift": ["Book.\(name)"]])
  }

  @Test(arguments: [": View", ": String, Paintable", ": Collection", ": Codable, Kit.Paintable"])
  func anotherProtocolMayAskForIt(_ clause: String) throws {
    let text =
      "import CoreData\nimport SwiftUI\nenum Tint\(clause) { static let plain = 1\nvar shade: Color { .red }\n}"
    let found = try without(["Tint.swift": text, "Other.swift": "let other = 1"])
    #expect(found["Tint.swift"] != ["Tint.shade"])
  }

  /// Members of a view have names that other things have too: with the view, nobody means them.
  @Test func membersOfATypeThatGoesKeepNothing() throws {
    let found = try without([
      "Bar.swift": """
      import SwiftUI
      enum Tab: String { case home, tags; var title: String { rawValue } }
      struct Bar: View { var selection: Tab; func select(_ tab: Tab) {}; var body: some View { Text("") } }
      """,
      "Router.swift":
        "import CoreData\nstruct Router { var selection: Tab; func select(_ tab: Tab) {} }",
    ])
    #expect(found == ["Bar.swift": ["Bar"], "Router.swift": []])
  }

  /// What another file's declaration of the name may be asked for costs that file, and not this one.
  @Test(arguments: [
    ("struct Border: ViewModifier { let color: Color }\nlet width = 1", ["Border"]),
    ("enum Shade: Paintable { static let plain = 1\nvar color: Color { .red } }", nil),
    ("enum Shade: String { case dark\nvar color: Color { .red } }", ["Shade.color"]),
  ])
  func aNameOfSeveralFilesIsJudgedInEach(_ other: String, _ names: [String]?) throws {
    let found = try without([
      "Tag.swift":
        "import SwiftData\nimport SwiftUI\n@Model final class Tag { var name = \"\"\ninit() {}\nvar color: Color { .red } }",
      "Other.swift": "import SwiftUI\n" + other,
      "Export.swift": "import CoreData\nstruct Export { var color: String { \"red\" } }",
      "Use.swift": "func use(_ export: Export) -> String { export.color }",
    ])
    #expect(found["Tag.swift"] == ["Tag.color"])
    #expect(found["Other.swift"] == names)
    #expect(found["Export.swift"] == [] && found["Use.swift"] == [])
  }

  /// A name in backticks, or after a dot, is no keyword.
  @Test func aCaseNamedImportImportsNothing() throws {
    let text = """
      import CoreData
      enum Kind { case setup
      case `import`
      case export }
      func text(_ kind: Kind) -> Int { switch kind { case .import where true: 1
      default: 2 } }
      """
    #expect(try without(["Kind.swift": text]) == ["Kind.swift": []])
  }

  @Test func anImportOfWhichNothingIsUsedGoes() throws {
    let found = try without([
      "Book.swift":
        "import AppIntents\nimport CoreData\nstruct Book: Codable { var pages: [Int: String]; let date: Date }",
      "Open.swift": "import AppIntents\nstruct Open: AppIntent { let book: Book }",
      "Shelf.swift":
        "import CloudKit\nimport Foundation\nfinal class Shelf<T> { var books: [Book] = [] }",
      "Packed.swift": "import zlib\nfunc pack() { deflate() }",
      // Macros that add to a type, which copies do without.
      "Words.swift": """
      import FoundationModels
      @Generable struct Words { @Guide(description: "All") var all: [String] }
      """,
      "Answer.swift": "import FoundationModels\nstruct Answer: Generable {}",
    ])
    #expect(
      found == [
        "Book.swift": ["import AppIntents"], "Shelf.swift": ["import CloudKit"],
        "Words.swift": ["import FoundationModels"],
      ])
  }

  /// Names of C's tell by how they begin.
  @Test(arguments: [
    ("CommonCrypto", ["CC_SHA256(a, b, c)", "kCCSuccess", "CCCrypt()"]),
    ("Network", ["NWPathMonitor()", "nw_path_status_valid", "IPv4Address(\"1\")"]),
    ("SystemConfiguration", ["SCNetworkReachability.self", "kSCNetworkFlags"]),
    ("SQLite3", ["sqlite3_open(a)", "SQLITE_OK"]),
    ("XPC", ["xpc_connection_create()", "XPCSession()"]),
    ("Compression", ["compression_encode_buffer()", "COMPRESSION_ZLIB"]),
    ("zlib", ["1"]), ("simd", ["1"]), ("Accelerate", ["1"]),
  ]) func anImportOfNamesOfCGoesWhereNoneIsUsed(_ module: String, _ uses: [String]) throws {
    let head = "import CoreData\nimport \(module)\n"
    let unused = head + "struct Section { let secret: Schedule; let xpcs = 1 }; func secure() {}"
    let isKnown = uses != ["1"]
    #expect(
      try without(["A.swift": unused, "Other.swift": "struct Schedule {}"])["A.swift"]
        == (isKnown ? ["import \(module)"] : nil))
    for use in uses {
      let found = try without([
        "A.swift": head + "let a = \(use)", "Other.swift": "let other = 1",
      ])
      #expect(found["A.swift"] == nil, "\(use)")
    }
  }

  /// What a view model says is a value, and needs no view.
  @Test func aKeyOfATextNeedsNoInterface() throws {
    let text =
      "import CoreData\nimport SwiftUI\nfinal class Shelf { var title: LocalizedStringKey { \"shelf\" } }"
    #expect(try without(["Shelf.swift": text]) == ["Shelf.swift": []])
  }

  /// A keychain's passwords are there, what else Security has is not.
  @Test func typesOfFilesAreThere() throws {
    let head = "import CoreData\nimport UniformTypeIdentifiers\nstruct Files {\nlet count = 1\n"
    let found = try without([
      "A.swift": head
        + "static let kind = UTType.json\nfunc find(_ a: String) -> UTType? { UTType(a) } }",
      "B.swift": head + "func findAll(_ a: UTTagClass) {} }",
    ])
    let unused = "import UniformTypeIdentifiers"
    #expect(found == ["A.swift": [unused], "B.swift": ["Files.findAll", unused]])
  }

  @Test func securityIsThereAsFarAsItsStandInGoes() throws {
    let sources = [
      "Keychain.swift":
        "import CoreData\nimport Security\nstruct Keychain { func read(_ q: [String: Any]) -> OSStatus { var r: CFTypeRef?; return SecItemCopyMatching(q as CFDictionary, &r) } }",
      "Plain.swift":
        "import Foundation\nfunc remove(_ q: [CFString: Any]) -> Bool { SecItemDelete(q as CFDictionary) == errSecSuccess }",
      "Trust.swift":
        "import Security\nstruct Pins { let count = 1\n func check(_ trust: SecTrust) -> Bool { false } }",
      "Key.swift": "import Security\nstruct Signer { let key: SecKey\n let section: Section }",
      "Section.swift": "struct Section {}", "Status.swift": "func status() -> OSStatus { 0 }",
      "Unused.swift": "import Security\nstruct Unused {}",
    ]
    #expect(
      try without(sources) == [
        "Keychain.swift": [], "Plain.swift": [], "Trust.swift": ["Pins.check"],
        "Section.swift": [], "Status.swift": [], "Unused.swift": [],
      ])
    try port(sources) { porting, _ in
      let kit = try #require(porting.judgements.first { $0.target.module == "Kit" })
      #expect(kit.imports.contains("Security"))
    }
  }

  /// The names that the porter knows are those of the module.
  @Test func theWordsOfSecurityAreThoseOfItsStandIn() throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Sources/Porting/SecurityShim").standardizedFileURL
    var names: Set<String> = []
    for file in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
      for match in text.matches(
        of: /^public (?:let|func|typealias|struct) (\w+)/.anchorsMatchLineEndings())
      {
        names.insert(String(match.1))
      }
    }
    #expect(names == SecurityWords.here)
  }

  @Test func usersInOtherFilesGoToo() throws {
    let sources = [
      "Book.swift": book + "extension Book { var coverColor: UIColor { .red } }",
      "Shelf.swift": "struct Shelf { func paintAll(_ b: Book) { b.coverColor }\nlet size = 1 }",
      "Room.swift": "struct Room { let shelf: Shelf; init() { shelf.paintAll(x) } }",
      "House.swift": "struct House { let size = 1; func show() { Room() } }",
    ]
    #expect(
      try without(sources)
        == [
          "Book.swift": ["Book.coverColor"], "Shelf.swift": ["Shelf.paintAll"],
          "Room.swift": ["in Room.init: paintAll"], "House.swift": [],
        ])
  }

  @Test func testsOfWhatIsLeftOutGoByThemselves() throws {
    let found = try without(
      ["Book.swift": book + "extension Book { var coverColor: UIColor { .red } }"],
      tests: [
        "BookTests.swift":
          "final class BookTests: XCTestCase { func testColor() { Book().coverColor }\nfunc testPages() {} }"
      ])
    #expect(
      found == ["Book.swift": ["Book.coverColor"], "BookTests.swift": ["BookTests.testColor"]])
  }

  @Test func anAmbiguousNameInTestsIsLeftToTheCompiler() throws {
    let found = try without(
      [
        "Book.swift": book + "extension Book { var cover: UIColor { .red } }",
        "Other.swift": "let other = 1",
      ],
      tests: [
        "BookTests.swift": "final class BookTests: XCTestCase { func testCover() { Book().cover } }"
      ])
    #expect(
      found == ["Book.swift": ["Book.cover"], "Other.swift": [], "BookTests.swift": []])
  }

  @Test func aFileOfNothingElseIsLeftOut() throws {
    let found = try without([
      "Book.swift": book,
      "Badge.swift": "import UIKit\nfinal class Badge: UIView {}\nextension Badge {}",
    ])
    #expect(found == ["Book.swift": []])
  }

  @Test func thePackageAndTheReportSaySo() throws {
    let text = book + "extension Book {\n  var coverColor: UIColor { .red }\n}\n"
    try port(["Book.swift": text]) { porting, folder in
      _ = try porting.write()
      let configuration = try folder.text("Linux/Sources/Kit/ported.json")
      #expect(
        configuration.contains(
          """
            "without" : {
              "Book.swift" : [
                "Book.coverColor"
              ]
            }
          """))
      let report = porting.report.description
      #expect(
        report.contains(
          "Sources/Kit/Book.swift:5: Book.coverColor is left out, which uses UIColor of UIKit\n"))
      #expect(report.contains("  1 declarations are left out of 1 of them"))
      #expect(!porting.report.leavesCoreDataOut)
    }
  }
}
