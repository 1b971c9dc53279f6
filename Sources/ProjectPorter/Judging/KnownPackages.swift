/// Packages of others that are known to build on Linux. Nothing in a manifest says so; those that are not here are taken
/// along when the command names them.
enum KnownPackages {
  static let onLinux: Set<String> = [
    "alamofire", "cryptoswift", "grdb.swift", "nimble", "quick", "sourcery", "swift-algorithms",
    "swift-argument-parser",
    "swift-asn1", "swift-async-algorithms", "swift-atomics", "swift-case-paths",
    "swift-certificates",
    "swift-clocks", "swift-collections", "swift-concurrency-extras", "swift-crypto",
    "swift-custom-dump",
    "swift-dependencies", "swift-distributed-tracing", "swift-http-types",
    "swift-identified-collections", "swift-log",
    "swift-markdown", "swift-metrics", "swift-nio", "swift-nonempty", "swift-numerics",
    "swift-overture",
    "swift-parsing", "swift-protobuf", "swift-service-context", "swift-syntax", "swift-system",
    "swift-tagged",
    "swift-url-routing", "swiftsoup", "swiftyjson", "swinject", "xctest-dynamic-overlay", "yams",
    "zipfoundation",
  ]

  /// Modules that are named otherwise than the product that has them.
  static let productsOfModules = [
    "OrderedCollections": "OrderedCollections", "DequeModule": "DequeModule",
    "HeapModule": "HeapModule",
    "XCTestDynamicOverlay": "XCTestDynamicOverlay", "IssueReporting": "IssueReporting",
  ]
}
