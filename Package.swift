// swift-tools-version: 6.2
import CompilerPluginSupport
import PackageDescription

// `make` sets this for every build of the project itself; a client of the package never sees it, so a
// warning of a newer compiler cannot break the client's build.
let strict: [SwiftSetting] =
  Context.environment["OPENCOREDATA_STRICT"] == nil ? [] : [.treatAllWarnings(as: .error)]

// The test targets of this build, separated by commas; all of them unless it is set. Naming few makes a build short: SwiftPM
// builds the tools of every plugin that any target of the package uses, swift-syntax among them.
let testTargets = Context.environment["OPENCOREDATA_TESTS"]?.split(separator: ",").map(String.init)

// What a client of Core Data alone must not pay for: `make` asks for it, and so does who uses ListKit.
let onTheWeb: TargetDependencyCondition? = .when(traits: ["Web"])
// swift-syntax, which takes two minutes to build.
let ofPortedSources: TargetDependencyCondition? = .when(traits: ["PortedSources"])
// Its macros need swift-syntax too.
let ofSwiftData: TargetDependencyCondition? = .when(traits: ["SwiftData"])

let package = Package(
  name: "OpenCoreData",
  products: [
    .library(name: "CoreData", targets: ["CoreData"]),
    // With libpq, which nothing else links.
    .library(name: "CoreDataPostgreSQL", targets: ["PostgreSQLStore"]),
    // With macros: the trait SwiftData.
    .library(name: "SwiftData", targets: ["SwiftData"]),
    .library(name: "ListKit", targets: ["ListKit", "ListData", "ListWeb"]),
    .library(name: "ListTerminal", targets: ["ListKit", "ListData", "ListTerminal"]),
    .plugin(name: "ManagedObjects", targets: ["ManagedObjects"]),
    .plugin(name: "Port", targets: ["Port"]),
    // Stand-ins for modules of Apple's, under names of their own: a module `os` beside those of other
    // packages would answer their `canImport(os)` too. `-module-alias os=OSShim` makes it `os` to a target.
    .library(name: "OSShim", targets: ["OSShim"]),
    .library(name: "OSLogShim", targets: ["OSLogShim"]),
    .library(name: "SecurityShim", targets: ["SecurityShim"]),
    .library(name: "CombineShim", targets: ["CombineShim"]),
    .library(name: "FoundationSupport", targets: ["FoundationSupport"]),
    .plugin(name: "PortedSources", targets: ["PortedSources"]),
    // What copies of ported sources import.
    .library(name: "ObjectiveCSupport", targets: ["ObjectiveCSupport"]),
    .executable(name: "coredata", targets: ["CoreDataCommand"]),
    .executable(name: "nested-lists", targets: ["NestedLists"]),
    .executable(name: "goods", targets: ["Goods"]),
    .executable(name: "books", targets: ["Books"]),
    .executable(name: "heroes", targets: ["Heroes"]),
    .executable(name: "employees", targets: ["Employees"]),
    .executable(name: "todomvc", targets: ["TodoMVC"]),
    .executable(name: "swiftdata-lists", targets: ["SwiftDataLists"]),
  ],
  traits: [
    .trait(name: "Web", description: "Shows ListKit in a browser, and builds the applications."),
    // It shows stores in a browser too.
    .trait(name: "Tool", description: "Builds the command coredata.", enabledTraits: ["Web"]),
    .trait(
      name: "PostgreSQL",
      description: "Lets the applications keep their objects on a PostgreSQL server, with libpq."),
    .trait(name: "Shims", description: "Builds the stand-ins for modules of Apple's."),
    .trait(
      name: "PortedSources",
      description: "Compiles sources made for Xcode as they stand, with swift-syntax."),
    .trait(name: "SwiftData", description: "Builds the macros of SwiftData, with swift-syntax."),
  ],
  dependencies: [
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
    .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
    .package(url: "https://github.com/swiftlang/swift-syntax", "602.0.0"..<"604.0.0"),
  ],
  targets: [
    // The C libraries underneath.
    .systemLibrary(
      name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(name: "CPostgreSQL", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
    .target(name: "CRuntime"),

    // Core Data, from the bottom up.
    .target(name: "KeyValueCoding", swiftSettings: strict),
    .target(
      name: "Predicates", dependencies: ["KeyValueCoding", "CRuntime"], swiftSettings: strict,
      // ICU, which Foundation brings along: strings in the order of a language.
      linkerSettings: [.linkedLibrary("_FoundationICU")]),
    .target(name: "Undo", swiftSettings: strict),
    .target(name: "ListSnapshots", swiftSettings: strict),
    // `notifications(named:)`, which Foundation lacks here.
    .target(name: "NotificationSequences", swiftSettings: strict),
    // What model files say, and the hashes of it: all that the plugin's tool needs.
    .target(name: "ModelDocuments", swiftSettings: strict),
    .target(
      name: "CoreData",
      dependencies: [
        "KeyValueCoding", "Predicates", "Undo", "ListSnapshots", "NotificationSequences",
        "ModelDocuments", "CSQLite", "CZlib", "CRuntime",
      ],
      swiftSettings: strict),

    // The same objects on a PostgreSQL server.
    .target(
      name: "PostgreSQLStore", dependencies: ["CoreData", "CPostgreSQL"], swiftSettings: strict),

    // Models that are plain Swift classes, on the same contexts and stores.
    .target(
      name: "SwiftData",
      dependencies: [
        "CoreData", "Predicates", "Undo", "CRuntime",
        .target(name: "SwiftDataMacros", condition: ofSwiftData),
      ],
      swiftSettings: strict),
    // What the macros write, and the plugin that the compiler asks for it.
    .target(
      name: "SwiftDataExpansion",
      dependencies: ["SwiftSyntax", "SwiftSyntaxMacros", "SwiftDiagnostics"]
        .map { .product(name: $0, package: "swift-syntax", condition: ofSwiftData) },
      swiftSettings: strict),
    .macro(
      name: "SwiftDataMacros",
      dependencies: [
        "SwiftDataExpansion",
        .product(
          name: "SwiftCompilerPlugin", package: "swift-syntax", condition: ofSwiftData),
        .product(name: "SwiftSyntaxMacros", package: "swift-syntax", condition: ofSwiftData),
      ],
      swiftSettings: strict),

    // Model files to Swift classes, for targets with a model.
    .target(name: "ModelCompiler", dependencies: ["ModelDocuments"], swiftSettings: strict),
    .executableTarget(
      name: "ModelCompilerTool", dependencies: ["ModelCompiler"], swiftSettings: strict),
    .plugin(
      name: "ManagedObjects", capability: .buildTool(), dependencies: ["ModelCompilerTool"]),

    // Sources made for Xcode: a rewriter, and what stands in for Objective-C in the copies that it makes.
    .target(
      name: "SourcePorter",
      dependencies: [
        .product(name: "SwiftOperators", package: "swift-syntax", condition: ofPortedSources),
        .product(name: "SwiftParser", package: "swift-syntax", condition: ofPortedSources),
        .product(name: "SwiftSyntax", package: "swift-syntax", condition: ofPortedSources),
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "SourcePorterTool", dependencies: ["SourcePorter"], swiftSettings: strict),
    .plugin(
      name: "PortedSources", capability: .buildTool(),
      dependencies: ["SourcePorterTool", "ModelCompilerTool"]),
    .target(
      name: "ObjectiveCSupport", dependencies: ["CoreData", "KeyValueCoding"],
      swiftSettings: strict),

    // The command `coredata`: what it does, and its command line. The folder has another name than the
    // product, since `CoreData` and `coredata` are one folder to some file systems.
    .target(
      name: "StoreTool", dependencies: ["CoreData", "ModelCompiler", "ModelDocuments"],
      swiftSettings: strict),
    // `coredata browse`: any store as an application.
    .target(
      name: "StoreBrowser",
      dependencies: ["StoreTool", "CoreData", "ListKit", "ListData", "ListApplication"],
      swiftSettings: strict),
    .executableTarget(
      name: "CoreDataCommand",
      dependencies: [
        "StoreTool", "StoreBrowser",
        .product(
          name: "ArgumentParser", package: "swift-argument-parser", condition: onTheWeb),
      ],
      swiftSettings: strict),

    // `swift package port`: from a project made for Xcode to a package.
    .target(name: "ProjectPorter", swiftSettings: strict),
    .executableTarget(
      name: "PortTool", dependencies: ["ProjectPorter", "SourcePorter"], swiftSettings: strict),
    .plugin(
      name: "Port",
      capability: .command(
        intent: .custom(
          verb: "port",
          description:
            "Writes a package that builds on Linux what a project made for Xcode has of Core Data.")
      ),
      dependencies: ["PortTool"]),

    // Stand-ins for modules of Apple's that sources made for Xcode import.
    .target(
      name: "OSShim",
      dependencies: [
        .product(name: "Logging", package: "swift-log", condition: .when(traits: ["Shims"]))
      ],
      swiftSettings: strict),
    .target(name: "OSLogShim", dependencies: ["OSShim"], swiftSettings: strict),
    .target(name: "SecurityShim", swiftSettings: strict),
    .target(
      name: "CombineShim",
      dependencies: ["CoreData"]
        + ["OpenCombine", "OpenCombineDispatch", "OpenCombineFoundation"].map {
          .product(name: $0, package: "OpenCombine", condition: .when(traits: ["Shims"]))
        },
      swiftSettings: strict),
    .target(
      name: "FoundationSupport", dependencies: ["CRuntime", "NotificationSequences"],
      swiftSettings: strict),

    // Lists without pixels, and what draws them.
    .target(name: "ListKit", dependencies: ["ListSnapshots", "Undo"], swiftSettings: strict),
    .target(name: "ListData", dependencies: ["CoreData", "ListKit"], swiftSettings: strict),
    .target(
      name: "ListWeb",
      dependencies: [
        "ListKit",
        .product(name: "Hummingbird", package: "hummingbird", condition: onTheWeb),
        .product(name: "Logging", package: "swift-log", condition: onTheWeb),
      ],
      resources: [.embedInCode("Page")],
      swiftSettings: strict),
    .target(
      name: "ListTerminal", dependencies: ["ListKit", "ListSnapshots", "Undo"],
      swiftSettings: strict,
      // ICU, which Foundation brings along: the width of characters.
      linkerSettings: [.linkedLibrary("_FoundationICU")]),

    // What the applications and `coredata browse` share: stack, command line, undo buttons, questions.
    .target(
      name: "ListApplication",
      dependencies: [
        "CoreData", "ListKit", "ListTerminal", "ListWeb",
        // Linked into a program, it registers its type of store.
        .target(name: "PostgreSQLStore", condition: .when(traits: ["PostgreSQL"])),
        .product(
          name: "ArgumentParser", package: "swift-argument-parser", condition: onTheWeb),
      ],
      path: "Examples/Shared",
      swiftSettings: strict),

    // The applications.
    .application("NestedLists"),
    .application("Goods"),
    .application("Books", resources: [.copy("Books.sqlite")]),
    .application("Heroes"),
    .application("Employees"),
    .application("TodoMVC"),
    // On SwiftData, without a model file.
    .executableTarget(
      name: "SwiftDataLists",
      dependencies: [
        "SwiftData", "CoreData", "ListKit", "ListData", "ListWeb", "ListApplication",
        .product(
          name: "ArgumentParser", package: "swift-argument-parser", condition: onTheWeb),
      ],
      path: "Examples/SwiftDataLists", swiftSettings: strict),

    // One test target per module, in the folder of the same name.
    .testTarget(
      name: "KeyValueCodingTests", dependencies: ["KeyValueCoding"], path: "Tests/KeyValueCoding",
      swiftSettings: strict),
    .testTarget(
      name: "PredicatesTests", dependencies: ["Predicates"], path: "Tests/Predicates",
      swiftSettings: strict),
    .testTarget(
      name: "UndoTests", dependencies: ["Undo"], path: "Tests/Undo", swiftSettings: strict),
    .testTarget(
      name: "ListSnapshotsTests", dependencies: ["ListSnapshots"], path: "Tests/ListSnapshots",
      swiftSettings: strict),
    .testTarget(
      name: "CoreDataTests",
      dependencies: ["CoreData", "CSQLite", "PostgreSQLServer", "StoreWriter", "TestSupport"],
      path: "Tests/CoreData", exclude: ["Fixtures"], swiftSettings: strict),
    // What tests of all targets wait by, and the ports, folders and names that nobody else has.
    .target(name: "TestSupport", path: "Tests/Support", swiftSettings: strict),
    // A PostgreSQL server for the length of a test process.
    .target(
      name: "PostgreSQLServer", dependencies: ["TestSupport"], path: "Tests/PostgreSQLServer",
      swiftSettings: strict),
    .testTarget(
      name: "PostgreSQLStoreTests",
      dependencies: ["CoreData", "PostgreSQLStore", "PostgreSQLServer", "TestSupport"],
      path: "Tests/PostgreSQLStore", swiftSettings: strict),
    // Several processes on one store, and processes that are killed.
    .executableTarget(
      name: "StoreWriter", dependencies: ["CoreData", "PostgreSQLStore", "TestSupport"],
      path: "Tests/StoreWriter",
      swiftSettings: strict),
    .testTarget(
      name: "ProcessesTests",
      dependencies: ["CoreData", "PostgreSQLServer", "StoreWriter", "TestSupport"],
      path: "Tests/Processes",
      swiftSettings: strict),
    .testTarget(
      name: "SwiftDataTests", dependencies: ["SwiftData", "CoreData", "CSQLite", "TestSupport"],
      path: "Tests/SwiftData",
      swiftSettings: strict),
    // An application's models, with the settings that new projects of Xcode have, and those that Swift has yet to make its own.
    .testTarget(
      name: "SwiftDataClientTests", dependencies: ["SwiftData"], path: "Tests/SwiftDataClient",
      swiftSettings: strict + [.defaultIsolation(MainActor.self)]
        + [
          "ExistentialAny", "InferIsolatedConformances", "InternalImportsByDefault",
          "MemberImportVisibility", "NonisolatedNonsendingByDefault",
        ].map { .enableUpcomingFeature($0) }),
    // What the macros write, and what they say of sources that are no models.
    .testTarget(
      name: "SwiftDataExpansionTests",
      dependencies: [.target(name: "SwiftDataExpansion", condition: ofSwiftData)]
        + ["SwiftParser", "SwiftSyntaxMacroExpansion", "SwiftSyntaxMacros"].map {
          .product(name: $0, package: "swift-syntax", condition: ofSwiftData)
        },
      path: "Tests/SwiftDataExpansion", swiftSettings: strict),
    .testTarget(
      name: "ModelCompilerTests", dependencies: ["ModelCompiler", "ModelDocuments", "CoreData"],
      path: "Tests/ModelCompiler", swiftSettings: strict),
    .testTarget(
      name: "StoreToolTests",
      dependencies: [
        "StoreTool", "CoreData", "ModelDocuments", "CoreDataCommand", "PostgreSQLServer",
        "PostgreSQLStore", "TestSupport",
      ],
      path: "Tests/StoreTool", exclude: ["Golden"], swiftSettings: strict),
    .testTarget(
      name: "SourceCompatibilityTests", dependencies: ["CoreData"],
      path: "Tests/SourceCompatibility",
      swiftSettings: strict + [.enableUpcomingFeature("InternalImportsByDefault")],
      plugins: ["ManagedObjects"]),
    .testTarget(
      name: "IdiomaticClassesTests", dependencies: ["CoreData"], path: "Tests/IdiomaticClasses",
      swiftSettings: strict, plugins: ["ManagedObjects"]),
    .testTarget(
      name: "SourcePorterTests",
      dependencies: ["SourcePorter", "ObjectiveCSupport", "TestSupport"],
      path: "Tests/SourcePorter", swiftSettings: strict),
    // Sources made for Xcode, ported by the plugin, and what they do.
    .testTarget(
      name: "PortedSourcesTests", dependencies: ["CoreData", "ObjectiveCSupport"],
      path: "Tests/PortedSources/Running", swiftSettings: strict, plugins: ["PortedSources"]),
    // The code of articles that need a model of their own.
    .testTarget(
      name: "ArticlesTests", dependencies: ["CoreData"], path: "Tests/Articles",
      swiftSettings: strict, plugins: ["ManagedObjects"]),
    .testTarget(
      name: "ProjectPorterTests", dependencies: ["ProjectPorter", "PortTool"],
      path: "Tests/ProjectPorter", swiftSettings: strict),
    // Written as for Apple's systems.
    .testTarget(
      name: "ShimsTests",
      dependencies: [
        "CoreData", "OSShim", "OSLogShim", "CombineShim", "FoundationSupport", "SecurityShim",
        .product(name: "Logging", package: "swift-log", condition: .when(traits: ["Shims"])),
      ],
      path: "Tests/Shims",
      swiftSettings: strict + [
        .unsafeFlags(
          ["os=OSShim", "OSLog=OSLogShim", "Combine=CombineShim", "Security=SecurityShim"]
            .flatMap { ["-module-alias", $0] })
      ],
      plugins: ["ManagedObjects"]),
    .testTarget(
      name: "ListKitTests", dependencies: ["ListKit"], path: "Tests/ListKit",
      swiftSettings: strict),
    .testTarget(
      name: "ListDataTests", dependencies: ["CoreData", "ListData", "ListKit"],
      path: "Tests/ListData", swiftSettings: strict),
    // A pseudo-terminal and a screen, for the tests of ListTerminal and of the applications in it.
    .target(
      name: "TerminalDriver", dependencies: ["TestSupport"], path: "Tests/TerminalDriver",
      swiftSettings: strict),
    .testTarget(
      name: "ListTerminalTests",
      dependencies: ["ListTerminal", "ListKit", "ListSamples", "TerminalDriver", "TestSupport"],
      path: "Tests/ListTerminal", swiftSettings: strict),
    // Screens that are shown in browser and terminal alike.
    .target(
      name: "ListSamples", dependencies: ["ListKit", "ListSnapshots"], path: "Tests/ListSamples",
      swiftSettings: strict),
    // Drives headless Chromium for the tests of pages.
    .target(
      name: "BrowserDriver", dependencies: ["TestSupport"], path: "Tests/BrowserDriver",
      swiftSettings: strict),
    .testTarget(
      name: "ListWebTests",
      dependencies: ["ListWeb", "ListSamples", "BrowserDriver", "TestSupport"],
      path: "Tests/ListWeb",
      swiftSettings: strict),
    .testTarget(
      name: "ApplicationsTests",
      dependencies: [
        "CoreData", "ListKit", "ListWeb", "ListApplication", "BrowserDriver", "TerminalDriver",
        "PostgreSQLServer", "TestSupport", "NestedLists", "Goods", "Books", "Heroes", "Employees",
        "TodoMVC",
        "SwiftDataLists",
        "StoreTool",
        "CoreDataCommand",
      ],
      path: "Tests/Applications", swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)

// A package manager builds the tools of every plugin that a product of a dependency uses, whether anybody asks for that product
// or not: with the applications every client would build the model compiler, for its machine.
let folders = Context.packageDirectory.split(separator: "/")
if Context.environment["OPENCOREDATA_STRICT"] == nil, folders.dropLast().last == "checkouts" {
  let applications: Set = ["nested-lists", "goods", "books", "heroes", "employees", "todomvc"]
  package.products.removeAll { applications.contains($0.name) }
}

if let testTargets {
  package.targets.removeAll { $0.type == .test && !testTargets.contains($0.name) }
}

extension Target {
  /// An application of the folder of its name, with a model.
  fileprivate static func application(
    _ name: String, resources: [Resource] = []
  ) -> Target {
    .executableTarget(
      name: name,
      dependencies: [
        "CoreData", "ListKit", "ListData", "ListApplication",
        .product(
          name: "ArgumentParser", package: "swift-argument-parser", condition: onTheWeb),
      ],
      path: "Examples/\(name)", resources: resources, swiftSettings: strict,
      plugins: ["ManagedObjects"])
  }
}
