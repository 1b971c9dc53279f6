extension NSAttributeDescription {
  /// The type of an attribute's values, in the form of Apple's Swift overlay.
  public struct AttributeType: Hashable, RawRepresentable, Sendable {
    /// The type as `NSAttributeType`.
    public var rawValue: NSAttributeType

    /// Makes the type from an `NSAttributeType`.
    public init(rawValue: NSAttributeType) {
      self.rawValue = rawValue
    }

    /// No type, for transient attributes.
    public static let undefined = AttributeType(rawValue: .undefinedAttributeType)
    /// 16-bit integers.
    public static let integer16 = AttributeType(rawValue: .integer16AttributeType)
    /// 32-bit integers.
    public static let integer32 = AttributeType(rawValue: .integer32AttributeType)
    /// 64-bit integers.
    public static let integer64 = AttributeType(rawValue: .integer64AttributeType)
    /// Decimal numbers (`NSDecimalNumber`).
    public static let decimal = AttributeType(rawValue: .decimalAttributeType)
    /// 64-bit floating-point numbers.
    public static let double = AttributeType(rawValue: .doubleAttributeType)
    /// 32-bit floating-point numbers.
    public static let float = AttributeType(rawValue: .floatAttributeType)
    /// Strings.
    public static let string = AttributeType(rawValue: .stringAttributeType)
    /// Booleans.
    public static let boolean = AttributeType(rawValue: .booleanAttributeType)
    /// Dates.
    public static let date = AttributeType(rawValue: .dateAttributeType)
    /// Binary data.
    public static let binaryData = AttributeType(rawValue: .binaryDataAttributeType)
    /// UUIDs.
    public static let uuid = AttributeType(rawValue: .UUIDAttributeType)
    /// URLs.
    public static let uri = AttributeType(rawValue: .URIAttributeType)
    /// Objects that a value transformer converts to data.
    public static let transformable = AttributeType(rawValue: .transformableAttributeType)
    /// Object IDs.
    public static let objectID = AttributeType(rawValue: .objectIDAttributeType)
    /// Values made of several named attributes (``NSCompositeAttributeDescription``).
    public static let composite = AttributeType(rawValue: .compositeAttributeType)
  }

  /// The type of the values, equal to `attributeType`.
  public var type: AttributeType {
    get { AttributeType(rawValue: attributeType) }
    set { attributeType = newValue.rawValue }
  }
}
