import CoreData

/// Leaves the values of transformable attributes as they are in the store: data, which only the application can turn
/// into its own values. Written back they are the same bytes.
final class RawValueTransformer: ValueTransformer, @unchecked Sendable {
  static let name: String = {
    let name = "OpenCoreDataRawValue"
    setValueTransformer(RawValueTransformer(), forName: NSValueTransformerName(name))
    return name
  }()

  override class func allowsReverseTransformation() -> Bool { true }
  override func transformedValue(_ value: Any?) -> Any? { value }
  override func reverseTransformedValue(_ value: Any?) -> Any? { value }
}
