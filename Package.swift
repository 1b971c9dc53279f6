// swift-tools-version: 6.2
import CompilerPluginSupport
import PackageDescription

// `make` sets this for every build of the project itself; a client of the package never sees it, so
// that a warning of a newer compiler cannot break the client's build.
let isStrict = Context.environment["OPENCOREDATA_STRICT"] != nil
// The test targets of this build, separated by commas; all of them unless it is set. Naming few
// makes a build short: SwiftPM builds the tools of every plugin that any target of the package
// uses, swift-syntax among them.
let testTargets = Context.environment["OPENCOREDATA_TESTS"]?.split(separator: ",").map(String.init)
// What a client of Core Data alone must not pay for is behind a trait: `make` asks for all of them,
// who uses ListKit for Web. swift-syntax takes two minutes to build.
let packages = [
  "swift-syntax": "SwiftSyntax SwiftParser SwiftOperators SwiftDiagnostics SwiftCompilerPlugin"
    + " SwiftSyntaxMacros SwiftSyntaxMacroExpansion",
  "OpenCombine": "OpenCombine OpenCombineDispatch OpenCombineFoundation", "swift-log": "Logging",
  "swift-argument-parser": "ArgumentParser", "hummingbird": "Hummingbird",
]
let icu: [LinkerSetting] = [.linkedLibrary("_FoundationICU")]
// The settings that new projects of Xcode have, and those that Swift has yet to make its own.
let xcode =
  [.defaultIsolation(MainActor.self)]
  + words(
    "ExistentialAny InferIsolatedConformances InternalImportsByDefault MemberImportVisibility"
      + " NonisolatedNonsendingByDefault"
  )
  .map { SwiftSetting.enableUpcomingFeature($0) }
let aliases = words(
  "os=OSShim OSLog=OSLogShim Combine=CombineShim Security=SecurityShim"
    + " UserNotifications=UserNotificationsShim CoreLocation=CoreLocationShim"
)
.flatMap { ["-module-alias", $0] }
let applications = ["NestedLists", "Goods", "Books", "Heroes", "Employees", "TodoMVC"]
let port = PluginCommandIntent.custom(
  verb: "port",
  description:
    "Writes a package that builds on Linux what a project made for Xcode has of Core Data.")

