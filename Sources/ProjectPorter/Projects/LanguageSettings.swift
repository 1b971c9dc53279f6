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

  /// Features that Swift 6 always has; enabling one there is a warning.
  private static let ofSwift6: Set<String> = [
    "BareSlashRegexLiterals", "ConciseMagicFile", "DisableOutwardActorInference",
    "DynamicActorIsolation", "ForwardTrailingClosures", "GlobalActorIsolatedTypesUsability",
    "ImplicitOpenExistentials", "InferSendableFromCaptures", "IsolatedDefaultValues",
    "RegionBasedIsolation",
  ]

  /// The settings as a manifest writes them.
  func settings(swiftVersion: Double) -> [String] {
    (isOfMainActor ? [".defaultIsolation(MainActor.self)"] : [])
      + features.filter { swiftVersion < 6 || !Self.ofSwift6.contains($0) }.sorted()
      .map { ".enableUpcomingFeature(\"\($0)\")" }
  }
}
