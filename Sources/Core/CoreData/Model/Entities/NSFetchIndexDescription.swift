import Foundation

/// Describes an index of an entity's table.
///
/// Source: developer.apple.com/documentation/coredata/nsfetchindexdescription
///
/// Unchecked Sendable for the reason given at `NSPropertyDescription`.
open class NSFetchIndexDescription: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  @Soft private var owner: NSEntityDescription?

  /// The name, unique within the entity. It becomes part of the name of the index in the store.
  open var name: String { willSet { checkMutable() } }
  /// The elements, most significant first.
  open var elements: [NSFetchIndexElementDescription] {
    willSet { checkMutable() }
    didSet { adoptElements() }
  }
  /// The condition for rows that the index covers; nil covers all.
  open var partialIndexPredicate: NSPredicate? { willSet { checkMutable() } }

  /// Makes an index with the given elements.
  public init(name: String, elements: [NSFetchIndexElementDescription]?) {
    self.name = name
    self.elements = elements ?? []
    super.init()
    adoptElements()
  }

  /// True: indexes support secure coding.
  open class var supportsSecureCoding: Bool { true }

  /// Writes the index, with its properties by name.
  open func encode(with coder: NSCoder) { DescriptionCoding.encode(self, with: coder) }

  /// Reads an archived index, which belongs to no entity. Returns nil, with the error in the coder,
  /// if the archive has no index.
  public required convenience init?(coder: NSCoder) {
    guard let index = DescriptionCoding.index(coder) else { return nil }
    self.init(name: index.name, elements: index.elements.map(\.detachedCopy))
    partialIndexPredicate = index.partialIndexPredicate
  }

  /// The entity that the index belongs to.
  open var entity: NSEntityDescription? { owner }

  /// Makes the index part of an entity and resolves its properties there.
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

  /// A copy that belongs to no entity.
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
