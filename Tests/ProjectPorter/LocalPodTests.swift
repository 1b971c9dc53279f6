import Foundation
import Testing

@testable import ProjectPorter

/// Pods of the repository itself, and example projects beside a library.
struct LocalPodTests {
  private let specification = """
    # The pod of this folder.
    version = '1.2'
    Pod::Spec.new do |s|
      s.name = 'Store'   # 'Other'
      s.version = version
      s.description = <<-DESC
        s.source_files = 'Wrong/**/*'
        end
      DESC
      s.swift_versions = ['4.2', '5.5']
      s.osx.source_files = 'Mac/*.swift'
      s.source_files = "#{s.name}/Classes/**/*.{h,swift}"
      s.exclude_files = 'Store/Classes/Not/**'
      s.resources = %w[Store/Assets/*.json Store/*.xcdatamodeld]
      s.dependency 'Swinject', '~> 2.8'
      s.default_subspec = 'Core'
      if ENV['X']
        s.dependency "Alamofire/Core"
      end
      s.subspec 'Core' do |core|
        core.source_files = [
          'Store/Core',
          'Store/Deep/*/[AB].swift',
        ]
      end
      s.subspec "Doubles" do |ss|
        ss.ios.source_files = 'Store/Doubles/*.swift'
      end
      s.test_spec 'Unit' do |ts|
        ts.source_files = 'Tests/**/*.swift'
        ts.resource_bundles = { 'Fixtures' => ['Tests/*.json'] }
      end
      s.test_spec do |ts|
        ts.source_files = 'None/**/*.swift'
      end
    end
    """

  private let files = [
    "Store/Classes/A.swift", "Store/Classes/Deep/B.swift", "Store/Classes/Not/C.swift",
    "Store/Classes/D.txt", "Store/Core/E.swift", "Store/Core/Deep/F.swift",
    "Store/Deep/x/A.swift", "Store/Deep/x/C.swift", "Store/Doubles/G.swift", "Mac/H.swift",
    "Wrong/I.swift", "Store/Assets/a.json", "Tests/T.swift", "Tests/t.json", "Pods/J.swift",
  ]

  private func with(
    _ more: [String: String] = [:], _ body: (ProjectFolder) throws -> Void
  ) throws {
    var all = Dictionary(uniqueKeysWithValues: files.map { ($0, "") })
    all["Store.podspec"] = specification
    all["Store/M.xcdatamodeld/M.xcdatamodel/contents"] = ProjectFolder.model
    try ProjectFolder.with(all.merging(more) { $1 }, body)
  }

