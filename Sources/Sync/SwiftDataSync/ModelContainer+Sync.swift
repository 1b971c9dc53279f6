import SwiftData

extension ModelContainer {
  /// The engines of its synced stores, in the order in which these were opened: what they are
  /// doing, how much is left to send, and who lost what.
  public final var syncEngines: [SyncEngine] { mirrors.engines }
}
