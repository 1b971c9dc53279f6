import CoreData

/// Keeps the values of transformable attributes as data, which only the application can decode.
/// They are written back unchanged.
final class RawValueTransformer: ValueTransformer {
  static let name: String = {
    let name = "OpenCoreDataRawValue"
    setValueTransformer(RawValueTransformer(), forName: NSValueTransformerName(name))
    return name
  }()

  override class func allowsReverseTransformation() -> Bool { true }
  override func transformedValue(_ value: Any?) -> Any? { value }
  override func reverseTransformedValue(_ value: Any?) -> Any? { value }
}
