// swift-tools-version: 6.2
import PackageDescription

// As in the package above: the project's own builds take a warning for an error.
let strict: [SwiftSetting] =
  Context.environment["OPENCOREDATA_STRICT"] == nil ? [] : [.treatAllWarnings(as: .error)]

let package = Package(
  name: "Benchmarks",
  dependencies: [
    .package(name: "OpenCoreData", path: "..", traits: ["SwiftData"]),
    .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
  ],
  targets: [
    .systemLibrary(
      name: "RawSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(
      name: "RawPostgreSQL", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
    .target(
      name: "Limit", dependencies: ["RawSQLite"], path: "Sources/Limit",
      cSettings: [.unsafeFlags(["-Wall", "-Wextra", "-O2"])]),
    .executableTarget(
      name: "benchmarks",
      dependencies: [
        "Limit", "RawSQLite", "RawPostgreSQL",
        .product(name: "CoreData", package: "OpenCoreData"),
        .product(name: "CoreDataSync", package: "OpenCoreData"),
        .product(name: "CoreDataPostgreSQL", package: "OpenCoreData"),
        .product(name: "SwiftData", package: "OpenCoreData"),
        .product(name: "GRDB", package: "GRDB.swift"),
      ],
      path: "Sources/Benchmarks",
      swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)
