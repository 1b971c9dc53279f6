import Foundation
import Testing

@testable import ProjectPorter

/// What the report advises.
struct ReportTests {
  private func report(_ files: [String: String], conditions: [String] = []) throws -> String {
    try wholeReport(files, conditions: conditions).description
  }

  private func wholeReport(
    _ files: [String: String], tests: [String: String] = [:], conditions: [String] = []
  ) throws -> PortReport {
    var report: PortReport?
    let manifest = """
      // swift-tools-version: 5.9
      import PackageDescription
      let package = Package(
        name: "Kit", targets: [.target(name: "Kit")\(tests.isEmpty ? "" : ", .testTarget(name: \"KitTests\")")])
      """
    let sources = Dictionary(
      uniqueKeysWithValues: files.map { ("Sources/Kit/\($0.key)", $0.value) }
        + tests.map { ("Tests/KitTests/\($0.key)", $0.value) })
    try ProjectFolder.with(sources.merging(["Package.swift": manifest]) { $1 }) { folder in
      var options = Porting.Options(openCoreData: "/opencoredata")
      options.conditions = conditions
      report = try Porting(folder.url, options).report
    }
    return try #require(report)
  }

  private func tests(_ names: String..., using word: String) -> String {
    "import XCTest\n@testable import Kit\nclass \(word)Tests: XCTestCase {\n  static func testData() {}\n"
      + names.map { "  func test\($0)() { _ = \(word)() }\n" }.joined() + "}"
  }

  @Test func testsAreCounted() throws {
    let files = [
      "Item.swift": "import CoreData\nclass Item {}",
      "Screen.swift": "import UIKit\nclass Screen: UIView {}",
    ]
    let report = try wholeReport(
      files,
      tests: [
        "A.swift": tests("A", "B", using: "Item"), "B.swift": tests("C", using: "Screen"),
        "C.swift":
          "import Testing\n@Test func one() {}\nstruct More { @Test(arguments: [1]) func two(_ a: Int) {} }",
      ])
    #expect(report.tests == (4, 5) && report.emptiness == nil)
    #expect(report.description.hasSuffix("4 of 5 tests are in what is built"))
  }

