import Foundation
import Testing

@testable import ProjectPorter

/// Sources that somebody writes into the package for what is no Swift or is not on Linux.
struct OwnSourcesTests {
  private func withPackage(_ body: (ProjectFolder) throws -> Void) throws {
    try ProjectFolder.with(
      [
        "Package.swift": """
        // swift-tools-version: 5.9
        import PackageDescription
        let package = Package(
          name: "Kit", targets: [.target(name: "Kit"), .testTarget(name: "KitTests", dependencies: ["Kit"])])
        """,
        "Sources/Kit/Mapper.h":
          "@interface Mapper : NSObject\n@end\n@interface NSString (Kit)\n- (NSString *)kit_snakeCase;\n@end",
        "Sources/Kit/Mapper.m": "", "Sources/Kit/Dates.m": "",
        "Sources/Kit/Use.swift": "import CoreData\nlet mapper = Mapper()",
        "Sources/Kit/Name.swift": "import CoreData\nlet name = \"A\".kit_snakeCase()",
        "Sources/Kit/Net.swift": "import CoreData\nimport Network\nclass Net { let path: NWPath }",
        "Tests/KitTests/NetTests.swift": "import XCTest\n@testable import Kit\nlet net = Net()",
      ], body)
  }

  private func porting(_ folder: ProjectFolder) throws -> Porting {
    try Porting(folder.url, .init(openCoreData: "/opencoredata"))
  }

  private func built(_ porting: Porting) -> [Int] { porting.report.targets.map(\.built) }

  @Test func whatTheyDeclareIsThere() throws {
    try withPackage { folder in
      #expect(built(try porting(folder)) == [0, 0])
      try folder.write(
        "class Mapper {}\nextension String { func kit_snakeCase() -> String { self } }",
        to: "Linux/Sources/Kit/Deep/Mine.swift")
      let porting = try porting(folder)
      #expect(built(porting) == [2, 0])
      #expect(!porting.report.description.contains("replaced"))
    }
  }

  @Test func theyTakeThePlaceOfOriginalsOfTheirName() throws {
    try withPackage { folder in
      try folder.write("class Net {}", to: "Linux/Sources/Kit/Net.swift")
      try folder.write("import os\nclass Mapper {}", to: "Linux/Sources/Kit/Mapper.swift")
      let first = try porting(folder)
      #expect(built(first) == [1, 1])
      #expect(
        first.report.description.contains(
          "Kit: 1 of 5 files are built, 2 replaced by the package's own"))
      #expect(first.report.description.contains("Sources/Kit/Dates.m: is no Swift"))
      #expect(!first.report.description.contains("Sources/Kit/Mapper.m: is no Swift"))
      _ = try first.write()
      let configuration = try folder.text("Linux/Sources/Kit/ported.json")
      #expect(configuration.contains("Use.swift") && !configuration.contains("Net.swift"))
      #expect(try folder.text("Linux/Package.swift").contains("os=OSShim"))
      // What the command has written is none of somebody else's.
      #expect(built(try porting(folder)) == [1, 1])
      #expect(try porting(folder).outdated() == [])
      #expect(try folder.text("Linux/Sources/Kit/Net.swift") == "class Net {}")
    }
  }
}
