import Foundation

/// The storage form of an index element.
///
/// Source: developer.apple.com/documentation/coredata/nsfetchindexelementtype
public enum NSFetchIndexElementType: UInt, Sendable {
  /// A B-tree index.
  case binary = 0
  /// An R-tree index, for numbers.
  case rTree = 1
}

/// Describes one element of a fetch index: a property (or an expression) and its direction.
///
/// Source: developer.apple.com/documentation/coredata/nsfetchindexelementdescription
///
/// Unchecked Sendable for the reason given at `NSPropertyDescription`.
open class NSFetchIndexElementDescription: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable
{
  package final weak var owner: NSFetchIndexDescription?

  /// The indexed property.
  open private(set) var property: NSPropertyDescription?
  /// The storage form of the element.
  open var collationType: NSFetchIndexElementType { willSet { owner?.checkMutable() } }
  /// Whether the index is in ascending order.
  open var isAscending = true { willSet { owner?.checkMutable() } }

  private let storedPropertyName: String?

  /// Makes an element for a property; an expression is passed as an `NSExpressionDescription`.
  public init(property: NSPropertyDescription, collationType: NSFetchIndexElementType) {
    self.property = property
    self.collationType = collationType
    storedPropertyName = property.name
  }

  /// Makes an element whose property is resolved by name when its entity is known.
  package init(propertyName: String, collationType: NSFetchIndexElementType) {
    self.collationType = collationType
    storedPropertyName = propertyName
  }

  /// True: index elements support secure coding.
  open class var supportsSecureCoding: Bool { true }

  /// Writes the element, with its property by name.
  open func encode(with coder: NSCoder) {
    DescriptionCoding.encode(
      NSFetchIndexDescription(name: "element", elements: [detachedCopy]), with: coder)
  }

  /// Reads an archived element, which belongs to no index. Returns nil, with the error in the
  /// coder, if the archive has no element.
  public required convenience init?(coder: NSCoder) {
    guard let element = DescriptionCoding.index(coder)?.elements.first else { return nil }
    if let expression = element.property as? NSExpressionDescription {
      self.init(property: expression, collationType: element.collationType)
    } else {
      self.init(propertyName: element.propertyName ?? "", collationType: element.collationType)
    }
    isAscending = element.isAscending
  }

  /// A copy that belongs to no index and refers to its property by name.
  final var detachedCopy: NSFetchIndexElementDescription {
    let copy: NSFetchIndexElementDescription
    if let expression = property as? NSExpressionDescription {
      copy = .init(property: expression, collationType: collationType)
    } else {
      copy = .init(propertyName: propertyName ?? "", collationType: collationType)
    }
    copy.isAscending = isAscending
    return copy
  }

  /// The name of the indexed property.
  open var propertyName: String? { property?.name ?? storedPropertyName }

  /// The index that contains the element.
  open var indexDescription: NSFetchIndexDescription? { owner }

  /// Resolves the property by name in an entity, unless it is an expression.
  package func resolveProperty(in entity: NSEntityDescription) {
    guard !(property is NSExpressionDescription), let name = propertyName else { return }
    property = entity.propertiesByName[name] ?? property
  }

  /// A copy that belongs to no index.
  open func copy(with zone: NSZone? = nil) -> Any { detachedCopy }

  open override var hash: Int { propertyName.hashValue }

  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSFetchIndexElementDescription else { return false }
    return propertyName == other.propertyName && collationType == other.collationType
      && isAscending == other.isAscending
  }
}