let package = Package(
  name: "OpenCoreData",
  products: [
    .library(name: "CoreDataPostgreSQL", targets: ["PostgreSQLStore"]),  // with libpq
    .library(name: "ListKit", targets: ["ListKit", "ListData", "ListWeb"]),
    .library(name: "ListTerminal", targets: ["ListKit", "ListData", "ListTerminal"]),
    .executable(name: "coredata", targets: ["CoreDataCommand"]),
    .executable(name: "nested-lists", targets: ["NestedLists"]),
    .executable(name: "swiftdata-lists", targets: ["SwiftDataLists"]),
  ] + applications.dropFirst().map { .executable(name: $0.lowercased(), targets: [$0]) }
    // A module `os` would answer others' `canImport(os)`: `-module-alias os=OSShim` makes it `os`.
    + words(
      "CoreData SwiftData CoreDataSync SwiftDataSync SyncServer ObjectiveCSupport FoundationSupport"
        + " OSShim OSLogShim SecurityShim CombineShim UserNotificationsShim CoreLocationShim"
    )
    .map { .library(name: $0, targets: [$0]) }
    + words("ManagedObjects Port PortedSources").map { .plugin(name: $0, targets: [$0]) },
  traits: Set(
    [
      "Web": "Shows ListKit in a browser, and builds the applications.",
      "Tool": "Builds the command coredata.",  // which shows stores in a browser, too
      "PostgreSQL": "Lets the applications keep their objects on a PostgreSQL server, with libpq.",
      "Shims": "Builds the stand-ins for modules of Apple's.",
      "PortedSources": "Compiles sources made for Xcode as they stand, with swift-syntax.",
      "SwiftData": "Builds the macros of SwiftData, with swift-syntax.",
    ].map { .trait(name: $0, description: $1, enabledTraits: $0 == "Tool" ? ["Web"] : []) }),
  dependencies: [
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
    .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
    .package(url: "https://github.com/swiftlang/swift-syntax", "602.0.0"..<"604.0.0"),
  ],
  targets: floor(
    "Foundation",
    library("CSQLite: sqlite3 libsqlite3-dev"), library("CZlib: zlib zlib1g-dev"),
    library("CPostgreSQL: libpq libpq-dev"), .target(name: "CRuntime"),
    // What Foundation lacks here. NotificationSequences is `notifications(named:)`,
    // StringComparators `.localizedStandard`. ICU, which Foundation brings along, orders strings
    // as a language does.
    target("Undo"), target("ListSnapshots"), target("NotificationSequences"),
    target("StringComparators"), target("KeyValueCoding"), target("HTTPLimits: Hummingbird"),
    target("Predicates: KeyValueCoding CRuntime StringComparators").with(\.linkerSettings, icu)
  )
    + floor(
      "Model",
      // What model files say, and the hashes of it: all that the plugin's tool needs.
      target("ModelDocuments"), target("ModelCompiler: ModelDocuments"),
      program("ModelCompilerTool: ModelCompiler")
    )
    + floor(
      "Core",
      target(
        "CoreData: KeyValueCoding Predicates Undo ListSnapshots NotificationSequences"
          + " ModelDocuments CSQLite CZlib CRuntime"),
      target("PostgreSQLStore: CoreData CPostgreSQL")
    )
    + floor(
      "SwiftData",
      // Models that are plain Swift classes; what the macros write, and the plugin that does.
      target(
        "SwiftData: CoreData Predicates Undo StringComparators CRuntime SwiftDataMacros/SwiftData"
      ),
      target(
        "SwiftDataExpansion: SwiftSyntax SwiftSyntaxMacros SwiftDiagnostics", for: "SwiftData"),
      target(
        "SwiftDataMacros: SwiftDataExpansion SwiftCompilerPlugin SwiftSyntaxMacros", .macro,
        for: "SwiftData")
    )
    + floor(
      "Sync",
      target("CoreDataSync: CoreData"), target("SwiftDataSync: SwiftData CoreDataSync CoreData"),
      target("SyncServer: CoreDataSync CoreData HTTPLimits CZlib Hummingbird Logging")
    )
    + floor(
      "Lists",
      // Lists without pixels, and what draws them: ICU knows the width of characters in a
      // terminal.
      target("ListKit: ListSnapshots Undo"), target("ListData: CoreData ListKit"),
      target("ListWeb: ListKit HTTPLimits Hummingbird Logging")
        .with(\.resources, [.embedInCode("Page")]),
      target("ListTerminal: ListKit ListSnapshots Undo").with(\.linkerSettings, icu),
      // What the applications and `coredata browse` share. Linked into a program, PostgreSQLStore
      // registers its type of store.
      target(
        "ListApplication: CoreData CoreDataSync ListKit ListTerminal ListWeb ArgumentParser"
          + " PostgreSQLStore/PostgreSQL")
    )
    + floor(
      "Command",
      // The command `coredata`: what it does, `coredata browse`, and its command line. The folder
      // has another name than the product: `CoreData` and `coredata` are one to some file systems.
      target("StoreTool: CoreData ModelCompiler ModelDocuments"),
      target("StoreBrowser: StoreTool CoreData ListKit ListData ListApplication"),
      program("CoreDataCommand: StoreTool StoreBrowser ListKit SyncServer ArgumentParser")
    )
    + floor(
      "Porting",
      // Sources made for Xcode: a rewriter, what stands in for Objective-C in its copies, what
      // makes packages of projects, and stand-ins for modules of Apple's.
      target("SourcePorter: SwiftOperators SwiftParser SwiftSyntax", for: "PortedSources"),
      program("SourcePorterTool: SourcePorter"), target("ProjectPorter"),
      target("ObjectiveCSupport: CoreData KeyValueCoding"),
      program("PortTool: ProjectPorter SourcePorter"),
      target("OSShim: Logging", for: "Shims"), target("OSLogShim: OSShim"),
      target("SecurityShim"), target("UserNotificationsShim"), target("CoreLocationShim"),
      target("FoundationSupport: CRuntime NotificationSequences StringComparators"),
      target(
        "CombineShim: CoreData OpenCombine OpenCombineDispatch OpenCombineFoundation",
        for: "Shims")
    )
    + [
      .plugin(
        name: "ManagedObjects", capability: .buildTool(), dependencies: ["ModelCompilerTool"]),
      .plugin(
        name: "PortedSources", capability: .buildTool(),
        dependencies: ["SourcePorterTool", "ModelCompilerTool"]),
      .plugin(name: "Port", capability: .command(intent: port), dependencies: ["PortTool"]),
      program(
        "SwiftDataLists: SwiftData CoreData ListKit ListData ListWeb ListApplication ArgumentParser"
      ).with(\.path, "Examples/SwiftDataLists"),
      // What tests wait by, and their ports and folders; a process to be killed; screens.
      target("TestSupport").with(\.path, "Tests/Support"),
      target("CoreDataSupport: CoreData").with(\.path, "Tests/CoreDataSupport"),
      target("SyncSupport: CoreDataSync").with(\.path, "Tests/SyncSupport"),
      program("StoreWriter: CoreData CoreDataSupport PostgreSQLStore TestSupport").with(
        \.path, "Tests/StoreWriter"),
      target("ListSamples: ListKit ListSnapshots").with(\.path, "Tests/ListSamples"),
      program("SyncDevice: CoreData CoreDataSupport CoreDataSync").with(\.path, "Tests/SyncDevice"),
      target("CoreDataSamples: CoreData CoreDataSupport CSQLite PostgreSQLServer TestSupport")
        .with(\.path, "Tests/CoreData/Support"),
      target(
        "SyncServerTests: SyncServer CoreDataCommand CoreDataSupport PostgreSQLServer PostgreSQLStore SyncDevice SyncSupport TestSupport"
      ),
      target(
        "PostgreSQLStoreTests: CoreData CoreDataSupport PostgreSQLStore PostgreSQLServer TestSupport"
      ),
      target("ProcessesTests: CoreData PostgreSQLServer StoreWriter TestSupport"),
      target("SwiftDataTests: SwiftData CoreData CSQLite TestSupport"),
      target("CoreDataSyncTests: CoreDataSync CoreData CoreDataSupport SyncSupport TestSupport"),
      target("SwiftDataSyncTests: SwiftDataSync SwiftData CoreDataSync SyncServer TestSupport"),
      target("SwiftDataClientTests: SwiftData").with(\.swiftSettings, xcode),
      target(
        "SwiftDataExpansionTests: SwiftDataExpansion/SwiftData SwiftParser SwiftSyntaxMacroExpansion"
          + " SwiftSyntaxMacros", for: "SwiftData"),
      target("ModelCompilerTests: ModelCompiler ModelDocuments CoreData"),
      target("ProjectPorterTests: ProjectPorter PortTool"),
      target("SourcePorterTests: SourcePorter ObjectiveCSupport TestSupport"),
      target(
        "StoreToolTests: StoreTool CoreData CoreDataSupport ModelDocuments CoreDataCommand PostgreSQLServer"
          + " PostgreSQLStore TestSupport"
      ).with(\.exclude, ["Golden"]),
      target("SourceCompatibilityTests: CoreData").with(\.plugins, ["ManagedObjects"])
        .with(\.swiftSettings, [.enableUpcomingFeature("InternalImportsByDefault")]),
      target("PortedSourcesTests: CoreData ObjectiveCSupport").with(\.plugins, ["PortedSources"])
        .with(\.path, "Tests/PortedSources/Running"),
      target(
        "ShimsTests: CoreData OSShim OSLogShim CombineShim FoundationSupport SecurityShim"
          + " UserNotificationsShim CoreLocationShim Logging",
        for: "Shims"
      ).with(\.plugins, ["ManagedObjects"]).with(\.swiftSettings, [.unsafeFlags(aliases)]),
      target("ListKitTests: ListKit TestSupport"),
      target("ListDataTests: CoreData ListData ListKit TestSupport"),
      target("ListTerminalTests: ListTerminal ListKit ListSamples TerminalDriver TestSupport"),
      target("ListWebTests: ListWeb ListSamples BrowserDriver TestSupport"),
      target(
        "ApplicationsTests: CoreData ListKit ListWeb ListApplication BrowserDriver TerminalDriver"
          + " PostgreSQLServer TestSupport SwiftDataLists StoreTool CoreDataCommand "
          + applications.joined(separator: " ")),
    ]
    + words("PostgreSQLServer TerminalDriver BrowserDriver").map {
      target("\($0): TestSupport").with(\.path, "Tests/\($0)")
    }
    + words("KeyValueCoding Predicates Undo ListSnapshots").map {
      target("\($0)Tests: \($0) TestSupport")
    }
    + words("IdiomaticClasses Articles").map {
      target("\($0)Tests: CoreData").with(\.plugins, ["ManagedObjects"])
    }
    // A target for each of Core Data's rooms: who changes one waits for its tests alone.
    + words(
      "Context Coordination FetchedResults Fetching History Migration Model ModelFiles Objects"
        + " Observing Predicates Stores Threads TransientRelationships"
    ).map {
      target(
        "CoreData\($0)Tests: CoreDataSamples CoreData CoreDataSupport CSQLite PostgreSQLServer StoreWriter"
          + " TestSupport"
      ).with(\.path, "Tests/CoreData/\($0)")
    }
    + applications.map {
      program("\($0): CoreData CoreDataSync ListKit ListData ListApplication ArgumentParser")
        .with(\.path, "Examples/\($0)").with(\.plugins, ["ManagedObjects"])
        .with(\.resources, $0 == "Books" ? [.copy("Books.sqlite")] : [])
    },
  swiftLanguageModes: [.v6]
)
// The benchmarks, for who asks: beside the tests, so that both are built from the same modules.
if Context.environment["OPENCOREDATA_BENCHMARKS"] != nil {
  package.dependencies += [.package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0")]
  let limit = target("Limit: CSQLite").with(\.path, "Benchmarks/Sources/Limit")
    .with(\.cSettings, [.unsafeFlags(words("-Wall -Wextra -O2"))])
  let benchmarks = program(
    "benchmarks: Limit CSQLite CPostgreSQL CoreData CoreDataSync PostgreSQLStore SwiftData"
  ).with(\.path, "Benchmarks/Sources/Benchmarks")
  benchmarks.dependencies.append(.product(name: "GRDB", package: "GRDB.swift"))
  package.targets += [limit, benchmarks]
}
for target in package.targets where isStrict && target.name != "CRuntime" {
  guard target.type != .system, target.type != .plugin else { continue }
  target.swiftSettings = [.treatAllWarnings(as: .error)] + (target.swiftSettings ?? [])
}
// A package manager builds the tools of every plugin that a dependency's products use, wanted or
// not: with the applications every client would build the model compiler, for its machine.
if !isStrict, Context.packageDirectory.split(separator: "/").dropLast().last == "checkouts" {
  package.products.removeAll {
    applications.contains(($0 as? Product.Executable)?.targets[0] ?? "")
  }
}
if let testTargets {
  package.targets.removeAll { $0.type == .test && !testTargets.contains($0.name) }
}
func words(_ text: String) -> [String] { text.split(separator: " ").map(String.init) }
/// The modules of a floor of `Sources`, each in its folder there.
func floor(_ name: String, _ modules: Target...) -> [Target] {
  modules.map { $0.with(\.path, "Sources/\(name)/\($0.name)") }
}
/// "MODULE: PKG-CONFIG'S-NAME DEBIAN'S-NAME".
func library(_ line: String) -> Target {
  let names = words(line)
  return .systemLibrary(
    name: String(names[0].dropLast()), pkgConfig: names[1], providers: [.apt([names[2]])])
}
func program(_ line: String) -> Target { target(line, .executable) }
/// "NAME: DEPENDENCIES", or "NAMETests: …", whose folder is `Tests/NAME`. Products of packages are
/// behind the trait, a module "NAME/TRAIT" is behind its own.
func target(
  _ line: String, _ type: Target.TargetType = .regular, for trait: String = "Web"
) -> Target {
  let name = String(line.prefix { $0 != ":" })
  let needs = words(line).dropFirst().map { word -> Target.Dependency in
    let parts = word.split(separator: "/").map(String.init)
    if let package = packages.first(where: { words($1).contains(word) })?.key {
      return .product(name: word, package: package, condition: .when(traits: [trait]))
    }
    return parts.count == 1
      ? .byName(name: word) : .target(name: parts[0], condition: .when(traits: [parts[1]]))
  }
  return switch name.hasSuffix("Tests") ? .test : type {
  case .executable: .executableTarget(name: name, dependencies: needs)
  case .macro: .macro(name: name, dependencies: needs)
  case .test: .testTarget(name: name, dependencies: needs, path: "Tests/\(name.dropLast(5))")
  default: .target(name: name, dependencies: needs)
  }
}
extension Target {
  func with<Value>(_ property: ReferenceWritableKeyPath<Target, Value>, _ value: Value) -> Target {
    self[keyPath: property] = value
    return self
  }
}
