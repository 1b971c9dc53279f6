import Foundation

/// The transformers that exist without registration.
enum StandardTransformers {
  static let makers: [NSValueTransformerName: @Sendable () -> ValueTransformer] = [
    .negateBooleanTransformerName: { NegateBooleanTransformer() },
    .isNilTransformerName: { IsNilTransformer(answer: true) },
    .isNotNilTransformerName: { IsNilTransformer(answer: false) },
    .unarchiveFromDataTransformerName: { KeyedArchiveTransformer() },
    .keyedUnarchiveFromDataTransformerName: { KeyedArchiveTransformer() },
    .secureUnarchiveFromDataTransformerName: { NSSecureUnarchiveFromDataTransformer() },
    // Models also use the name of the class.
    NSValueTransformerName("NSSecureUnarchiveFromDataTransformer"): {
      NSSecureUnarchiveFromDataTransformer()
    },
  ]
}

private final class NegateBooleanTransformer: ValueTransformer {
  override class func transformedValueClass() -> AnyClass { NSNumber.self }

  override func transformedValue(_ value: Any?) -> Any? {
    NSNumber(value: !((ModelValue.bridged(value) as? NSNumber)?.boolValue ?? false))
  }
}

private final class IsNilTransformer: ValueTransformer {
  private let answer: Bool

  init(answer: Bool) {
    self.answer = answer
    super.init()
  }

  override class func transformedValueClass() -> AnyClass { NSNumber.self }
  override class func allowsReverseTransformation() -> Bool { false }

  override func transformedValue(_ value: Any?) -> Any? {
    NSNumber(value: (value == nil || value is NSNull) == answer)
  }
}

/// Converts data to an object and back, without restricting classes: the transformer of the two
/// older names.
private final class KeyedArchiveTransformer: ValueTransformer {
  override func transformedValue(_ value: Any?) -> Any? {
    guard let data = value as? Data else { return nil }
    // A value transformer cannot report an error: unreadable data gives nil, as on Apple's
    // platforms.
    guard ArchiveCheck.isWhole(data, allowing: nil),
      let unarchiver = try? NSKeyedUnarchiver(forReadingFrom: data)
    else { return nil }
    unarchiver.requiresSecureCoding = false
    defer { unarchiver.finishDecoding() }
    return unarchiver.decodeObject(forKey: NSKeyedArchiveRootObjectKey)
  }

  override func reverseTransformedValue(_ value: Any?) -> Any? {
    guard let value else { return nil }
    // Errors cannot be reported here either.
    return try? NSKeyedArchiver.archivedData(withRootObject: value, requiringSecureCoding: false)
  }
}

/// Converts a keyed archive to an object of one of the allowed classes, and back.
///
/// The default transformer of transformable attributes. A subclass can widen
/// `allowedTopLevelClasses`.
///
/// Source: developer.apple.com/documentation/foundation/nssecureunarchivefromdatatransformer
open class NSSecureUnarchiveFromDataTransformer: ValueTransformer {
  /// The classes that are allowed at the top level of an archive.
  open class var allowedTopLevelClasses: [AnyClass] {
    [
      NSArray.self, NSDictionary.self, NSSet.self, NSString.self, NSNumber.self, NSDate.self,
      NSData.self, NSURL.self, NSUUID.self, NSNull.self,
    ]
  }

  /// The object in an archive; nil if the data is not an archive or has a class that is not
  /// allowed.
  open override func transformedValue(_ value: Any?) -> Any? {
    guard let data = value as? Data else { return nil }
    let classes = Self.allowedTopLevelClasses.compactMap { $0 as? (NSObject & NSSecureCoding).Type }
    // A value transformer cannot report an error: unreadable data gives nil.
    guard ArchiveCheck.isWhole(data, allowing: classes) else { return nil }
    return try? NSKeyedUnarchiver.unarchivedObject(ofClasses: classes, from: data)
  }

  /// The archive of an object; nil if it cannot be archived securely.
  open override func reverseTransformedValue(_ value: Any?) -> Any? {
    guard let value else { return nil }
    // Errors cannot be reported here either.
    return try? NSKeyedArchiver.archivedData(withRootObject: value, requiringSecureCoding: true)
  }
}
