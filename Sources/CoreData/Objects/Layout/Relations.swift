/// What an object knows of others beyond the identities in its row: its related objects, and who observes it. Most
/// objects never need it.
final class Relations {
  /// By the number of the to-many relationship; empty until one is touched.
  @exclusivity(unchecked)
  var members: [ToManyMembers?] = []
  /// The rows of related objects that a fetch has read along: kept, so that they need not be read again.
  /// Rows and not objects, which could keep each other alive for ever.
  var prefetched: PrefetchedRows?
  /// The same for members that a server was asked for, by the relationship.
  var memberRows: [ObjectIdentifier: [Row]] = [:]
  /// How many steps of undo the context had recorded when somebody else's change of the object was last taken over.
  var changeElsewhere = 0
  /// The values that others have put below edits of this context.
  var replacedBases: [ReplacedBase] = []
  /// What fetched properties have found, by their number.
  var fetched: [Int: FetchedPropertyAnswer] = [:]
  /// nil when nobody observes the object.
  var observers: ObserverTable?
}

extension NSManagedObject {
  final var members: [ToManyMembers?] {
    get { relations?.members ?? [] }
    _modify {
      let relations = madeRelations
      yield &relations.members
    }
  }

  final var prefetched: PrefetchedRows? {
    get { relations?.prefetched }
    set { if newValue != nil || relations != nil { madeRelations.prefetched = newValue } }
  }

  final var madeRelations: Relations {
    if let relations { return relations }
    let made = Relations()
    relations = made
    return made
  }
}

/// A value that an edit was made on and that somebody else has replaced since: to take the edit back gives the new one.
struct ReplacedBase {
  let slot: Int
  let old: Value
  let new: Value
  /// How many steps of undo the context had recorded.
  let number: Int
}
