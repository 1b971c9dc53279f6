import Foundation
import Testing

@testable import ProjectPorter

struct ProjectReadingTests {
  private func read(
    _ files: [String: String] = [:], _ make: (inout XcodeProjectText) -> Void,
    _ check: (Project, ProjectFolder) throws -> Void
  ) throws {
    try ProjectFolder.with(files) { folder in
      var text = XcodeProjectText()
      make(&text)
      try folder.write(text.text(), to: "App.xcodeproj/project.pbxproj")
      try check(Projects.read(folder["App.xcodeproj"]), folder)
    }
  }

  @Test func groupsLeadToFiles() throws {
    try read { text in
      let files = [
        text.file("A.swift"), text.file("Deep/B.swift"), text.file("C.swift", tree: "SOURCE_ROOT"),
        text.file("/tmp/D.swift", tree: "\"<absolute>\""), text.file("libz.tbd", tree: "SDKROOT"),
        text.file("../E.swift"),
      ]
      let inner = text.group("Inner", Array(files[1...4]))
      let nameless = text.group(nil, [files[0], inner, files[5]])
      let version = text.group(
        "App.xcdatamodeld", [text.file("App.xcdatamodel")], isa: "XCVersionGroup")
      let strings = text.group(
        nil, [text.file("en.lproj/A.strings"), text.file("de.lproj/A.strings")],
        isa: "PBXVariantGroup")
      text.root([text.group("Sources", [nameless, version, strings])])
      _ = text.target(
        "App", sources: files + [version], resources: [strings, text.file("x.json")])
    } _: { project, folder in
      let target = try #require(project.targets.first)
      #expect(
        folder.names(target.sources) == [
          "Sources/A.swift", "Sources/Inner/Deep/B.swift", "C.swift", "/tmp/D.swift", "E.swift",
        ])
      #expect(folder.names(target.models) == ["Sources/App.xcdatamodeld"])
      #expect(
        folder.names(target.resources) == [
          "Sources/en.lproj/A.strings", "Sources/de.lproj/A.strings", "x.json",
        ])
    }
  }

  @Test func foldersAreMembersButForTheirExceptions() throws {
    let files = [
      "App/A.swift": "", "App/Info.plist": "", "App/Deep/B.swift": "", "App/Not/C.swift": "",
      "App/Not/D.swift": "", "App/M.xcdatamodeld/M.xcdatamodel/contents": ProjectFolder.model,
      "App/Shared.swift": "", "App/Assets.xcassets/x.json": "",
    ]
    try read(files) { text in
      let (app, tests) = (text.reserve(), text.reserve())
      let group = text.synchronizedGroup(
        "App",
        exceptions: [
          text.exception(["Info.plist", "Not"], target: app),
          text.exception(["Shared.swift", "Not/C.swift"], target: tests),
        ])
      text.root([group])
      _ = text.target("App", synchronized: [group], identifier: app)
      _ = text.target("AppTests", type: "bundle.unit-test", identifier: tests)
    } _: { project, folder in
      #expect(
        folder.names(project.targets[0].sources) == [
          "App/A.swift", "App/Deep/B.swift", "App/Shared.swift",
        ])
      #expect(folder.names(project.targets[0].models) == ["App/M.xcdatamodeld"])
      #expect(folder.names(project.targets[0].resources) == ["App/Assets.xcassets"])
      #expect(folder.names(project.targets[1].sources) == ["App/Shared.swift", "App/Not/C.swift"])
    }
  }

  /// A file is in a folder whose files are members, and is named as well.
  @Test func aFileIsAMemberOnce() throws {
    let files = [
      "App/A.swift": "", "App/B.swift": "",
      "App/M.xcdatamodeld/M.xcdatamodel/contents": ProjectFolder.model,
      "App/x.json": "",
    ]
    try read(files) { text in
      let folder = text.synchronizedGroup("App", exceptions: [])
      let (source, model) = (text.file("A.swift"), text.file("M.xcdatamodeld"))
      let resource = text.file("x.json")
      text.root([folder, text.group("App", [source, model, resource])])
      _ = text.target(
        "App", sources: [source, model], resources: [resource], synchronized: [folder])
    } _: { project, folder in
      let target = try #require(project.targets.first)
      #expect(folder.names(target.sources) == ["App/A.swift", "App/B.swift"])
      #expect(folder.names(target.models) == ["App/M.xcdatamodeld"])
      #expect(folder.names(target.resources) == ["App/x.json"])
    }
  }

  @Test func settingsOfATarget() throws {
    try read { text in
      _ = text.target(
        "My App",
        settings: [
          "SWIFT_VERSION": "6.0", "SWIFT_ACTIVE_COMPILATION_CONDITIONS": "DEBUG FLAG $(inherited)",
        ])
      _ = text.target("Kit iOS", type: "framework", settings: ["PRODUCT_NAME": "Kit"])
      _ = text.target("Kit macOS", type: "framework", settings: ["PRODUCT_NAME": "Kit"])
      _ = text.target("T", type: "bundle.unit-test", settings: ["PRODUCT_NAME": "$(TARGET_NAME)"])
      _ = text.target("U", type: "bundle.ui-testing", settings: ["PRODUCT_MODULE_NAME": "UI-Tests"])
    } _: { project, _ in
      #expect(project.targets.map(\.module) == ["My_App", "Kit", "T", "UI_Tests"])
      #expect(project.targets.map(\.kind) == [.product, .product, .tests, .interfaceTests])
      #expect(project.targets[0].swiftVersion == 6 && project.targets[1].swiftVersion == 5)
      #expect(project.targets[0].conditions == ["FLAG"])
    }
  }

  /// Identifiers of bundles, with the names and settings that they mention.
  @Test(arguments: [
    (["PRODUCT_BUNDLE_IDENTIFIER": "org.example.App"], "org.example.App"),
    (["PRODUCT_BUNDLE_IDENTIFIER": "org.$(PRODUCT_NAME:rfc1034identifier)"], "org.App"),
    (["PRODUCT_BUNDLE_IDENTIFIER": "org.${TARGET_NAME}"], "org.App"),
    (["PRODUCT_BUNDLE_IDENTIFIER": "$(BASE).app", "BASE": "org.$(TARGET_NAME)"], "org.App.app"),
    (["PRODUCT_BUNDLE_IDENTIFIER": "org.app$(SUFFIX)"], "org.app"),
    ([:], nil),
  ]) func identifiersOfBundles(settings: [String: String], identifier: String?) throws {
    try read { text in
      _ = text.target("App", settings: settings)
    } _: { project, _ in
      #expect(project.targets.map(\.bundleIdentifier) == [identifier])
    }
  }

  /// Tests for several platforms have the same files and are built once.
  @Test func testsOfSeveralPlatformsAreOneTarget() throws {
    try read { text in
      let (one, other) = (text.file("A.swift"), text.file("B.swift"))
      text.root([one, other])
      _ = text.target("Kit", type: "framework", sources: [one])
      _ = text.target("Kit Mac", type: "framework", sources: [one])
      for (name, sources) in [("T", [one, other]), ("T Mac", [other, one]), ("U", [one])] {
        _ = text.target(name, type: "bundle.unit-test", sources: sources)
      }
      for name in ["V", "W"] { _ = text.target(name, type: "bundle.unit-test") }
    } _: { project, _ in
      #expect(project.targets.map(\.module) == ["Kit", "Kit_Mac", "T", "U", "V", "W"])
    }
  }

  /// Of applications with the same sources that is built which tests import, or else the first.
  @Test(arguments: ["", "App", "AppBeta"])
  func applicationsWithTheSameSourcesAreBuiltOnce(_ tested: String) throws {
    let sources = [
      "A.swift": "import CoreData\nlet a = 1", "B.swift": "import CoreData",
      "T.swift": "import XCTest\n" + (tested.isEmpty ? "" : "@testable import \(tested)"),
    ]
    try ProjectFolder.with(sources) { folder in
      var text = XcodeProjectText()
      let files = sources.keys.sorted().map { text.file($0) }
      text.root(files)
      for name in ["App", "AppBeta"] { _ = text.target(name, sources: [files[0]]) }
      _ = text.target("AppExtension", sources: Array(files[..<2]))
      _ = text.target("AppTests", type: "bundle.unit-test", sources: [files[2]])
      try folder.write(text.text(), to: "App.xcodeproj/project.pbxproj")
      let porting = try Porting(folder.url, Porting.Options(openCoreData: "/opencoredata"))
      let expected =
        tested.isEmpty ? ["App", "AppExtension"] : [tested, "AppExtension", "AppTests"]
      #expect(porting.judgements.map(\.target.module) == expected)
    }
  }

  @Test func everyRequirementOfAPackage() throws {
    let cases: [([String: String], String)] = [
      (["kind": "upToNextMajorVersion", "minimumVersion": "1.2.0"], "from: \"1.2.0\""),
      (
        ["kind": "upToNextMinorVersion", "minimumVersion": "1.2.0"],
        ".upToNextMinor(from: \"1.2.0\")"
      ),
      (["kind": "exactVersion", "version": "1.2.3"], "exact: \"1.2.3\""),
      (["kind": "branch", "branch": "main"], "branch: \"main\""),
      (["kind": "revision", "revision": "abc"], "revision: \"abc\""),
      (
        ["kind": "versionRange", "minimumVersion": "1.0.0", "maximumVersion": "3.0.0"],
        "\"1.0.0\"..<\"3.0.0\""
      ),
    ]
    for (requirement, expected) in cases {
      try read { text in
        let package = text.remotePackage("https://example.org/Some-Kit.git", requirement)
        _ = text.target("App", products: [text.product("SomeKit", of: package)])
      } _: { project, _ in
        #expect(project.packages.map(\.requirement) == [expected])
        #expect(
          project.targets[0].products == [ProductUse(product: "SomeKit", package: "some-kit")])
      }
    }
  }

  private let manifest = """
    // swift-tools-version: 6.0
    import PackageDescription
    let package = Package(
      name: "Model", products: [.library(name: "Model", targets: ["Store"])],
      dependencies: [.package(url: "https://example.org/swift-log", from: "1.2.0")],
      targets: [
        .target(name: "Store", dependencies: [.product(name: "Logging", package: "swift-log")]),
        .testTarget(name: "StoreTests", dependencies: ["Store"]),
      ])
    """

  @Test func packagesAreReadByThemselvesAndWithAProject() throws {
    let files = [
      "Model/Package.swift": manifest, "Model/Sources/Store/A.swift": "",
      "Model/Tests/StoreTests/B.swift": "",
    ]
    func check(_ project: Project, _ folder: ProjectFolder) throws {
      let store = try #require(project.targets.first { $0.name == "Store" })
      #expect(folder.names(store.sources) == ["Model/Sources/Store/A.swift"])
      #expect(store.products.contains(ProductUse(product: "Logging", package: "swift-log")))
      #expect(store.swiftVersion == 6)
      let tests = try #require(project.targets.first { $0.name == "StoreTests" })
      #expect(tests.kind == .tests && tests.dependencies == ["Store"])
      #expect(project.packages.map(\.requirement) == ["\"1.2.0\"..<\"2.0.0\""])
    }
    try ProjectFolder.with(files) { try check(Projects.read($0["Model/Package.swift"]), $0) }
    try read(files) {
      $0.localPackage("Model")
    } _: {
      try check($0, $1)
    }
  }

  @Test func theOnlyTargetOfItsKindMayHaveTheFolder() throws {
    let manifest = """
      // swift-tools-version: 5.10
      import PackageDescription
      let package = Package(name: "A", targets: [.target(name: "A"), .testTarget(name: "ATests")])
      """
    try ProjectFolder.with([
      "Package.swift": manifest, "Sources/Deep/A.swift": "", "Tests/ATests/B.swift": "",
      "Tests/Other/C.swift": "",
    ]) { folder in
      let project = try Projects.read(folder.url)
      #expect(
        project.targets.map { folder.names($0.sources) } == [
          ["Sources/Deep/A.swift"], ["Tests/ATests/B.swift"],
        ])
    }
  }

  @Test func podsThatArePackagesTooComeAlong() throws {
    let lock = """
      PODS:
        - Alamofire (5.9.1)
        - "NSURL+IDN (0.4)"
        - Quick (7.0):
          - Nimble (~> 13.0)
        - StripeTerminal (3.9.1)
        - ZIPFoundation/Core (0.9.18)
      """
    try read(["Podfile.lock": lock]) {
      _ = $0.target("App")
    } _: { project, _ in
      #expect(project.packages.map(\.identity) == ["alamofire", "quick", "zipfoundation"])
      #expect(
        project.packages.map(\.requirement) == [
          "exact: \"5.9.1\"", "exact: \"7.0.0\"", "exact: \"0.9.18\"",
        ])
    }
  }

  @Test func aWorkspaceHasWhatItsMembersHave() throws {
    try ProjectFolder.with([
      "All.xcworkspace/contents.xcworkspacedata": """
      <?xml version="1.0" encoding="UTF-8"?>
      <Workspace version = "1.0">
         <FileRef location = "container:One.xcodeproj"></FileRef>
         <Group location = "group:Inner" name = "Inner"><FileRef location = "group:Two.xcodeproj"></FileRef></Group>
         <FileRef location = "group:Model"></FileRef>
         <FileRef location = "group:Pods/Pods.xcodeproj"></FileRef>
         <FileRef location = "group:README.md"></FileRef>
      </Workspace>
      """, "Model/Package.swift": manifest,
    ]) { folder in
      for (path, name) in [("One.xcodeproj", "One"), ("Inner/Two.xcodeproj", "Two")] {
        var text = XcodeProjectText()
        let file = text.file("\(name).swift")
        text.root([file])
        _ = text.target(name, sources: [file])
        try folder.write(text.text(), to: "\(path)/project.pbxproj")
      }
      let project = try Projects.read(folder.url)
      #expect(project.targets.map(\.name) == ["One", "Two", "Store", "StoreTests"])
      #expect(folder.names(project.targets[1].sources) == ["Inner/Two.swift"])
    }
  }

  @Test func projectsThatNameEachOtherAreReadOnce() throws {
    try ProjectFolder.with { folder in
      for (name, other) in [("A", "B"), ("B", "A")] {
        var text = XcodeProjectText()
        let file = text.file("\(name).swift")
        let reference = text.file("\(other).xcodeproj", type: "wrapper.pb-project")
        text.root([file, reference])
        _ = text.target(name, sources: [file])
        try folder.write(text.text(), to: "\(name).xcodeproj/project.pbxproj")
      }
      #expect(try Projects.read(folder["A.xcodeproj"]).targets.map(\.name) == ["A", "B"])
    }
  }

  // MARK: - What is broken

  @Test(arguments: [
    (
      "App.xcodeproj/project.pbxproj", "{ <<<<<<< HEAD", "App.xcodeproj", "expected a property list"
    ),
    ("App.xcodeproj/project.pbxproj", "(a, b)", "App.xcodeproj", "“objects”"),
    (
      "App.xcodeproj/project.pbxproj", "{ objects = {}; rootObject = A; }", "App.xcodeproj",
      "“rootObject”"
    ),
    ("App.xcodeproj/other", "", "App.xcodeproj", "expected a property list"),
    ("App.xcworkspace/contents.xcworkspacedata", "no XML", "App.xcworkspace", "expected XML"),
    ("App.xcworkspace/other", "", "App.xcworkspace", "expected XML"),
    ("Package.swift", "let package = ", "Package.swift", "SwiftPM cannot read it"),
    ("README.md", "", "README.md", "expected an .xcodeproj"),
    ("README.md", "", "", "expected an .xcodeproj"),
    ("README.md", "", "Nothing.xcodeproj", "there is nothing"),
  ])
  func aBrokenProjectIsAClearError(
    _ path: String, _ text: String, _ named: String, _ message: String
  ) throws {
    try ProjectFolder.with([path: text]) { folder in
      let error = #expect(throws: PortError.self) {
        _ = try Projects.read(named.isEmpty ? folder.url : folder[named])
      }
      #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
      #expect(error?.description.contains(named.isEmpty ? folder.url.path : named) == true)
    }
  }

  @Test func twoProjectsInAFolderAreAQuestion() throws {
    try ProjectFolder.with(["A.xcodeproj/x": "", "B.xcodeproj/x": ""]) { folder in
      let error = #expect(throws: PortError.self) { _ = try Projects.read(folder.url) }
      #expect(error?.description.contains("A.xcodeproj and B.xcodeproj") == true)
    }
  }
}
