import Foundation

extension NSEntityDescription {
  /// The fetch indexes that the entity itself declares, without inherited ones.
  public final var indexes: [NSFetchIndexDescription] {
    get { storedIndexes }
    set {
      checkMutable()
      for index in storedIndexes where index.entity === self { index.attach(to: nil) }
      storedIndexes = newValue
      for index in newValue { index.attach(to: self) }
    }
  }

  /// Groups of attributes (names or attribute descriptions) whose combined values must be unique.
  public final var uniquenessConstraints: [[Any]] {
    get { storedUniquenessConstraints }
    set {
      checkMutable()
      storedUniquenessConstraints = newValue
    }
  }

  /// The uniqueness constraints as names. A group of no attributes, as builders of models make for
  /// an entity without constraints, is none.
  package final var uniquenessConstraintNames: [[String]] {
    storedUniquenessConstraints.filter { !$0.isEmpty }.map { group in
      group.map { element in
        (element as? NSPropertyDescription)?.name ?? (element as? String) ?? "\(element)"
      }
    }
  }

  /// Always empty; setting it does nothing, as in Apple's framework. Replaced by `indexes`.
  @available(*, deprecated, message: "Use NSEntityDescription.indexes instead")
  public final var compoundIndexes: [[Any]] {
    get { [] }
    set { checkMutable() }
  }

  /// The text that Spotlight shows for an object on Apple's systems; kept for the file, unused
  /// here.
  public final var coreSpotlightDisplayNameExpression: NSExpression! {
    get { storedDisplayNameExpression }
    set {
      checkMutable()
      storedDisplayNameExpression = newValue
    }
  }

  /// Copies indexes and constraints to a copy of this entity.
  package final func copyIndexes(to copy: NSEntityDescription) {
    copy.indexes = indexes.compactMap { $0.copy() as? NSFetchIndexDescription }
    copy.storedUniquenessConstraints = uniquenessConstraintNames
    copy.storedDisplayNameExpression = storedDisplayNameExpression
  }
}
