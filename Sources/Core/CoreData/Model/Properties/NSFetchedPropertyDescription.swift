import Foundation

/// Describes a property whose value is the result of a fetch request.
///
/// The request's predicate may use `$FETCH_SOURCE` (the object) and `$FETCHED_PROPERTY` (this
/// description).
///
/// Source: developer.apple.com/documentation/coredata/nsfetchedpropertydescription
///
/// Unchecked Sendable for the reason given at `NSPropertyDescription`.
open class NSFetchedPropertyDescription: NSPropertyDescription, @unchecked Sendable {
  /// The request whose result is the value.
  open var fetchRequest: NSFetchRequest<NSFetchRequestResult>? { willSet { checkMutable() } }

  /// Makes a fetched property without a name and request; it is transient.
  public override init() {
    super.init()
    isTransient = true
  }

  package override func makeEmptyCopy() -> NSPropertyDescription {
    NSFetchedPropertyDescription()
  }

  package override func copyContents(to copy: NSPropertyDescription) {
    super.copyContents(to: copy)
    guard let copy = copy as? NSFetchedPropertyDescription else { return }
    copy.fetchRequest = fetchRequest?.copy() as? NSFetchRequest<NSFetchRequestResult>
  }

  package override func hasSameContents(as other: NSPropertyDescription) -> Bool {
    guard super.hasSameContents(as: other), let other = other as? NSFetchedPropertyDescription
    else { return false }
    return fetchRequest?.modelText == other.fetchRequest?.modelText
  }
}
