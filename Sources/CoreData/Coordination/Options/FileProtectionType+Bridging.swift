/// `FileProtectionType.complete as NSObject`, as it is written for a store description's options; which have no effect
/// here.
extension FileProtectionType: @retroactive _ObjectiveCBridgeable {
  public func _bridgeToObjectiveC() -> NSString { NSString(string: rawValue) }

  public static func _forceBridgeFromObjectiveC(
    _ source: NSString, result: inout FileProtectionType?
  ) {
    result = FileProtectionType(rawValue: source.description)
  }

  public static func _conditionallyBridgeFromObjectiveC(
    _ source: NSString, result: inout FileProtectionType?
  ) -> Bool {
    result = FileProtectionType(rawValue: source.description)
    return true
  }

  public static func _unconditionallyBridgeFromObjectiveC(
    _ source: NSString?
  ) -> FileProtectionType { FileProtectionType(rawValue: source?.description ?? "") }
}
