extension NSManagedObjectContext {
  /// Removes deleted objects from the relationships to many that were read here and that ignore
  /// deletions.
  ///
  /// The deletion of such a member writes nothing of its owner: no other change that is merged says
  /// that the owner has lost it. The store has lost it with the row.
  ///
  /// - Returns: the owners.
  @discardableResult
  final func leaveOneSidedRelationships(_ gone: @autoclosure () -> [NSManagedObjectID])
    -> [NSManagedObject]
  {
    guard var members = oneSidedMembers(gone) else { return [] }
    return registry.objects.filter { $0.lifecycle.isPresent && members.leave($0) }
  }

  /// The objects that would lose members by ``leaveOneSidedRelationships(_:)``.
  final func oneSidedOwners(of gone: @autoclosure () -> [NSManagedObjectID]) -> [NSManagedObject] {
    guard var members = oneSidedMembers(gone) else { return [] }
    return registry.objects.filter { $0.lifecycle.isPresent && members.areAmong($0) }
  }

  /// Adds to the steps that have deleted objects, which are saved now, that these leave the
  /// relationships to many which ignore deletions: an undo puts them back.
  final func recordOneSidedLosses(_ objects: [NSManagedObject]) {
    guard !deletionSteps.isEmpty, var members = oneSidedMembers({ objects.map(\.objectID) }) else {
      return
    }
    for owner in registry.objects where owner.lifecycle.isPresent && members.areAmong(owner) {
      for index in members.places(in: owner.layout) {
        guard let store = owner.storedMembers(index) else { continue }
        for object in objects where store.contains(object) {
          deletionStep(of: object)?.extend(byLossOf: object, in: index, of: owner)
        }
      }
    }
  }

  /// nil if the model lets none of the objects be such a member.
  private func oneSidedMembers(_ gone: () -> [NSManagedObjectID]) -> OneSidedMembers? {
    guard !registry.isEmpty, let layouts = rootCoordinator?.layouts,
      layouts.contains(where: { $0.toManyRelations.contains(where: \.ignoresDeletions) })
    else { return nil }
    var members = OneSidedMembers(gone())
    return members.arePossible(in: layouts) ? members : nil
  }
}

/// Deleted objects that may be members of relationships to many that ignore deletions.
private struct OneSidedMembers {
  private let gone: Set<PackedIdentity>
  private let layouts: [EntityLayout]
  /// By layout: the places of such relationships.
  private var concerned: [ObjectIdentifier: [Int]] = [:]

  init(_ gone: [NSManagedObjectID]) {
    let gone = gone.map(\.resolved)
    self.gone = Set(gone.map(\.packed))
    var layouts: [ObjectIdentifier: EntityLayout] = [:]
    for identity in gone { layouts[ObjectIdentifier(identity.layout)] = identity.layout }
    self.layouts = Array(layouts.values)
  }

  mutating func arePossible(in layouts: [EntityLayout]) -> Bool {
    layouts.contains { !places(in: $0).isEmpty }
  }

  /// Whether an object has any of them.
  mutating func areAmong(_ owner: NSManagedObject) -> Bool {
    guard owner.relations != nil else { return false }
    return places(in: owner.layout).contains { owner.storedMembers($0)?.hasAny(of: gone) ?? false }
  }

  /// Takes them out of an object's relationships. Returns whether it had any.
  mutating func leave(_ owner: NSManagedObject) -> Bool {
    guard owner.relations != nil else { return false }
    var had = false
    for index in places(in: owner.layout) {
      guard let store = owner.storedMembers(index), store.hasAny(of: gone) else { continue }
      store.leaveOut(gone)
      had = true
    }
    return had
  }

  /// The relationships of a layout's objects in which they may be.
  mutating func places(in layout: EntityLayout) -> [Int] {
    if let known = concerned[ObjectIdentifier(layout)] { return known }
    let found = layout.toManyRelations.enumerated()
      .filter { $1.ignoresDeletions && layouts.contains(where: $1.accepts) }.map(\.offset)
    concerned[ObjectIdentifier(layout)] = found
    return found
  }
}
