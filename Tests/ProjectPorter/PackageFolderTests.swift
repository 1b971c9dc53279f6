import Foundation
import Testing

@testable import ProjectPorter

/// Packages that use Core Data themselves, with their macros.
struct PackageFolderTests {
  private func withPackages(_ body: (ProjectFolder) throws -> Void) throws {
    try ProjectFolder.with(
      [
        "App/Package.swift": """
        // swift-tools-version: 6.0
        import PackageDescription
        let package = Package(
          name: "App",
          dependencies: [.package(url: "https://example.org/Store.git", from: "1.0.0")],
          targets: [.target(name: "App", dependencies: [.product(name: "Store", package: "Store")])])
        """,
        "App/Sources/App/App.swift": "import CoreData\nimport Store\nlet shelf: Shelf? = nil",
        "checkouts/Store/Package.swift": """
        // swift-tools-version: 6.0
        import CompilerPluginSupport
        import PackageDescription
        let package = Package(
          name: "Store", products: [.library(name: "Store", targets: ["Store"])],
          dependencies: [.package(url: "https://example.org/swift-syntax", "600.0.0"..<"603.0.0")],
          targets: [
            .macro(
              name: "StoreMacros",
              dependencies: [.product(name: "SwiftSyntaxMacros", package: "swift-syntax")]),
            .target(name: "Store", dependencies: ["StoreMacros"]),
            .testTarget(name: "StoreTests", dependencies: ["Store"]),
          ])
        """,
        "checkouts/Store/Sources/StoreMacros/Deep/Kept.swift": "import SwiftSyntaxMacros",
        "checkouts/Store/Sources/Store/Store.swift": "import CoreData",
        "checkouts/Store/Tests/StoreTests/Tests.swift": "import XCTest\nimport Store",
      ], body)
  }

  private func porting(_ folder: ProjectFolder, _ packages: [String]) throws -> Porting {
    var options = Porting.Options(openCoreData: "/opencoredata")
    options.packageFolders = packages.map { folder[$0] }
    return try Porting(folder["App"], options)
  }

  @Test func aPackageIsPortedWithItsMacrosAndWithoutItsTests() throws {
    try withPackages { folder in
      #expect(
        try porting(folder, []).report.description.contains("--with-package FOLDER ports it"))
      let porting = try porting(folder, ["checkouts/Store"])
      #expect(porting.report.targets.map(\.name) == ["App", "Store"])
      #expect(porting.report.targets.map(\.built) == [1, 1])
      _ = try porting.write()
      let link = folder["App/Linux/Macros/StoreMacros"].path
      #expect(
        try FileManager.default.destinationOfSymbolicLink(atPath: link)
          == "../../../checkouts/Store/Sources/StoreMacros")
      #expect(folder["App/Linux/Macros/StoreMacros/Deep/Kept.swift"].isThere)
      let description = try PackageDescription(folder["App/Linux"])
      let targets = Dictionary(uniqueKeysWithValues: description.targets.map { ($0.name, $0) })
      #expect(
        targets.mapValues(\.type) == ["App": "regular", "Store": "regular", "StoreMacros": "macro"])
      #expect(targets["Store"]?.uses.contains("StoreMacros") == true)
      #expect(targets["StoreMacros"]?.uses == ["SwiftSyntaxMacros"])
      #expect(description.packages == ["opencoredata", "swift-syntax"])
    }
  }

  @Test func aLinkIsWrittenOnceAndGoesWithItsPackage() throws {
    try withPackages { folder in
      _ = try porting(folder, ["checkouts/Store"]).write()
      #expect(try porting(folder, ["checkouts/Store"]).write() == [])
      try FileManager.default.moveItem(at: folder["checkouts"], to: folder["moved"])
      #expect(
        try porting(folder, ["moved/Store"]).write()
          == ["Macros/StoreMacros", "Sources/Store/ported.json"])
      #expect(folder["App/Linux/Macros/StoreMacros/Deep/Kept.swift"].isThere)
      _ = try porting(folder, []).write()
      #expect(!FileManager.default.fileExists(atPath: folder["App/Linux/Macros/StoreMacros"].path))
      #expect(folder["moved/Store/Sources/StoreMacros/Deep/Kept.swift"].isThere)
    }
  }

  @Test func whatIsNoPackageIsSaidToBeNone() throws {
    try withPackages { folder in
      let error = #expect(throws: PortError.self) { try porting(folder, ["checkouts"]) }
      #expect(error?.description.contains("expected the folder of a package") == true)
    }
  }

  /// Macros run on every machine, and so do their tests, though they use no Core Data.
  @Test func testsOfMacrosComeAlong() throws {
    let manifest = """
      // swift-tools-version: 6.0
      import CompilerPluginSupport
      import PackageDescription
      let package = Package(
        name: "Store",
        dependencies: [.package(url: "https://github.com/swiftlang/swift-syntax", from: "600.0.0")],
        targets: [
          .macro(
            name: "StoreMacros",
            dependencies: [.product(name: "SwiftSyntaxMacros", package: "swift-syntax")]),
          .target(name: "Store", dependencies: ["StoreMacros"]),
          .testTarget(
            name: "StoreMacrosTests",
            dependencies: [
              "StoreMacros",
              .product(name: "SwiftSyntaxMacrosTestSupport", package: "swift-syntax"),
            ]),
        ])
      """
    let files = [
      "Package.swift": manifest, "Sources/Store/Store.swift": "import CoreData",
      "Sources/StoreMacros/Kept.swift": "import SwiftSyntaxMacros",
      "Tests/StoreMacrosTests/KeptTests.swift": """
      import SwiftSyntaxMacrosTestSupport
      @testable import StoreMacros
      import XCTest
      final class KeptTests: XCTestCase { func testKept() { assertMacroExpansion("", "") } }
      """,
    ]
    try ProjectFolder.with(files) { folder in
      let porting = try Porting(folder.url, Porting.Options(openCoreData: "/opencoredata"))
      #expect(porting.report.tests == (built: 1, all: 1))
      _ = try porting.write()
      let tests = try PackageDescription(folder["Linux"]).targets.first {
        $0.name == "StoreMacrosTests"
      }
      #expect(tests?.type == "test")
      #expect(tests?.uses.suffix(2) == ["StoreMacros", "SwiftSyntaxMacrosTestSupport"])
    }
  }
}
