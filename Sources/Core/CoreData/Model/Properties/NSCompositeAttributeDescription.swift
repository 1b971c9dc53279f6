import Foundation

/// Describes an attribute that consists of several named attributes, which may be composite too.
///
/// Source: developer.apple.com/documentation/coredata/nscompositeattributedescription
///
/// Unchecked Sendable for the reason given at `NSPropertyDescription`.
open class NSCompositeAttributeDescription: NSAttributeDescription, @unchecked Sendable {
  /// The attributes of which the value consists.
  open var elements: [NSAttributeDescription] = [] { willSet { checkMutable() } }
  /// The name of the composite in the model file, for generated classes and written models.
  package final var compositeName: String?
  /// The values that a migration gives to new elements of an existing value, by element name. If
  /// nil, new elements get their own defaults, even in objects without a value; a Swift structure
  /// without a value stays without one.
  package final var newElementValues: [String: Any]?
  /// Whether the value is a structure or an enumeration of Swift, whose elements are all set or all
  /// nil.
  final var isSwiftValue: Bool { newElementValues != nil }

  /// Makes a composite attribute without a name and elements.
  public override init() {
    super.init()
    attributeType = .compositeAttributeType
  }

  /// The hash of the elements; the name of the composite and `isOptional` are not part of it.
  open override var versionHash: Data {
    VersionHash.composite(elements: elements.map { ($0.name, $0.versionHash) })
  }

  package override func makeEmptyCopy() -> NSPropertyDescription {
    NSCompositeAttributeDescription()
  }

  package override func copyContents(to copy: NSPropertyDescription) {
    super.copyContents(to: copy)
    guard let copy = copy as? NSCompositeAttributeDescription else { return }
    copy.elements = elements.compactMap { $0.copy() as? NSAttributeDescription }
    copy.compositeName = compositeName
    copy.newElementValues = newElementValues
  }

  package override func hasSameContents(as other: NSPropertyDescription) -> Bool {
    guard super.hasSameContents(as: other), let other = other as? NSCompositeAttributeDescription
    else { return false }
    return elements == other.elements
  }
}
