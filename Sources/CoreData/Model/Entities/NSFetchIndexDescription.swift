import Foundation

/// Describes an index of an entity's table.
///
/// Source: developer.apple.com/documentation/coredata/nsfetchindexdescription
///
/// Sendable for the reason given at `NSPropertyDescription`.
open class NSFetchIndexDescription: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  @Soft private var owner: NSEntityDescription?

  /// The name, unique within the entity; it becomes part of the index's name in the store.
  open var name: String { willSet { checkMutable() } }
  /// The elements, the most significant first.
  open var elements: [NSFetchIndexElementDescription] {
    willSet { checkMutable() }
    didSet { adoptElements() }
  }
  /// Which rows the index covers; nil covers all.
  open var partialIndexPredicate: NSPredicate? { willSet { checkMutable() } }

  /// Makes an index of the given elements.
  public init(name: String, elements: [NSFetchIndexElementDescription]?) {
    self.name = name
    self.elements = elements ?? []
    super.init()
    adoptElements()
  }

  open class var supportsSecureCoding: Bool { true }

  /// Writes the index, its properties by their names.
  open func encode(with coder: NSCoder) { DescriptionCoding.encode(self, with: coder) }

  /// Reads an archived index, which belongs to no entity; nil, with the reason in the coder, for what is
  /// none.
  public required convenience init?(coder: NSCoder) {
    guard let index = DescriptionCoding.index(coder) else { return nil }
    self.init(name: index.name, elements: index.elements.map(\.detachedCopy))
    partialIndexPredicate = index.partialIndexPredicate
  }

  /// The entity that the index belongs to.
  open var entity: NSEntityDescription? { owner }

  /// Makes the index part of an entity and finds its properties there.
  package func attach(to entity: NSEntityDescription?) {
    owner = entity
    guard let entity else { return }
    for element in elements { element.resolveProperty(in: entity) }
  }

  package func checkMutable() {
    owner?.checkMutable()
  }

  private func adoptElements() {
    for element in elements { element.owner = self }
  }

  open func copy(with zone: NSZone? = nil) -> Any {
    let elements = elements.compactMap { $0.copy() as? NSFetchIndexElementDescription }
    let copy = NSFetchIndexDescription(name: name, elements: elements)
    copy.partialIndexPredicate = partialIndexPredicate
    return copy
  }

  open override var hash: Int { name.hashValue }

  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSFetchIndexDescription else { return false }
    return name == other.name && elements == other.elements
      && partialIndexPredicate?.modelText == other.partialIndexPredicate?.modelText
  }
}
