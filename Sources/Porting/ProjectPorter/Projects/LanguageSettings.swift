/// Settings that change the meaning of sources. Settings that only forbid something are ignored:
/// sources that compile with them compile without them.
public struct LanguageSettings: Equatable, Sendable {
  /// Whether declarations belong to the main actor by default.
  public var isOfMainActor = false
  /// Enabled upcoming features, by the compiler's names.
  private(set) public var features: [String] = []

  /// Creates the compiler's defaults.
  public init() {}

  /// Enables an upcoming feature; ignored unless it changes the meaning of sources.
  mutating func enable(_ feature: String) {
    guard Self.telling.contains(feature), !features.contains(feature) else { return }
    features.append(feature)
  }

  private static let telling: Set<String> = [
    "BareSlashRegexLiterals", "ConciseMagicFile", "DisableOutwardActorInference",
    "DynamicActorIsolation", "ForwardTrailingClosures", "GlobalActorIsolatedTypesUsability",
    "ImplicitOpenExistentials", "InferIsolatedConformances", "InferSendableFromCaptures",
    "IsolatedDefaultValues", "NonisolatedNonsendingByDefault", "RegionBasedIsolation",
  ]

  /// The compiler's name of a feature: `NonisolatedNonsendingByDefault` for Xcode's
  /// `NONISOLATED_NONSENDING_BY_DEFAULT`.
  static func feature(ofXcode name: String) -> String {
    let joined = name.replacing("_", with: "").lowercased()
    return telling.first { $0.lowercased() == joined } ?? name
  }

  /// The features behind Xcode's setting `SWIFT_APPROACHABLE_CONCURRENCY`.
  static let approachableConcurrency = [
    "DisableOutwardActorInference", "GlobalActorIsolatedTypesUsability",
    "InferIsolatedConformances", "InferSendableFromCaptures", "NonisolatedNonsendingByDefault",
  ]

  /// Features that Swift 6 always has.
  private static let ofSwift6: Set<String> = [
    "BareSlashRegexLiterals", "ConciseMagicFile", "DisableOutwardActorInference",
    "DynamicActorIsolation", "ForwardTrailingClosures", "GlobalActorIsolatedTypesUsability",
    "ImplicitOpenExistentials", "InferSendableFromCaptures", "IsolatedDefaultValues",
    "RegionBasedIsolation",
  ]

  /// Features that only find more faults, of data that two threads share.
  private static let findingRaces: Set<String> = ["DynamicActorIsolation", "RegionBasedIsolation"]

  /// The settings as a manifest writes them, with the mode of the language.
  ///
  /// Sources of Swift 6 are compiled in the mode of Swift 5, with what Swift 6 changes of their
  /// meaning. Its errors about shared data go by what Apple's modules declare of their types, and
  /// modules here declare less: there, `XCTestCase` may be used on another thread.
  func settings(swiftVersion: Double) -> [String] {
    let ofVersion = swiftVersion < 6 ? [] : Self.ofSwift6.subtracting(Self.findingRaces)
    return [".swiftLanguageMode(.\(Self.mode(swiftVersion)))"]
      + (isOfMainActor ? [".defaultIsolation(MainActor.self)"] : [])
      + ofVersion.union(features).sorted().map { ".enableUpcomingFeature(\"\($0)\")" }
  }

  /// The newest of the compiler's modes up to Swift 5 that is not newer than the version, or else
  /// the oldest.
  private static func mode(_ swiftVersion: Double) -> String {
    switch swiftVersion {
    case 5...: "v5"
    case 4.2...: "v4_2"
    default: "v4"
    }
  }
}
