import Foundation
import Testing

@testable import ProjectPorter

/// Settings of targets that change what sources mean, in both kinds of projects.
struct LanguageSettingsTests {
  @Test func ofAPackage() throws {
    try ProjectFolder.with([
      "Package.swift": """
      // swift-tools-version: 6.2
      import PackageDescription
      let package = Package(
        name: "Kit",
        targets: [
          .target(
            name: "Kit",
            swiftSettings: [
              .define("FAST"), .define("SLOW", .when(configuration: .release)), .define("DEBUG"),
              .define("PHONE", .when(platforms: [.iOS])), .define("MAC", .when(platforms: [.macOS])),
              .defaultIsolation(MainActor.self), .swiftLanguageMode(.v5), .unsafeFlags(["-Onone"]),
              .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
              .enableUpcomingFeature("InternalImportsByDefault"),
              .enableExperimentalFeature("StrictConcurrency"), .interoperabilityMode(.C),
            ])
        ],
        swiftLanguageModes: [.v6])
      """,
      "Sources/Kit/Kit.swift": "import CoreData",
    ]) { folder in
      let target = try #require(try Projects.read(folder.url).targets.first)
      #expect(target.conditions == ["FAST", "PHONE"])
      #expect(target.swiftVersion == 5)
      #expect(target.language.isOfMainActor)
      #expect(target.language.features == ["NonisolatedNonsendingByDefault"])
      _ = try Porting(folder.url, .init(openCoreData: "/opencoredata")).write()
      let manifest = try folder.text("Linux/Package.swift")
      #expect(
        manifest.contains(
          "swiftSettings: [.swiftLanguageMode(.v5), .defaultIsolation(MainActor.self), "
            + ".enableUpcomingFeature(\"NonisolatedNonsendingByDefault\"), .define(\"FAST\"), .define(\"PHONE\")]"
        ))
      _ = try PackageDescription(folder["Linux"])
    }
  }

  @Test func testsOfTheMainActorSaySoThemselves() throws {
    try ProjectFolder.with([
      "Package.swift": """
      // swift-tools-version: 6.2
      import PackageDescription
      let settings: [SwiftSetting] = [.define("FAST"), .defaultIsolation(MainActor.self)]
      let package = Package(
        name: "Kit",
        targets: [
          .target(name: "Kit", swiftSettings: settings),
          .testTarget(name: "KitTests", dependencies: ["Kit"], swiftSettings: settings),
        ])
      """,
      "Sources/Kit/Kit.swift": "import CoreData",
      "Tests/KitTests/KitTests.swift": "import XCTest\n@testable import Kit",
    ]) { folder in
      _ = try Porting(folder.url, .init(openCoreData: "/opencoredata")).write()
      let manifest = try folder.text("Linux/Package.swift")
      #expect(manifest.components(separatedBy: ".defaultIsolation").count == 2)
      let sources = try folder.text("Linux/Tests/KitTests/ported.json")
      #expect(sources.contains("\"FAST\"") && sources.contains("\"defaultIsolation(MainActor)\""))
    }
  }

  @Test(arguments: [("6.2", "[.v5]", 5.0), ("6.0", "[.v5, .v6]", 6), ("5.9", "[.v5]", 5)])
  func theModeOfAPackage(tools: String, modes: String, expected: Double) throws {
    let key = tools.hasPrefix("6") ? "swiftLanguageModes" : "swiftLanguageVersions"
    try ProjectFolder.with([
      "Package.swift": """
      // swift-tools-version: \(tools)
      import PackageDescription
      let package = Package(name: "Kit", targets: [.target(name: "Kit")], \(key): \(modes))
      """,
      "Sources/Kit/Kit.swift": "",
    ]) { folder in
      let target = try #require(try Projects.read(folder.url).targets.first)
      #expect(target.swiftVersion == expected)
    }
  }

  /// Swift 6 is the mode of Swift 5 with what changes the meaning of sources: what it forbids goes by
  /// modules that declare less here.
  @Test(arguments: [
    (3.0, "v4"), (4, "v4"), (4.2, "v4_2"), (5, "v5"), (5.9, "v5"), (6, "v5"), (6.2, "v5"),
  ])
  func modesOfTheLanguage(version: Double, mode: String) {
    let settings = LanguageSettings().settings(swiftVersion: version)
    #expect(settings.first == ".swiftLanguageMode(.\(mode))")
    let features = [
      "BareSlashRegexLiterals", "ConciseMagicFile", "DisableOutwardActorInference",
      "ForwardTrailingClosures", "GlobalActorIsolatedTypesUsability", "ImplicitOpenExistentials",
      "InferSendableFromCaptures", "IsolatedDefaultValues",
    ]
    #expect(
      settings.dropFirst()
        == (version < 6 ? [] : features.map { ".enableUpcomingFeature(\"\($0)\")" })[...])
  }

  @Test func ofAnXcodeProject() throws {
    try ProjectFolder.with(["Kit.swift": "import CoreData"]) { folder in
      var text = XcodeProjectText()
      let file = text.file("Kit.swift")
      text.root([file])
      _ = text.target(
        "Kit", sources: [file],
        settings: [
          "SWIFT_DEFAULT_ACTOR_ISOLATION": "MainActor", "SWIFT_APPROACHABLE_CONCURRENCY": "YES",
          "SWIFT_UPCOMING_FEATURE_BARE_SLASH_REGEX_LITERALS": "YES",
          "SWIFT_UPCOMING_FEATURE_CONCISE_MAGIC_FILE": "NO",
          "SWIFT_UPCOMING_FEATURE_MEMBER_IMPORT_VISIBILITY": "YES", "SWIFT_VERSION": "5.0",
        ])
      try folder.write(text.text(), to: "Kit.xcodeproj/project.pbxproj")
      let target = try #require(try Projects.read(folder["Kit.xcodeproj"]).targets.first)
      #expect(target.language.isOfMainActor)
      #expect(
        target.language.features == LanguageSettings.approachableConcurrency + [
          "BareSlashRegexLiterals"
        ])
      #expect(
        target.language.settings(swiftVersion: 5)
          == [".swiftLanguageMode(.v5)", ".defaultIsolation(MainActor.self)"]
          + (LanguageSettings.approachableConcurrency + ["BareSlashRegexLiterals"]).sorted()
          .map { ".enableUpcomingFeature(\"\($0)\")" })
    }
  }
}
