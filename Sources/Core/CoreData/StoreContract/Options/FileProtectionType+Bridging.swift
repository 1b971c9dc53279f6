/// Makes `FileProtectionType.complete as NSObject` compile, as programs write it for a store
/// description's options. File protection has no effect here.
extension FileProtectionType: @retroactive _ObjectiveCBridgeable {
  /// The raw value as an object.
  public func _bridgeToObjectiveC() -> NSString { NSString(string: rawValue) }

  /// The type with this raw value.
  public static func _forceBridgeFromObjectiveC(
    _ source: NSString, result: inout FileProtectionType?
  ) {
    result = FileProtectionType(rawValue: source.description)
  }

  /// The type with this raw value; always succeeds.
  public static func _conditionallyBridgeFromObjectiveC(
    _ source: NSString, result: inout FileProtectionType?
  ) -> Bool {
    result = FileProtectionType(rawValue: source.description)
    return true
  }

  /// The type with this raw value; an empty one for nil.
  public static func _unconditionallyBridgeFromObjectiveC(
    _ source: NSString?
  ) -> FileProtectionType { FileProtectionType(rawValue: source?.description ?? "") }
}
