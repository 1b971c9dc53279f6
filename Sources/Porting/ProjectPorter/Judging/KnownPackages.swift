/// Third-party packages known to build on Linux. Manifests do not state that; other packages become
/// dependencies only if the command names them.
enum KnownPackages {
  private static let onLinux: Set<String> = [
    "alamofire", "anycodable", "async-http-client", "bigint", "codablecsv", "cryptoswift",
    "csv.swift", "factory", "grdb.swift", "hummingbird", "jwt-kit", "lrucache", "nimble",
    "objectmapper", "openapikit", "opencombine", "path.swift", "pathkit", "plot", "promisekit",
    "quick", "rainbow", "reactiveswift", "rxswift", "secp256k1.swift", "sourcery", "spectre",
    "stencil", "swcompression", "swift-algorithms", "swift-argument-parser", "swift-asn1",
    "swift-async-algorithms", "swift-atomics", "swift-case-paths", "swift-certificates",
    "swift-clocks", "swift-cmark", "swift-collections", "swift-concurrency-extras",
    "swift-configuration", "swift-crypto", "swift-custom-dump", "swift-dependencies",
    "swift-distributed-tracing", "swift-html", "swift-http-types", "swift-identified-collections",
    "swift-log", "swift-macro-testing", "swift-markdown", "swift-metrics", "swift-nio",
    "swift-nonempty", "swift-numerics", "swift-openapi-runtime", "swift-overture",
    "swift-parsing", "swift-protobuf", "swift-service-context", "swift-service-lifecycle",
    "swift-sharing", "swift-snapshot-testing", "swift-syntax", "swift-system", "swift-tagged",
    "swift-url-routing", "swiftcsv", "swiftdate", "swiftsoup", "swiftybeaver", "swiftyjson",
    "swinject", "swxmlhash", "tomlkit", "version", "xctest-dynamic-overlay", "xmlcoder", "yams",
    "zipfoundation",
  ]

  /// Those who write for servers: their packages build on Linux.
  private static let owners: Set<String> = [
    "apple", "grpc", "hummingbird-project", "swift-server", "swift-server-community", "swiftlang",
    "vapor",
  ]

  static func isOnLinux(_ package: RemotePackage) -> Bool {
    onLinux.contains(package.identity) || package.owner.map(owners.contains) ?? false
  }

  /// Addresses of packages, by the names of their pods: CocoaPods has no build for Linux, the
  /// packages have.
  static let ofPods = [
    "Alamofire": "https://github.com/Alamofire/Alamofire",
    "BigInt": "https://github.com/attaswift/BigInt",
    "CryptoSwift": "https://github.com/krzyzanowskim/CryptoSwift",
    "Nimble": "https://github.com/Quick/Nimble",
    "ObjectMapper": "https://github.com/tristanhimmelman/ObjectMapper",
    "PromiseKit": "https://github.com/mxcl/PromiseKit",
    "Quick": "https://github.com/Quick/Quick",
    "ReactiveSwift": "https://github.com/ReactiveCocoa/ReactiveSwift",
    "RxSwift": "https://github.com/ReactiveX/RxSwift",
    "SwiftDate": "https://github.com/malcommac/SwiftDate",
    "SwiftProtobuf": "https://github.com/apple/swift-protobuf",
    "SwiftSoup": "https://github.com/scinfu/SwiftSoup",
    "SwiftyJSON": "https://github.com/SwiftyJSON/SwiftyJSON",
    "SWXMLHash": "https://github.com/drmohundro/SWXMLHash",
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
