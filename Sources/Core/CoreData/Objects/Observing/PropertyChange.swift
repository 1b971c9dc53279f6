/// A change of a property, as far as it is known beforehand.
struct PropertyChange {
  let kind: NSKeyValueChange
  /// The indexes of added, removed or replaced members; nil for an unordered relationship and a
  /// setting.
  var indexes: IndexSet?
  /// The removed members; nil for a setting.
  var old: Any?
  /// The added members; called after the change.
  var new: (() -> Any?)?

  static var setting: PropertyChange { PropertyChange(kind: .setting) }
}

extension PropertyChange {
  /// The addition of members to an unordered relationship.
  static func joining(_ objects: [NSManagedObject]) -> PropertyChange {
    PropertyChange(kind: .insertion, new: { NSSet(array: objects) })
  }

  static func leaving(_ objects: [NSManagedObject]) -> PropertyChange {
    PropertyChange(kind: .removal, old: NSSet(array: objects))
  }

  /// The change of a set of members by one of the four set mutations.
  init(_ kind: NSKeyValueSetMutationKind, objects: Set<AnyHashable>, members: [NSManagedObject]) {
    let joining = objects.subtracting(members.map(AnyHashable.init)).map(\.base)
    let isGiven = { (member: NSManagedObject) in objects.contains(member) }
    switch kind {
    case .union: self.init(kind: .insertion, new: { NSSet(array: joining) })
    case .minus: self.init(kind: .removal, old: NSSet(array: members.filter(isGiven)))
    case .intersect:
      self.init(kind: .removal, old: NSSet(array: members.filter { !isGiven($0) }))
    case .set:
      self.init(
        kind: .replacement, old: NSSet(array: members.filter { !isGiven($0) }),
        new: { NSSet(array: joining) })
    }
  }

  /// The change of ordered members: an insertion, removal or replacement at known indexes; a
  /// setting if it is none of these.
  init(from before: [NSManagedObject], to after: [NSManagedObject]) {
    if after.count > before.count, let indexes = Self.indexes(in: after, besides: before) {
      self.init(kind: .insertion, indexes: indexes, new: { Self.array(after, indexes: indexes) })
    } else if after.count < before.count, let indexes = Self.indexes(in: before, besides: after) {
      self.init(kind: .removal, indexes: indexes, old: Self.array(before, indexes: indexes))
    } else if after.count == before.count {
      let indexes = IndexSet(after.indices.filter { after[$0] !== before[$0] })
      self.init(
        kind: .replacement, indexes: indexes, old: Self.array(before, indexes: indexes),
        new: { Self.array(after, indexes: indexes) })
    } else {
      self = .setting
    }
  }

  /// The indexes in the longer list whose removal gives the shorter list; nil if there are none.
  private static func indexes(
    in long: [NSManagedObject], besides short: [NSManagedObject]
  ) -> IndexSet? {
    var indexes = IndexSet()
    var next = short.startIndex
    for (index, object) in long.enumerated() {
      if next < short.endIndex, short[next] === object {
        next += 1
      } else {
        indexes.insert(index)
      }
    }
    return next == short.endIndex ? indexes : nil
  }

  static func array(_ members: [NSManagedObject], indexes: IndexSet) -> NSArray {
    NSArray(array: indexes.filter(members.indices.contains).map { members[$0] })
  }
}
