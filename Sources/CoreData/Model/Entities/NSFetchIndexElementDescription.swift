import Foundation

/// How an element of an index is kept.
///
/// Source: developer.apple.com/documentation/coredata/nsfetchindexelementtype
public enum NSFetchIndexElementType: UInt, Sendable {
  case binary = 0
  case rTree = 1
}

/// Describes one element of a fetch index: a property (or an expression) and its direction.
///
/// Source: developer.apple.com/documentation/coredata/nsfetchindexelementdescription
///
/// Sendable for the reason given at `NSPropertyDescription`.
open class NSFetchIndexElementDescription: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable
{
  package final weak var owner: NSFetchIndexDescription?

  /// The property that is indexed.
  open private(set) var property: NSPropertyDescription?
  /// How the element is kept.
  open var collationType: NSFetchIndexElementType { willSet { owner?.checkMutable() } }
  /// Whether the index runs from small to large.
  open var isAscending = true { willSet { owner?.checkMutable() } }

  private let storedPropertyName: String?

  /// Makes an element for a property; an expression is given as an `NSExpressionDescription`.
  public init(property: NSPropertyDescription, collationType: NSFetchIndexElementType) {
    self.property = property
    self.collationType = collationType
    storedPropertyName = property.name
  }

  /// Makes an element whose property is found by name when its entity is known.
  package init(propertyName: String, collationType: NSFetchIndexElementType) {
    self.collationType = collationType
    storedPropertyName = propertyName
  }

  open class var supportsSecureCoding: Bool { true }

  /// Writes the element, its property by its name.
  open func encode(with coder: NSCoder) {
    DescriptionCoding.encode(
      NSFetchIndexDescription(name: "element", elements: [detachedCopy]), with: coder)
  }

  /// Reads an archived element, which belongs to no index; nil, with the reason in the coder, for what is
  /// none.
  public required convenience init?(coder: NSCoder) {
    guard let element = DescriptionCoding.index(coder)?.elements.first else { return nil }
    if let expression = element.property as? NSExpressionDescription {
      self.init(property: expression, collationType: element.collationType)
    } else {
      self.init(propertyName: element.propertyName ?? "", collationType: element.collationType)
    }
    isAscending = element.isAscending
  }

  /// A copy that belongs to no index and knows its property by name.
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

  /// The name of the property that is indexed.
  open var propertyName: String? { property?.name ?? storedPropertyName }

  /// The index that the element is part of.
  open var indexDescription: NSFetchIndexDescription? { owner }

  /// Finds the property by name in an entity, unless it is an expression.
  package func resolveProperty(in entity: NSEntityDescription) {
    guard !(property is NSExpressionDescription), let name = propertyName else { return }
    property = entity.propertiesByName[name] ?? property
  }

  open func copy(with zone: NSZone? = nil) -> Any { detachedCopy }

  open override var hash: Int { propertyName.hashValue }

  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSFetchIndexElementDescription else { return false }
    return propertyName == other.propertyName && collationType == other.collationType
      && isAscending == other.isAscending
  }
}
