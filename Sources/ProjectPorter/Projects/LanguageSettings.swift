/// Settings that change what sources mean. Those that only forbid something are not among them: what was built with such a
/// setting is built without it.
public struct LanguageSettings: Equatable, Sendable {
  /// Whether what says nothing else belongs to the main actor.
  public var isOfMainActor = false
  /// Upcoming features, by the names that the compiler has for them.
  private(set) public var features: [String] = []

  public init() {}

  /// Takes in a feature, where it changes a meaning.
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

  /// `NONISOLATED_NONSENDING_BY_DEFAULT` of Xcode's is `NonisolatedNonsendingByDefault` of the compiler's.
  static func feature(ofXcode name: String) -> String {
    let joined = name.replacing("_", with: "").lowercased()
    return telling.first { $0.lowercased() == joined } ?? name
  }

  /// What Xcode's setting of one name stands for.
  static let approachableConcurrency = [
    "DisableOutwardActorInference", "GlobalActorIsolatedTypesUsability",
    "InferIsolatedConformances", "InferSendableFromCaptures", "NonisolatedNonsendingByDefault",
  ]

  /// Those that Swift 6 has anyway, where asking for one is a warning.
  private static let ofSwift6: Set<String> = [
    "BareSlashRegexLiterals", "ConciseMagicFile", "DisableOutwardActorInference",
    "DynamicActorIsolation", "ForwardTrailingClosures", "GlobalActorIsolatedTypesUsability",
    "ImplicitOpenExistentials", "InferSendableFromCaptures", "IsolatedDefaultValues",
    "RegionBasedIsolation",
  ]

  /// As a manifest writes them.
  func settings(swiftVersion: Double) -> [String] {
    (isOfMainActor ? [".defaultIsolation(MainActor.self)"] : [])
      + features.filter { swiftVersion < 6 || !Self.ofSwift6.contains($0) }.sorted()
      .map { ".enableUpcomingFeature(\"\($0)\")" }
  }
}
