import Foundation

/// Describes an attribute whose value the store derives from other properties at each save.
///
/// Source: developer.apple.com/documentation/coredata/nsderivedattributedescription
///
/// Unchecked Sendable for the reason given at `NSPropertyDescription`.
open class NSDerivedAttributeDescription: NSAttributeDescription, @unchecked Sendable {
  /// The expression that computes the value.
  open var derivationExpression: NSExpression? { willSet { checkMutable() } }
  /// A predicate found in some archives of Apple's framework, kept for writing them again.
  package final var filteringPredicate: NSPredicate? { willSet { checkMutable() } }

  /// Makes a derived attribute without a name and expression.
  public override init() {}

  package override func makeEmptyCopy() -> NSPropertyDescription {
    NSDerivedAttributeDescription()
  }

  package override func copyContents(to copy: NSPropertyDescription) {
    super.copyContents(to: copy)
    guard let copy = copy as? NSDerivedAttributeDescription else { return }
    copy.derivationExpression = derivationExpression
    copy.filteringPredicate = filteringPredicate
  }

  package override func hasSameContents(as other: NSPropertyDescription) -> Bool {
    guard super.hasSameContents(as: other), let other = other as? NSDerivedAttributeDescription
    else { return false }
    return derivationExpression?.description == other.derivationExpression?.description
      && filteringPredicate?.modelText == other.filteringPredicate?.modelText
  }
}
