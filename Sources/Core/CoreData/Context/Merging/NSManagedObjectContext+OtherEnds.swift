extension NSManagedObjectContext {
  /// Adds to changes by others the newest rows of objects here that contradict them.
  ///
  /// A context's save names both ends of each changed relationship. A batch request, or a
  /// notification that a client has assembled, names only the objects that were written: their
  /// owners in this context would keep members that are gone. With the added rows their members are
  /// read again, as after a save.
  final func withOtherEnds(_ rows: SavedRows) throws -> SavedRows {
    if rows.isEmpty || registry.isEmpty { return rows }
    takeOverPermanentIDs()
    var search = OtherEnds(rows)
    let ends = (search.missingMembers(in: registry) + registry.objects.filter { search.isOld($0) })
      .filter { !search.isNews($0) && !$0.resolvedIdentity.isTemporary }
    if ends.isEmpty { return rows }
    var rows = rows
    rows.updated += try source?.rows(of: Array(Set(ends.map(\.objectID.resolved)))) ?? []
    return rows
  }
}

/// Finds the objects whose relationships, as they were read, contradict rows that others have
/// written.
private struct OtherEnds {
  private enum News {
    case written(Row)
    case gone
  }

  private let written: [Row]
  private var news: [PackedIdentity: News] = [:]
  private let layouts: [EntityLayout]
  /// By layout: the relationships to entities with changed objects.
  private var concerned: [ObjectIdentifier: [Relation]] = [:]

  init(_ rows: SavedRows) {
    written = rows.inserted + rows.updated
    var layouts: [ObjectIdentifier: EntityLayout] = [:]
    for row in written {
      news[row.packed] = .written(row)
      layouts[ObjectIdentifier(row.layout)] = row.layout
    }
    for identity in rows.deleted.map(\.resolved) {
      news[identity.packed] = .gone
      layouts[ObjectIdentifier(identity.layout)] = identity.layout
    }
    self.layouts = Array(layouts.values)
  }

  func isNews(_ object: NSManagedObject) -> Bool { news[object.resolvedIdentity] != nil }

  /// The objects that the rows point to and that do not have the row's object as a member.
  func missingMembers(in registry: ObjectRegistry) -> [NSManagedObject] {
    written.flatMap { row in
      row.layout.relations.compactMap { relation -> NSManagedObject? in
        guard case .slot(let slot) = relation.place, let inverse = relation.inverse,
          !relation.isLoose, let owner = Self.identity(row[slot]).flatMap(registry.object),
          owner.lifecycle.isPresent, !Self.knows(owner, inverse: inverse, member: row.packed)
        else { return nil }
        return owner
      }
    }
  }

  private static func knows(
    _ owner: NSManagedObject, inverse: EntityLayout.Place, member: PackedIdentity
  ) -> Bool {
    switch inverse {
    case .toMany(let index): (owner.storedMembers(index)?.hasRead(member) ?? nil) ?? true
    case .slot(let slot): owner.snapshot.map { identity($0[slot]) == member } ?? true
    default: true
    }
  }

  /// True if an object refers to one that is gone, or that now points elsewhere.
  mutating func isOld(_ object: NSManagedObject) -> Bool {
    guard object.lifecycle.isPresent else { return false }
    return relations(of: object.layout).contains { relation in
      switch relation.place {
      case .slot(let slot):
        object.snapshot.flatMap { Self.identity($0[slot]) }
          .map { contradicts(relation, destination: $0, object: object) } ?? false
      case .toMany(let index):
        object.storedMembers(index)?.stored?
          .contains { contradicts(relation, destination: $0.resolved.packed, object: object) }
          ?? false
      default: false
      }
    }
  }

  private func contradicts(
    _ relation: Relation, destination: PackedIdentity, object: NSManagedObject
  ) -> Bool {
    switch news[destination] {
    case nil: return false
    case .gone: return true
    case .written(let row):
      guard case .slot(let back) = relation.inverse, !relation.isLoose else { return false }
      return Self.identity(row[back]) != object.resolvedIdentity
    }
  }

  private mutating func relations(of layout: EntityLayout) -> [Relation] {
    if let known = concerned[ObjectIdentifier(layout)] { return known }
    let found = layout.relations.filter { relation in
      !relation.isTransient && layouts.contains(where: relation.accepts)
    }
    concerned[ObjectIdentifier(layout)] = found
    return found
  }

  private static func identity(_ value: Value) -> PackedIdentity? {
    guard case .identity(let id) = value else { return nil }
    return id.resolved.packed
  }
}
