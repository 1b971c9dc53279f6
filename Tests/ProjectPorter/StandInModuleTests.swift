import Foundation
import Testing

@testable import PortTool
@testable import ProjectPorter

/// Sources of a user's own in the place of a module: `--with-module HealthKit=FOLDER`.
struct StandInModuleTests {
  private func withProject(_ body: (ProjectFolder) throws -> Void) throws {
    try ProjectFolder.with(
      [
        "App/Package.swift": """
        // swift-tools-version: 6.0
        import PackageDescription
        let package = Package(
          name: "App", targets: [.target(name: "App"), .testTarget(name: "AppTests", dependencies: ["App"])])
        """,
        "App/Sources/App/Item.swift": "import CoreData\nclass Item {}",
        "App/Sources/App/Steps.swift":
          "import HealthKit\nstruct Steps { let quantity: HKQuantity; let log: LogFile? = nil }",
        "App/Sources/App/Branch.swift":
          "#if canImport(HealthKit)\nimport HealthKit\nlet branch = HKQuantity()\n#endif",
        "App/Tests/AppTests/StepsTests.swift": """
        import XCTest
        @testable import App
        class StepsTests: XCTestCase { func testSteps() { _ = Steps.self; _ = branch } }
        """,
        "Health/HKQuantity.swift": "public struct HKQuantity { public init() {} }",
        "Health/Deep/More.swift": "public typealias LogFile = Int",
        "Empty/ReadMe.md": "",
      ], body)
  }

  private func porting(_ folder: ProjectFolder, _ modules: [String: String]) throws -> Porting {
    var options = Porting.Options(openCoreData: "/opencoredata")
    options.modules = modules.mapValues { folder[$0] }
    return try Porting(folder["App"], options)
  }

  @Test func whatItDeclaresIsThere() throws {
    try withProject { folder in
      let without = try porting(folder, [:])
      #expect(without.report.targets.map(\.built) == [2, 0])
      #expect(
        without.report.description.contains(
          "  2 files and 1 tests with --with-module HealthKit=FOLDER"))
      let porting = try porting(folder, ["HealthKit": "Health"])
      #expect(porting.report.targets.map(\.name) == ["App", "AppTests", "HealthKit"])
      #expect(porting.report.targets.map(\.built) == [3, 1, 2])
      #expect(!porting.report.description.contains("left out"))
      _ = try porting.write()
      let list = try folder.text("App/Linux/Sources/HealthKit/ported.json")
      #expect(list.contains("../../../../Health/HKQuantity.swift"))
      #expect(
        try folder.text("App/Linux/Sources/App/ported.json").contains("canImport(HealthKit)"))
      let description = try PackageDescription(folder["App/Linux"])
      let app = try #require(description.targets.first { $0.name == "App" })
      #expect(app.uses.contains("HealthKit"))
    }
  }

  /// What cannot stand in: a folder without sources, a module that is here, a target's name.
  @Test(arguments: [
    ("HealthKit", "Empty", "expected the name of a module and a folder with its Swift sources"),
    ("Health Kit", "Health", "expected the name of a module"),
    ("Combine", "Health", "a port has this module"), ("UIKit", "Health", "Foundation in its place"),
    ("App", "Health", "the project has a target of this name"),
  ]) func whatCannotStandIn(module: String, path: String, text: String) throws {
    try withProject { folder in
      let error = #expect(throws: PortError.self) { try porting(folder, [module: path]) }
      #expect(error?.description.contains(text) == true)
    }
  }

  @Test func theCommandTakesSeveral() throws {
    let arguments = try Arguments([
      "App", "--with-module", "HealthKit=Health", "--with-module", "Log=a=b", "--report", "all.txt",
      "--opencoredata", "/opencoredata",
    ])
    #expect(
      arguments.options.modules.mapValues(\.lastPathComponent) == [
        "HealthKit": "Health", "Log": "a=b",
      ])
    #expect(arguments.report?.lastPathComponent == "all.txt")
    let error = #expect(throws: PortError.self) { try Arguments(["App", "--with-module", "Log"]) }
    #expect(error?.description.contains("expected NAME=FOLDER") == true)
  }
}
