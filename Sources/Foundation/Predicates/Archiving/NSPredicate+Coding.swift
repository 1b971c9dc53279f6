import Foundation

// Foundation's predicates cannot be archived on this platform. This conformance of the base class
// covers both Foundation's predicates and ours. Its initialiser comes from a protocol extension,
// because an initialiser of the class cannot return an instance of another class.
extension NSPredicate: @retroactive NSSecureCoding {
  /// True: predicates support secure coding.
  public static var supportsSecureCoding: Bool { true }

  /// Writes the predicate as a format with its arguments. Traps for a block, which has no format.
  public func encode(with coder: NSCoder) { FormatText(archiving: self).encode(with: coder) }
}

extension PredicateFactory where Self: NSPredicate {
  /// Reads an archived predicate. Returns nil if the archive has none, or one of another class.
  public init?(coder: NSCoder) {
    guard let predicate = FormatText(coder: coder)?.predicate(failing: coder) else { return nil }
    // A compound with a single part was archived as that part.
    let compound = CompoundPredicate(andPredicateWithSubpredicates: [predicate])
    guard let result = predicate as? Self ?? compound as? Self else { return nil }
    self = result
  }
}
