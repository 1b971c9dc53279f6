/// Builds the contents of a store from objects in any order, each with the relationships that it
/// names. Used on one thread.
///
/// A one-to-many relationship follows its to-one side, or the to-many side where the to-one side is
/// nil. Members of other relationships may be named by either side or by both.
struct ContentsBuilder {
  private struct Members {
    let owner: NSManagedObjectID
    let relationship: NSRelationshipDescription
    let members: [NSManagedObjectID]
  }

  private var contents: MemoryContents
  /// The added rows, not sealed yet.
  private var rows: [Row] = []
  private var places: [PackedIdentity: Int] = [:]
  private var members: [Members] = []

  /// - Parameter contents: the contents to add to.
  init(adding contents: MemoryContents = MemoryContents()) { self.contents = contents }

  /// Adds a row; false if the object has one already.
  mutating func add(_ row: Row) -> Bool {
    guard places.updateValue(rows.count, forKey: row.packed) == nil else {
      return false
    }
    rows.append(row)
    return true
  }

  mutating func add(
    _ members: [NSManagedObjectID], of relationship: NSRelationshipDescription,
    owner: NSManagedObjectID
  ) {
    self.members.append(Members(owner: owner, relationship: relationship, members: members))
  }

  /// Seals the rows and returns the contents with everything that was added.
  consuming func finished() -> MemoryContents {
    for entry in members { relate(entry) }
    for row in rows {
      let version = max(1, row.version)
      row.seal(identity: row.identity, version: version)
      contents.put(row)
    }
    return contents
  }

  private mutating func relate(_ entry: Members) {
    let relationship = entry.relationship
    if relationship.isTransient { return }
    if let inverse = relationship.storedInverse, !inverse.isToMany {
      for member in entry.members { point(member, at: entry.owner, by: inverse) }
    } else {
      for member in entry.members {
        contents.link(relationship, owner: entry.owner, member: member)
      }
    }
    if relationship.isOrdered {
      contents.setOrder(entry.members, of: relationship, owner: entry.owner)
    }
  }

  private func point(
    _ member: NSManagedObjectID, at owner: NSManagedObjectID,
    by inverse: NSRelationshipDescription
  ) {
    guard let place = places[member.packed],
      let slot = member.layout.slot(of: inverse), rows[place][slot].isNull
    else { return }
    rows[place][slot] = .identity(owner)
  }
}
