import Foundation
import Testing

@testable import ProjectPorter

/// Names are told apart by the types around them.
@Suite struct ScopeTests {
  private func facts(_ text: String) -> SourceFacts {
    SourceFacts(URL(fileURLWithPath: "/A.swift"), text: Array(text.utf8))
  }

  @Test(arguments: [
    ("struct A { enum B { struct C {} } }", ["A.B", "A.B.C"]),
    ("extension A.B { struct C { typealias D = Int } }", ["A.B.C", "A.B.C.D"]),
    ("extension A.B: P where C == D.E { class F {}\nclass func g() {} }", ["A.B.F"]),
    ("extension A<Int>.B { struct C {} }", ["A.C"]),
    ("func f() { struct L { struct M {} } }", ["L.M"]),
    ("struct A { func f() { if x { } }\nstruct B {} }\nstruct C {}", ["A.B"]),
    ("protocol P: class { associatedtype T }\nactor A { enum B { case c } }", ["A.B"]),
  ]) func typesHavePaths(text: String, paths: [String]) {
    #expect(facts(text).paths.sorted() == paths)
  }

  @Test(arguments: [
    ("let a: B.C.D = .init()", [":B.C", ":B.C.D"]),
    ("extension A.B { var c: D.E { F() } }", [":A.B", "A.B:D", "A.B:D.E", "A.B:F"]),
    ("let a = B.shared.C, d = e.F, g: H", []),
    ("struct A { struct B { let c: D } }", ["A.B:D"]),
    ("struct A {}\nlet b: C = .D", []),
  ]) func namesHaveScopes(text: String, references: [String]) {
    #expect(facts(text).references.keys.sorted() == references)
  }

  @Test func whatAReferenceCouldMean() {
    #expect(ScopeReader.meanings(of: "A.B:C") == ["A.B.C", "A.C"])
    #expect(ScopeReader.meanings(of: "A.B:C.D") == ["A.B.C.D", "A.C.D", "C.D"])
    #expect(ScopeReader.meanings(of: ":C.D") == ["C.D"])
  }

  @Test func subscriptsHaveLabels() {
    let declared = facts(
      """
      extension Array {
        subscript(safe index: Int) -> Element? { nil }
        subscript(index: Int, or other: Element) -> Element { other }
        subscript(_ a: String) -> Int { 1 }
      }
      """)
    #expect(declared.names.filter { $0.hasPrefix("[") } == ["[safe:]"])
    let used = facts(
      """
      let a = b[safe: 1], c = d()[first: 2], e = f[0][second: 1], g = h?[third: 1], i = j![fourth: 1]
      let k = [fifth: 1], l = m(of: [sixth: 1]), n: [String: Int] = [seventh: 1]
      func o() { return [eighth: 1] }
      let p = q as? [ninth: R], s = try [tenth: 1]
      """)
    #expect(
      used.memberMentions.keys.filter { $0.hasPrefix("[") }.sorted() == [
        "[first:]", "[fourth:]", "[safe:]", "[second:]", "[third:]",
      ])
  }

  /// Which of some files, and of their declarations, are built.
  private func built(_ sources: [String: String]) throws -> [String: [String]] {
    let manifest = """
      // swift-tools-version: 5.9
      import PackageDescription
      let package = Package(name: "Kit", targets: [.target(name: "Kit")])
      """
    var files = ["Package.swift": manifest, "Sources/Kit/Store.swift": "import CoreData"]
    for (name, text) in sources { files["Sources/Kit/\(name).swift"] = text }
    var all: [String: [String]] = [:]
    try ProjectFolder.with(files) { folder in
      let porting = try Porting(folder.url, Porting.Options(openCoreData: "/opencoredata"))
      for facts in porting.judgements.flatMap(\.kept) {
        let name = facts.file.deletingPathExtension().lastPathComponent
        if name != "Store" { all[name] = facts.pathsLeftOut }
      }
    }
    return all
  }

  /// `API.Status` needs a screen, and `Status` does not.
  private let sources = [
    "API": "enum API {}",
    "Status": "struct Status {}",
    "APIStatus": "import UIKit\nextension API { struct Status { let color: UIColor } }",
  ]

  @Test(arguments: [
    ("struct Use { let status: Status }", [] as [String]?),
    ("struct Use { let status: API.Status }", nil),
    ("struct Use { let status: Kit.API.Status; let b = 1 }", nil),
    ("extension API { struct Use { let status: Status } }", nil),
    ("extension API { struct Other {}\nstruct Use { let status: Status } }", ["API.Use"]),
    ("extension API { func showStatus(_ s: Status) {}\nfunc b() {} }", ["API.showStatus"]),
    ("extension API.Status { func b() {} }\nlet a = 1", ["extension API.Status"]),
    ("extension API { struct List { func all() -> [Status] { [] } } }", nil),
    ("enum Other { struct Status {}\nstruct Use { let status: Status } }", []),
  ]) func typesOfOneNameInDifferentTypes(text: String, rest: [String]?) throws {
    let found = try built(sources.merging(["Use": text]) { $1 })
    #expect(found["Use"] == rest)
    #expect(found["API"] == [] && found["Status"] == [] && found["APIStatus"] == nil)
  }

  @Test func subscriptsOfFilesThatAreLeftOut() throws {
    let found = try built([
      "Safe": "import UIKit\nextension Array { subscript(safe i: UIColor) -> Int { 1 } }",
      "Use": "func first(_ a: [Int]) -> Int { a[safe: 0] }\nlet other = [safe: 1]",
      "Words": "let words = [safe: 1]",
    ])
    #expect(found == ["Use": ["in first: [safe:]"], "Words": []])
    let kept = try built([
      "Safe": "extension Array { subscript(safe i: Int) -> Int { 1 } }",
      "Use": "func theFirst(_ a: [Int]) -> Int { a[safe: 0] }",
    ])
    #expect(kept == ["Safe": [], "Use": []])
  }

  @Test func oneOfTwoExtensionsOfTypesInOne() throws {
    let found = try built([
      "API": "enum API { enum A {}\nenum B {} }",
      "Use":
        "import UIKit\nextension API.A { func drawB(_ c: UIColor) {} }\nextension API.B { func b() {} }",
    ])
    #expect(found["Use"] == ["API.A.drawB"])
  }
}
