/// Third-party packages known to build on Linux. Manifests do not state that; other packages become
/// dependencies only if the command names them.
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

  /// Addresses of packages, by the names of their pods: CocoaPods has no build for Linux, the
  /// packages have.
  static let ofPods = [
    "Alamofire": "https://github.com/Alamofire/Alamofire",
    "CryptoSwift": "https://github.com/krzyzanowskim/CryptoSwift",
    "Nimble": "https://github.com/Quick/Nimble",
    "Quick": "https://github.com/Quick/Quick",
    "SwiftProtobuf": "https://github.com/apple/swift-protobuf",
    "SwiftSoup": "https://github.com/scinfu/SwiftSoup",
    "SwiftyJSON": "https://github.com/SwiftyJSON/SwiftyJSON",
    "Swinject": "https://github.com/Swinject/Swinject",
    "Yams": "https://github.com/jpsim/Yams",
    "ZIPFoundation": "https://github.com/weichsel/ZIPFoundation",
  ]

  /// Product names by module name, for modules whose product has another name.
  static let productsOfModules = [
    "OrderedCollections": "OrderedCollections", "DequeModule": "DequeModule",
    "HeapModule": "HeapModule",
    "XCTestDynamicOverlay": "XCTestDynamicOverlay", "IssueReporting": "IssueReporting",
  ]
}
