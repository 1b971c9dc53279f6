import Foundation
import Testing

@testable import ProjectPorter

struct PackageWritingTests {
  /// A project with an application, a framework, tests of both kinds of libraries, resources and a package.
  private func withProject(_ body: (ProjectFolder) throws -> Void) throws {
    let files = [
      "App/Start.swift": "import SwiftUI\n@main struct Start: App {}",
      "App/List.swift":
        "import CoreData\nimport Kit\nimport os\nimport Combine\nimport Logging\nlet log = Logger()",
      "Kit/Item+More.swift": "import CoreData\nextension Item {}",
      "Kit/Kit.xcdatamodeld/Kit.xcdatamodel/contents": ProjectFolder.model,
      "Kit/en.lproj/Localizable.strings": "\"a\" = \"b\";", "Kit/Info.plist": "",
      "Tests/KitTests.swift": "import XCTest\n@testable import Kit\nclass KitTests: XCTestCase {}",
      "Tests/AppTests.swift": "import Testing\n@testable import Kit\nstruct AppTests {}",
      "Tests/items.json": "[]", "Tests/picture.png": "",
    ]
    try ProjectFolder.with(files) { folder in
      var text = XcodeProjectText()
      let app = [text.file("Start.swift"), text.file("List.swift")]
      let model = text.group(
        "Kit.xcdatamodeld", [text.file("Kit.xcdatamodel")], isa: "XCVersionGroup")
      let kit = [text.file("Item+More.swift"), model]
      let strings = text.group(
        nil, [text.file("en.lproj/Localizable.strings")], isa: "PBXVariantGroup")
      let tests = ["KitTests.swift", "AppTests.swift", "items.json", "picture.png"].map {
        text.file($0)
      }
      text.root([
        text.group("App", app), text.group("Kit", kit + [strings]), text.group("Tests", tests),
      ])
      let package = text.remotePackage(
        "https://github.com/apple/swift-log",
        ["kind": "upToNextMajorVersion", "minimumVersion": "1.5.0"])
      let unused = text.remotePackage(
        "https://example.org/swift-crypto", ["kind": "branch", "branch": "main"])
      _ = text.target(
        "App", sources: app,
        settings: ["SWIFT_ACTIVE_COMPILATION_CONDITIONS": "DEBUG BETA", "SWIFT_VERSION": "6.0"],
        products: [text.product("Logging", of: package), text.product("Crypto", of: unused)])
      _ = text.target("Kit", type: "framework", sources: kit, resources: [strings])
      _ = text.target(
        "KitTests", type: "bundle.unit-test", sources: Array(tests[..<2]),
        resources: Array(tests[2...]))
      try folder.write(text.text(), to: "Shop.xcodeproj/project.pbxproj")
      try body(folder)
    }
  }

  private func porting(_ folder: ProjectFolder, _ place: String = "/opencoredata") throws -> Porting
  {
    try Porting(folder["Shop.xcodeproj"], .init(openCoreData: place))
  }

  /// SwiftPM makes `Bundle.module` of a target that has a model or other resources.
  @Test(arguments: [false, true], [false, true])
  func aBundleIsMadeWhereSwiftPMMakesNone(hasModel: Bool, hasText: Bool) throws {
    let files = [
      "Kit/Item.swift": "import CoreData\nlet bundle = Bundle.module",
      "Kit/Kit.xcdatamodeld/Kit.xcdatamodel/contents": ProjectFolder.model,
      "Kit/items.json": "[]",
    ]
    try ProjectFolder.with(files) { folder in
      var text = XcodeProjectText()
      let model = text.group(
        "Kit.xcdatamodeld", [text.file("Kit.xcdatamodel")], isa: "XCVersionGroup")
      let sources = [text.file("Item.swift")] + (hasModel ? [model] : [])
      let resources = hasText ? [text.file("items.json")] : []
      text.root([text.group("Kit", sources + resources)])
      _ = text.target("Kit", type: "framework", sources: sources, resources: resources)
      try folder.write(text.text(), to: "Shop.xcodeproj/project.pbxproj")
      let own = try #require(porting(folder).files()["Sources/Kit/Ported.swift"]).text
      #expect(own.contains("static var module") == (!hasModel && !hasText))
    }
  }