  @Test func aSpecificationNamesItsFiles() throws {
    try with { folder in
      let project = try Projects.read(folder.url)
      #expect(
        project.name == "Store" && project.targets.map(\.name) == ["Store", "StoreUnitTests"])
      let (store, tests) = (project.targets[0], project.targets[1])
      #expect(
        folder.names(store.sources) == [
          "Store/Classes/A.swift", "Store/Classes/Deep/B.swift", "Store/Core/E.swift",
          "Store/Deep/x/A.swift", "Store/Doubles/G.swift",
        ])
      #expect(folder.names(store.models) == ["Store/M.xcdatamodeld"])
      #expect(folder.names(store.resources) == ["Store/Assets/a.json"])
      #expect(store.kind == .product && store.swiftVersion == 5.5)
      #expect(tests.kind == .tests && folder.names(tests.sources) == ["Tests/T.swift"])
      #expect(folder.names(tests.resources) == ["Tests/t.json"] && tests.dependencies == ["Store"])
      #expect(project.packages.map(\.identity) == ["swinject", "alamofire"])
      #expect(
        project.packages.map(\.requirement) == ["from: \"2.8.0\"", "\"0.0.1\"..<\"1000.0.0\""])
    }
  }

  @Test func severalSpecificationsOfAFolderAreAllRead() throws {
    let other = "Pod::Spec.new do |s|\n  s.module_name = 'Rest'\n  s.source_files = 'Mac'\nend"
    try with(["Other.podspec": other]) { folder in
      let modules = try Projects.read(folder.url).targets.map(\.module)
      #expect(modules == ["Rest", "Store", "StoreUnitTests"])
      let alone = try Projects.read(folder["Other.podspec"])
      #expect(alone.targets.map(\.name) == ["Other"])
    }
  }

  /// An application names the pod in its `Podfile`; its tests have the same files or others.
  @Test(
    arguments: [
      "pod 'Store', :path => '../'", "pod 'Store/Doubles', path: '..'",
      "pod \"Store\", :podspec => '../Store.podspec' # here",
      "pod('Store', :testspecs => ['Unit'], :path => '../')",
      "pod 'Store',\n    :path => '../'",
    ], [true, false])
  func aPodfileLeadsToPods(_ line: String, _ isSame: Bool) throws {
    try with(["Example/Podfile": "use_frameworks!\ntarget 'App' do\n  \(line)\n  pod 'Alone'\nend"])
    { folder in
      var text = XcodeProjectText()
      let test = text.file(isSame ? "../Tests/T.swift" : "Own.swift")
      text.root([test])
      _ = text.target("App")
      _ = text.target("AppTests", type: "bundle.unit-test", sources: [test])
      try folder.write(text.text(), to: "Example/App.xcodeproj/project.pbxproj")
      let project = try Projects.read(folder["Example/App.xcodeproj"])
      #expect(
        project.targets.map(\.module)
          == ["App", "AppTests", "Store"] + (isSame ? [] : ["StoreUnitTests"]))
    }
  }

  @Test func aFolderWithALinkOfCocoaPodsIsItsPod() throws {
    try with(["_Pods.xcodeproj/x": ""]) { folder in
      let project = try Projects.read(folder.url)
      #expect(project.targets.first?.name == "Store")
    }
  }

  /// The tests of a library without tests of its own may be those of an example.
  @Test(arguments: ["Example", "Demo", "Samples/Deep", "Other"])
  func testsOfAnExampleComeAlong(_ place: String) throws {
    let manifest = """
      // swift-tools-version: 5.9
      import PackageDescription
      let package = Package(name: "Kit", targets: [.target(name: "Kit")])
      """
    let sources = [
      "Package.swift": manifest, "Sources/Kit/K.swift": "import CoreData\nlet k = 1",
      "\(place)/A.swift": "import CoreData\nimport UIKit\nlet a: UIView",
      "\(place)/T.swift": "import XCTest\nimport Kit",
    ]
    try ProjectFolder.with(sources) { folder in
      var text = XcodeProjectText()
      let (app, test) = (text.file("A.swift"), text.file("T.swift"))
      text.root([app, test])
      _ = text.target("App", sources: [app])
      _ = text.target("AppTests", type: "bundle.unit-test", sources: [test])
      try folder.write(text.text(), to: "\(place)/App.xcodeproj/project.pbxproj")
      let porting = try Porting(folder.url, Porting.Options(openCoreData: "/opencoredata"))
      let modules = porting.judgements.map(\.target.module)
      #expect(modules == (place == "Other" ? ["Kit"] : ["Kit", "AppTests"]))
    }
  }

  /// The tests of a library may use the application of an example.
  @Test(arguments: [true, false])
  func anApplicationOfAnExampleComesAlongWhereTestsImportIt(_ isImported: Bool) throws {
    let manifest = """
      // swift-tools-version: 5.9
      import PackageDescription
      let package = Package(
        name: "Kit",
        targets: [.target(name: "Kit"), .testTarget(name: "KitTests", dependencies: ["Kit"])])
      """
    let sources = [
      "Package.swift": manifest, "Sources/Kit/K.swift": "import CoreData\nlet k = 1",
      "Tests/KitTests/T.swift": "import XCTest\nimport Kit" + (isImported ? "\nimport App" : ""),
      "Example/A.swift": "import CoreData\nlet a = 1", "Example/T.swift": "import XCTest",
    ]
    try ProjectFolder.with(sources) { folder in
      var text = XcodeProjectText()
      let (app, test) = (text.file("A.swift"), text.file("T.swift"))
      text.root([app, test])
      _ = text.target("App", sources: [app])
      _ = text.target("AppTests", type: "bundle.unit-test", sources: [test])
      try folder.write(text.text(), to: "Example/App.xcodeproj/project.pbxproj")
      let porting = try Porting(folder.url, Porting.Options(openCoreData: "/opencoredata"))
      let modules = porting.judgements.map(\.target.module)
      #expect(modules == ["Kit", "KitTests"] + (isImported ? ["App"] : []))
    }
  }
}
