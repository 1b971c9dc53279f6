import Foundation

// Foundation's predicates cannot be archived on this platform. A conformance of the whole class makes
// them and ours so; its initialiser comes from a protocol, since one of the class's own could not give
// an instance of another class.
extension NSPredicate: @retroactive NSSecureCoding {
  public static var supportsSecureCoding: Bool { true }

  /// Writes the predicate as a format with its arguments. Traps for a block, which has no format.
  public func encode(with coder: NSCoder) { FormatText(archiving: self).encode(with: coder) }
}

extension PredicateFactory where Self: NSPredicate {
  /// Reads a predicate that was archived; nil for what is none of this class.
  public init?(coder: NSCoder) {
    guard let predicate = FormatText(coder: coder)?.predicate(failing: coder) else { return nil }
    // A compound of one was written as its part.
    let compound = CompoundPredicate(andPredicateWithSubpredicates: [predicate])
    guard let result = predicate as? Self ?? compound as? Self else { return nil }
    self = result
  }
}