  @Test func thePackageHasTargetsDependenciesAndResources() throws {
    try withProject { folder in
      _ = try porting(folder).write()
      let description = try PackageDescription(folder["Linux"])
      #expect(description.name == "Shop")
      let targets = Dictionary(uniqueKeysWithValues: description.targets.map { ($0.name, $0) })
      #expect(
        targets.mapValues(\.type) == ["App": "regular", "Kit": "regular", "KitTests": "test"])
      #expect(
        targets["App"]?.uses == [
          "CoreData", "FoundationSupport", "ObjectiveCSupport", "CombineShim", "OSShim", "Kit",
          "Logging",
        ])
      #expect(targets["KitTests"]?.uses.contains("Kit") == true)
      #expect(targets["Kit"]?.resources.count == 1 && targets["App"]?.resources.isEmpty == true)
      #expect(description.packages == ["opencoredata", "swift-log"])
      #expect(try folder.text("Linux/Package.swift").contains("defaultLocalization: \"en\","))
      #expect(targets["App"]?.settings.contains("BETA") == true)
      #expect(targets["App"]?.settings.contains("Combine=CombineShim") == true)
      #expect(targets["Kit"]?.settings.contains("CombineShim") == false)
    }
  }

  @Test func configurationsNameOriginals() throws {
    try withProject { folder in
      _ = try porting(folder).write()
      let kit = try JSONDecoder().decode(
        [String: [String]].self, from: Data(contentsOf: folder["Linux/Sources/Kit/ported.json"]))
      #expect(
        kit == [
          "sources": ["../../../Kit/Item+More.swift", "../../../Kit/Kit.xcdatamodeld"],
          "conditions": ["managedObject(Item)"],
        ])
      let app = try JSONDecoder().decode(
        [String: [String]].self, from: Data(contentsOf: folder["Linux/Sources/App/ported.json"]))
      #expect(app == ["sources": ["../../../App/List.swift"], "conditions": ["BETA"]])
      #expect(
        try folder.text("Linux/Sources/Kit/Resources/en.lproj/Localizable.strings")
          == "\"a\" = \"b\";")
      #expect(try folder.text("Linux/Tests/KitTests/Resources/items.json") == "[]")
      #expect(!folder["Linux/Tests/KitTests/Resources/picture.png"].isThere)
      #expect(try folder.text("Linux/Package.swift").contains(PackageFiles.mark))
    }
  }

  /// Copies need to know which classes of models and of other modules are managed.
  @Test func managedClassesOfElsewhereAreConditions() throws {
    let files = [
      "Package.swift": """
      // swift-tools-version: 5.9
      import PackageDescription
      let package = Package(
        name: "Kit",
        targets: [.target(name: "Kit"), .testTarget(name: "KitTests", dependencies: ["Kit"])])
      """,
      "Sources/Kit/Kit.xcdatamodeld/Kit.xcdatamodel/contents": ProjectFolder.model,
      "Sources/Kit/Base.swift": "import CoreData\nclass Base: NSManagedObject {}",
      "Sources/Kit/Book.swift": "class Book: Base {}\nclass Plain {}",
      "Tests/KitTests/KitTests.swift": """
      @testable import Kit
      import XCTest
      class Mock: Book { var item: Item?; var plain: Plain? }
      """,
    ]
    try ProjectFolder.with(files) { folder in
      let all = try Porting(folder.url, .init(openCoreData: "/opencoredata")).files()
      let conditions = try ["Sources/Kit", "Tests/KitTests"].map { target in
        let text = try #require(all["\(target)/ported.json"]).text
        return text.split(separator: "\"").filter { $0.hasPrefix("managedObject(") }
      }
      #expect(conditions == [[], ["managedObject(Book)", "managedObject(Item)"]])
      let unchecked = ["Sources/Kit", "Tests/KitTests"].map { target in
        all["\(target)/Ported.swift"]?.text.contains("ObjectiveCSupport.leaveContextsUnchecked()")
      }
      #expect(unchecked == [false, true])
    }
  }

  /// A package `Kit` with a model whose classes are in the sources and have generated properties.
  private func ported(_ files: [String: String], _ check: (Porting) throws -> Void) throws {
    let model = ProjectFolder.model.replacing("\"class\"", with: "\"category\"").replacing(
      "</model>",
      with: "<entity name=\"Book\" parentEntity=\"Item\" codeGenerationType=\"category\"/></model>")
    let manifest = """
      // swift-tools-version: 5.9
      import PackageDescription
      let package = Package(name: "Kit", targets: [.target(name: "Kit")])
      """
    let all = files.merging([
      "Package.swift": manifest,
      "Sources/Kit/Kit.xcdatamodeld/Kit.xcdatamodel/contents": model,
    ]) { $1 }
    try ProjectFolder.with(all) { folder in
      try check(Porting(folder.url, .init(openCoreData: "/opencoredata")))
    }
  }

  /// Generated properties need the classes of a model, and so do other sources.
  @Test func classesOfAModelStayWithoutTheirFiles() throws {
    let screen = "import CoreData\nimport UIKit\nclass Item: NSManagedObject, UIAppearance {}"
    let files = [
      "Sources/Kit/Item.swift": screen, "Sources/Kit/Book.swift": "class Book: Item {}",
      "Sources/Kit/Store.swift":
        "import CoreData\nfunc title(of item: Item) -> String? { item.title }",
    ]
    try ported(files) { porting in
      let kept = porting.judgements.flatMap(\.kept).map(\.file.lastPathComponent).sorted()
      #expect(kept == ["Book.swift", "Store.swift"])
      let own = try #require(porting.files()["Sources/Kit/Ported.swift"]).text
      #expect(own.contains("import CoreData\npublic class Item: NSManagedObject {}\n"))
      #expect(!own.contains("class Book"))
    }
    try ported(
      files.merging(["Sources/Kit/Book.swift": screen.replacing("Item", with: "Book")]) { $1 }
    ) {
      let own = try #require($0.files()["Sources/Kit/Ported.swift"]).text
      #expect(own.contains("public class Book: Item {}\npublic class Item: NSManagedObject {}\n"))
    }
  }

  /// Tools that make projects write what SwiftPM makes.
  @Test(arguments: ["Bundle", "Foundation.Bundle"])
  func aBundleOfTheProjectsOwnGivesWay(_ type: String) throws {
    let text = """
      import CoreData
      extension \(type) { static let module = Bundle.main }
      class Resources { class var bundle: Bundle { .module } }
      """
    try ported([
      "Sources/Kit/Resources.swift": text,
      "Sources/Kit/Item.swift": "class Item: NSManagedObject {}",
    ]) {
      let facts = $0.judgements.flatMap(\.kept).first {
        $0.file.lastPathComponent == "Resources.swift"
      }
      #expect(facts?.pathsLeftOut == ["\(type).module"])
    }
  }

  @Test func aFolderIsNamedFromThePackage() throws {
    try withProject { folder in
      _ = try porting(folder, folder["Beside"].path).write()
      #expect(try folder.text("Linux/Package.swift").contains("path: \"../Beside\""))
    }
  }

  @Test func anAddressIsADependencyToo() throws {
    try withProject { folder in
      _ = try porting(folder, "https://example.org/OpenCoreData.git").write()
      #expect(
        try folder.text("Linux/Package.swift").contains(
          ".package(url: \"https://example.org/OpenCoreData.git\", branch: \"main\", traits: [\"Shims\"])"
        ))
      _ = try PackageDescription(folder["Linux"])
    }
  }

  @Test func modulesOfApplesHaveTheirStandIns() throws {
    try ProjectFolder.with([
      "Package.swift": """
      // swift-tools-version: 5.9
      import PackageDescription
      let package = Package(name: "Kit", targets: [.target(name: "Kit")])
      """,
      "Sources/Kit/Item.swift": "import SwiftData\nimport CryptoKit\n@Model final class Item {}",
    ]) { folder in
      let porting = try Porting(folder.url, .init(openCoreData: "/opencoredata"))
      #expect(porting.report.targets.map(\.built) == [1])
      _ = try porting.write()
      let description = try PackageDescription(folder["Linux"])
      #expect(
        description.targets.first?.uses == [
          "CoreData", "FoundationSupport", "ObjectiveCSupport", "Crypto", "SwiftData",
        ])
      #expect(description.packages == ["opencoredata", "swift-crypto"])
      let manifest = try folder.text("Linux/Package.swift")
      #expect(manifest.contains("traits: [\"Shims\", \"SwiftData\"]"))
      #expect(manifest.contains(".unsafeFlags([\"-module-alias\", \"CryptoKit=Crypto\"])"))
    }
  }

  /// The project of the article, as Xcode 16 writes one.
  @Test func theSampleIsPorted() throws {
    try ProjectFolder.with { folder in
      let sample = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../Documentation/Samples/Shop")
      try FileManager.default.copyItem(at: sample.standardizedFileURL, to: folder["Shop"])
      let porting = try Porting(folder["Shop"], .init(openCoreData: "/opencoredata"))
      _ = try porting.write()
      let configuration = try folder.text("Shop/Linux/Sources/Shop/ported.json")
      for name in ["Article.swift", "Stock.swift", "Shop.xcdatamodeld"] {
        #expect(configuration.contains("../../../Shop/Model/\(name)"))
      }
      #expect(porting.report.targets.map(\.built) == [3, 1])
      #expect(!porting.report.leavesCoreDataOut)
    }
  }

  // MARK: - Writing again

  @Test func writingAgainChangesWhatHasChanged() throws {
    try withProject { folder in
      #expect(try porting(folder).outdated() == [])
      let first = try porting(folder).write()
      #expect(first.count == 9)
      #expect(try porting(folder).write() == [])
      #expect(try porting(folder).outdated() == [])
      try folder.write("import CoreData\nimport MapKit\nlet map: MKMapView", to: "App/List.swift")
      try folder.write("[1]", to: "Tests/items.json")
      let outdated = try porting(folder).outdated()
      #expect(
        outdated == [
          "Package.swift", "Sources/App/Ported.swift", "Sources/App/ported.json",
          "Tests/KitTests/Resources/items.json",
        ])
      #expect(try porting(folder).write() == outdated)
      #expect(!folder["Linux/Sources/App/ported.json"].isThere)
    }
  }

  /// SwiftPM keeps its plan of the sources until the manifest is newer.
  @Test func aManifestIsRenewedWithTheListsOfSources() throws {
    try withProject { folder in
      _ = try porting(folder).write()
      let manifest = folder["Linux/Package.swift"]
      func age() throws -> TimeInterval {
        let values = try FileManager.default.attributesOfItem(atPath: manifest.path)
        return try -#require(values[.modificationDate] as? Date).timeIntervalSinceNow
      }
      func makeOld() throws {
        try FileManager.default.setAttributes(
          [.modificationDate: Date(timeIntervalSinceNow: -1000)], ofItemAtPath: manifest.path)
      }
      try makeOld()
      #expect(try porting(folder).write() == [])
      #expect(try age() > 900)
      try folder.write("import MapKit", to: "Tests/AppTests.swift")
      let text = try folder.text("Linux/Package.swift")
      let changed = try porting(folder).write()
      #expect(changed.contains { $0.hasSuffix("/ported.json") })
      #expect(try folder.text("Linux/Package.swift") == text)
      #expect(try age() < 900)
    }
  }

  @Test func whatOthersWroteIsLeftAlone() throws {
    for path in ["Linux/Package.swift", "Linux/Sources/Kit/Ported.swift"] {
      try withProject { folder in
        try folder.write("mine", to: path)
        let error = #expect(throws: PortError.self) { _ = try porting(folder).write() }
        #expect(error?.description.contains(path) == true)
        #expect(try folder.text(path) == "mine")
        #expect(!folder["Linux/Sources/App/ported.json"].isThere)
      }
    }
    try withProject { folder in
      _ = try porting(folder).write()
      try folder.write("mine", to: "Linux/Sources/Kit/Mine.swift")
      try folder.write("import MapKit", to: "Tests/AppTests.swift")
      _ = try porting(folder).write()
      #expect(try folder.text("Linux/Sources/Kit/Mine.swift") == "mine")
    }
  }

  // MARK: - The command

  @Test func theToolSaysHowItWent() throws {
    try withProject { folder in
      let project = folder["Shop.xcodeproj"].path
      #expect(try run([project, "--check"]).status == 0)
      #expect(!folder["Linux"].isThere)
      let written = try run([project, "--output", folder["Out"].path, "--opencoredata", "/x"])
      #expect(
        written.status == 0
          && written.output.contains("Kit: 1 of 1 files are built, with Kit.xcdatamodeld"))
      #expect(
        written.output.contains("App/Start.swift:2: uses App of SwiftUI: it needs a user interface")
      )
      let check = [project, "--check", "--output", folder["Out"].path, "--opencoredata", "/x"]
      #expect(try run(check).status == 0)
      try folder.write("[1]", to: "Tests/items.json")
      let outdated = try run(check)
      #expect(outdated.status == 1 && outdated.output.contains("port it again"))
      #if PortedSources
        try folder.write("import CoreData\nlet k = #keyPath(a[0])", to: "App/List.swift")
        let remarks = try run([project, "--check"])
        #expect(
          remarks.status == 1
            && remarks.output.contains("App/List.swift:2:9: error: this key path has a form"))
      #endif
      // An import of which nothing is used is no reason to leave a file out.
      try folder.write("import CoreData\nimport MapKit", to: "App/List.swift")
      #expect(try run([project, "--check"]).status == 0)
      #expect(try run([]).status == 2)
      #expect(try run([project, "--nonsense"]).status == 2)
      #expect(try run([project, "--output"]).status == 2)
      #expect(try run([folder["Nothing"].path]).status == 2)
    }
  }

  private func run(_ arguments: [String]) throws -> (status: Int32, output: String) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
      .deletingLastPathComponent()
      .appendingPathComponent("PortTool")
    process.arguments = arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (process.terminationStatus, output)
  }
}
