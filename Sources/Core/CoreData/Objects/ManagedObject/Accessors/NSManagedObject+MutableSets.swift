import KeyValueCoding

extension NSManagedObject {
  /// A mutable set of the members of a to-many relationship; its changes are tracked edits of this
  /// object. Stops the program for any other key.
  public func mutableSetValue(forKey key: String) -> NSMutableSet {
    guard case .toMany(let index) = layout.place(of: key) else {
      fatalError(undefinedKeyText(key))
    }
    return RelationshipSet(owner: self, index: index)
  }
}

extension NSManagedObject: OrderedMembersOwner {
  package final func edit(_ members: NSOrderedSet, forKey key: String) {
    guard case .toMany(let index) = layout.place(of: key) else {
      return setValue(members, forKey: key)
    }
    editMembers(Self.objects(in: members, layout.toMany[index]), index: index)
  }
}

/// A live view of a to-many relationship: reads and writes go to its owner.
final class RelationshipSet: NSMutableSet {
  private let object: NSManagedObject
  private let index: Int
  private var isAsked = false

  private var owner: NSManagedObject {
    isAsked = true
    return object
  }

  init(owner: NSManagedObject, index: Int) {
    object = owner
    self.index = index
    super.init(capacity: 0)
  }

  required init(capacity numItems: Int) {
    fatalError("A relationship's set is made by mutableSetValue(forKey:)")
  }

  required convenience init?(coder: NSCoder) {
    fatalError("A relationship's set cannot be archived: archive the object IDs of its members")
  }

  deinit {
    if isAsked { return }
    let relationship = object.layout.toMany[index]
    UnaskedCollection.report(relationship.name, of: relationship.entity.name ?? "")
  }

  override var count: Int { owner.readMembers(index).count }

  override func member(_ object: Any) -> Any? {
    guard let object = object as? NSManagedObject, owner.readMembers(index).contains(object) else {
      return nil
    }
    return object
  }

  override func objectEnumerator() -> NSEnumerator {
    NSArray(array: owner.memberObjects(index)).objectEnumerator()
  }

  override var allObjects: [Any] { owner.memberObjects(index) }

  override func add(_ object: Any) {
    guard let object = object as? NSManagedObject else {
      fatalError("A relationship's member is a managed object, not a \(type(of: object))")
    }
    owner.relate(object, index: index)
  }

  override func remove(_ object: Any) {
    if let object = object as? NSManagedObject { owner.unrelate(object, index: index) }
  }

  // Many members at once, reported to observers as one change.

  override func addObjects(from array: [Any]) {
    owner.joining(objects(array), index: index) { for object in array { add(object) } }
  }

  override func union(_ otherSet: Set<AnyHashable>) {
    addObjects(from: otherSet.map(\.base))
  }

  override func minus(_ otherSet: Set<AnyHashable>) {
    let given = objects(otherSet.map(\.base))
    owner.leaving(given, index: index) {
      for object in given { owner.unrelate(object, index: index) }
    }
  }

  override func intersect(_ otherSet: Set<AnyHashable>) {
    minus(Set(owner.memberObjects(index).filter { !otherSet.contains($0) }))
  }

  override func removeAllObjects() { intersect([]) }

  override func setSet(_ otherSet: Set<AnyHashable>) {
    let given = objects(otherSet.map(\.base))
    owner.replacing(given, index: index) { owner.setMembers(given, index: index) }
  }

  private func objects(_ elements: [Any]) -> [NSManagedObject] {
    elements.compactMap { $0 as? NSManagedObject }
  }
}