  /// What a source of the package's own would win is computed: files that need something else, too,
  /// are not among it.
  @Test func whatAnOwnSourceWouldWin() throws {
    var files = [
      "Item.swift": "import CoreData\nclass Item {}",
      "Log.swift": "import Lumberjack\nclass Log { let file: LogFile }",
      "Both.swift": "import CloudKit\nclass Both { let log: Log; let record: CKRecord }",
    ]
    for index in 0..<4 { files["Use\(index).swift"] = "class Use\(index) { let log: Log? = nil }" }
    let report = try wholeReport(files, tests: ["A.swift": tests("A", "B", using: "Use1")])
    #expect(
      report.description.contains("  4 files and 2 tests for Sources/Kit/Log.swift, which uses"))
  }

  @Test func aPortOfNothingSaysSo() throws {
    let item = ["Item.swift": "import CoreData\nclass Item {}"]
    let lost = try wholeReport(
      item.merging(["Screen.swift": "import UIKit\nclass Screen: UIView {}"]) { $1 },
      tests: ["B.swift": tests("C", using: "Screen")])
    #expect(lost.emptiness == "Nothing would be tested: all 1 tests are left out.")
    #expect(try wholeReport(item).emptiness == nil)
    let drawn = [
      "Item.swift": "import CoreData\nimport UIKit\nclass Item: UIView {}",
      "Rest.swift": "let a = 1",
    ]
    #expect(try wholeReport(drawn).emptiness?.hasPrefix("Nothing of Core Data") == true)
  }

  @Test func theFilesThatTakeMostOthersWithThem() throws {
    var files = ["Log.swift": "import Lumberjack\nstruct LogInfo { let file: LogFile }"]
    files["Store.swift"] = "import CoreData\nclass Store { let info: LogInfo }"
    for index in 0..<4 { files["Use\(index).swift"] = "let store\(index) = Store()" }
    files["Net.swift"] = "import Network\nclass Net {}"
    files["NetUse.swift"] = "let net = Net()"
    let report = try report(files)
    #expect(
      report.contains(
        """
        What most others are left out for; a source of its name in the package takes its place, and then so many more are built:
          5 files for Sources/Kit/Log.swift, which uses LogFile of Lumberjack, which is in no target and no package of the project: CocoaPods', Carthage's or a binary; write Linux/Sources/Kit/Log.swift
        """))
    #expect(!report.contains("for Sources/Kit/Net.swift"))
  }

  @Test func platformsThatHaveCodeWhereLinuxHasNone() throws {
    let files = [
      "A.swift": "import CoreData\nlet own = 1\n#if os(iOS) || os(tvOS)\nlet a: UIColor\n#endif",
      "B.swift":
        "let other = 1\n#if os(iOS) // phones\nlet b: UIColor\n#elseif os(macOS)\nlet b: UIView\n#endif",
      "C.swift": "#if os(macOS)\nlet c = 1\n#else\nlet c = 2\n#endif",
      "D.swift": "#if DEBUG && os(watchOS)\nlet d = 1\n#endif",
      "E.swift": "#if RELEASE\n#if os(visionOS)\nlet e = 1\n#endif\n#endif",
    ]
    let advice = { (count: Int, platform: String) in
      "\(count) of the files that are built have code for \(platform) and none for Linux; --condition 'os(\(platform))' takes it"
    }
    let none = try report(files)
    #expect(
      none.contains(
        [advice(2, "iOS"), advice(1, "macOS"), advice(1, "tvOS")].joined(separator: "\n")))
    #expect(!none.contains("watchOS") && !none.contains("visionOS"))
    let phone = try report(files, conditions: ["os(iOS)"])
    #expect(!phone.contains("and none for Linux"))
  }

  @Test func namesThatBeginLikeThoseOfFrameworksAreTheProjectsOwn() throws {
    let report = try report([
      "A.swift":
        "import CoreData\nimport UIKit\nenum Key { case CAGEMaxHours }\nlet k = IBSBest.CAFETime",
      "B.swift": "import CoreData\nimport QuartzCore\nlet layer = CALayer()",
      "C.swift":
        "import CoreData\nimport CoreGraphics\nlet size = CGSize(width: CGFloat(1), height: 2)",
      "D.swift": "import CoreData\nimport CoreGraphics\nlet color = CGColor.black",
      "E.swift": "import CoreData\nimport CoreFoundation\nlet now = CFAbsoluteTimeGetCurrent()",
      "F.swift": "import CoreData\nimport CoreFoundation\nlet a: CFArray? = nil",
    ])
    #expect(report.contains("Kit: 3 of 6 files are built"))
    for file in [
      "B.swift:3: uses CALayer of QuartzCore", "D.swift:3: uses CGColor of CoreGraphics",
    ] {
      #expect(report.contains("Sources/Kit/\(file): it needs a user interface"))
    }
    #expect(
      report.contains(
        "Sources/Kit/F.swift:3: uses CFArray of CoreFoundation, a part of Apple's systems"))
  }

  /// What is left out of a large project is summed up in some forty lines; all of it is elsewhere.
  @Test func aLongReportIsSummedUpByCause() throws {
    var files = ["Item.swift": "import CoreData\nclass Item {}"]
    for index in 0..<30 {
      files["Screen\(index).swift"] = "import UIKit\nclass S\(index): UIView {}"
    }
    for index in 0..<50 {
      files["Map\(index).swift"] =
        "import CoreBluetooth\nstruct M\(index) { let place: CBThing\(index) }"
    }
    files["Use.swift"] = "import CoreData\nlet use = M0()"
    let report = try wholeReport(files)
    #expect(report.isLong)
    let summary = report.summary(whole: "elsewhere").split(separator: "\n")
    #expect(summary.count <= 40)
    #expect(summary[0] == "What is left out, by cause:")
    #expect(
      summary[1] == "  30 files: need a user interface; first Sources/Kit/Screen0.swift:2")
    #expect(summary.contains { $0.hasPrefix("  and ") && $0.hasSuffix(" more causes") })
    #expect(summary.contains("All 81 places: elsewhere"))
    #expect(summary.contains("  51 files with --with-module CoreBluetooth=FOLDER"))
    #expect(
      report.description.split(separator: "\n").count { $0.hasPrefix("Sources/Kit/") } == 81)
  }

  @Test func aShortReportIsTold() throws {
    let report = try wholeReport(["Item.swift": "import CoreData\nclass Item {}"])
    #expect(!report.isLong && report.summary(whole: "elsewhere") == report.description)
  }
}
