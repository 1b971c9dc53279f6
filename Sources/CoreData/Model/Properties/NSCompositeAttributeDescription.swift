import Foundation

/// Describes an attribute that is made of several named attributes, nested if need be.
///
/// Source: developer.apple.com/documentation/coredata/nscompositeattributedescription
///
/// Sendable for the reason given at `NSPropertyDescription`.
open class NSCompositeAttributeDescription: NSAttributeDescription, @unchecked Sendable {
  /// The attributes that make up the value.
  open var elements: [NSAttributeDescription] = [] { willSet { checkMutable() } }
  /// The name of the composite in the model file, for generated classes and written models.
  package final var compositeName: String?
  /// What a value that a migration finds gets for elements that are new to it, by their names. Nil where an element
  /// has its own default then, also where there was no value: a Swift structure without a value stays without.
  package final var newElementValues: [String: Any]?
  /// Whether it is a structure or an enumeration of Swift, whose elements come and go together.
  final var isSwiftValue: Bool { newElementValues != nil }

  public override init() {
    super.init()
    attributeType = .compositeAttributeType
  }

  /// That of the elements: neither the name of the composite nor whether it is optional counts.
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
