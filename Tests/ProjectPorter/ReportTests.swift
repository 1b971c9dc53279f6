import Foundation
import Testing

@testable import ProjectPorter

/// What the report advises.
struct ReportTests {
  private func report(_ files: [String: String], conditions: [String] = []) throws -> String {
    var text = ""
    let manifest = """
      // swift-tools-version: 5.9
      import PackageDescription
      let package = Package(name: "Kit", targets: [.target(name: "Kit")])
      """
    let sources = Dictionary(
      uniqueKeysWithValues: files.map { ("Sources/Kit/\($0.key)", $0.value) })
    try ProjectFolder.with(sources.merging(["Package.swift": manifest]) { $1 }) { folder in
      var options = Porting.Options(openCoreData: "/opencoredata")
      options.conditions = conditions
      text = try Porting(folder.url, options).report.description
    }
    return text
  }

  @Test func theFilesThatTakeMostOthersWithThem() throws {
    var files = ["Log.swift": "import Lumberjack\nstruct LogInfo {}"]
    files["Store.swift"] = "import CoreData\nclass Store { let info: LogInfo }"
    for index in 0..<4 { files["Use\(index).swift"] = "let store\(index) = Store()" }
    files["Net.swift"] = "import Network\nclass Net {}"
    files["NetUse.swift"] = "let net = Net()"
    let report = try report(files)
    #expect(
      report.contains(
        """
        What most others are left out for; a source of its name in the package takes its place:
          5 for Sources/Kit/Log.swift, which imports Lumberjack, which is in no target and no package of the project: CocoaPods', Carthage's or a binary
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
}
