import CoreData

/// As applications have it, found by the name that the model has: nobody registers it.
final class ShadeTransformer: ValueTransformer {
  override class func transformedValueClass() -> AnyClass { NSData.self }

  override func transformedValue(_ value: Any?) -> Any? {
    (value as? Shade).map { Data([$0.grey]) }
  }

  override func reverseTransformedValue(_ value: Any?) -> Any? {
    (value as? Data)?.first.map(Shade.init)
  }
}

final class Shade: NSObject {
  let grey: UInt8

  init(grey: UInt8) { self.grey = grey }
}

enum Kinds {
  final class SecureTransformer: NSSecureUnarchiveFromDataTransformer {}
}
