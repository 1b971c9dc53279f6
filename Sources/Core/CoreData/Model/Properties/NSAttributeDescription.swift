import Foundation

/// Describes an attribute: a property that holds a value.
///
/// Source: developer.apple.com/documentation/coredata/nsattributedescription
///
/// Unchecked Sendable for the reason given at `NSPropertyDescription`.
open class NSAttributeDescription: NSPropertyDescription, @unchecked Sendable {
  private var storedType = NSAttributeType.undefinedAttributeType
  private var storedClassName: String?
  private var storedDefault: Any?

  /// Makes an attribute without a name and type.
  public override init() {}

  /// The type of the values. Setting it also sets `attributeValueClassName` to the class of the
  /// type.
  open var attributeType: NSAttributeType {
    get { storedType }
    set {
      checkMutable()
      storedType = newValue
      storedClassName = newValue.valueClassName
    }
  }

  /// The name of the values' class. Free to choose for transformable attributes.
  open var attributeValueClassName: String? {
    get { storedClassName }
    set {
      checkMutable()
      storedClassName = newValue
    }
  }

  /// The value of new objects. Numbers are returned as `NSNumber`.
  open var defaultValue: Any? {
    get { storedDefault }
    set {
      checkMutable()
      storedDefault = ModelValue.bridged(newValue)
    }
  }

  /// The registered name of the value transformer of a transformable attribute.
  open var valueTransformerName: String? { willSet { checkMutable() } }
  /// Whether large values may be stored in files beside the store.
  open var allowsExternalBinaryDataStorage = false { willSet { checkMutable() } }
  /// Whether the history keeps the last value when an object is deleted.
  open var preservesValueInHistoryOnDeletion = false { willSet { checkMutable() } }

  /// Whether nil is a value although the attribute is not optional: models of SwiftData read it as
  /// NaN, which SQLite keeps as nil.
  package final var readsNilAsNaN = false
  /// Whether CloudKit encrypts the value; kept for the file, unused here.
  open var allowsCloudEncryption = false { willSet { checkMutable() } }
  /// Whether generated classes use the scalar type (`Int64`) rather than `NSNumber`; only relevant
  /// to model files.
  package final var usesScalarValueType = false

  open override var versionHash: Data {
    VersionHash.attribute(
      versionHashBase, type: attributeType.rawValue, isExternal: allowsExternalBinaryDataStorage,
      isPreservedOnDeletion: preservesValueInHistoryOnDeletion)
  }

  package override func makeEmptyCopy() -> NSPropertyDescription {
    NSAttributeDescription()
  }

  package override func copyContents(to copy: NSPropertyDescription) {
    super.copyContents(to: copy)
    guard let copy = copy as? NSAttributeDescription else { return }
    copy.attributeType = attributeType
    copy.attributeValueClassName = attributeValueClassName
    copy.defaultValue = defaultValue
    copy.valueTransformerName = valueTransformerName
    copy.allowsExternalBinaryDataStorage = allowsExternalBinaryDataStorage
    copy.preservesValueInHistoryOnDeletion = preservesValueInHistoryOnDeletion
    copy.readsNilAsNaN = readsNilAsNaN
    copy.allowsCloudEncryption = allowsCloudEncryption
    copy.usesScalarValueType = usesScalarValueType
  }

  package override func hasSameContents(as other: NSPropertyDescription) -> Bool {
    guard super.hasSameContents(as: other), let other = other as? NSAttributeDescription else {
      return false
    }
    return attributeType == other.attributeType
      && attributeValueClassName == other.attributeValueClassName
      && ModelValue.areEqual(defaultValue, other.defaultValue)
      && valueTransformerName == other.valueTransformerName
      && allowsExternalBinaryDataStorage == other.allowsExternalBinaryDataStorage
      && preservesValueInHistoryOnDeletion == other.preservesValueInHistoryOnDeletion
      && allowsCloudEncryption == other.allowsCloudEncryption
  }
}
