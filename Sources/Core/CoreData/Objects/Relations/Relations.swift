/// The state of an object beyond its row: related objects, results and observers. Most objects
/// never need it.
final class Relations {
  /// By the number of the to-many relationship; empty until one is accessed.
  @exclusivity(unchecked)
  var members: [ToManyMembers?] = []
  /// The rows of related objects that a fetch has prefetched, kept so that they need not be read
  /// again. Rows rather than objects, which could keep each other alive.
  var prefetched: PrefetchedRows?
  /// The rows of members that were read from a server, by relationship.
  var memberRows: [ObjectIdentifier: [Row]] = [:]
  /// The number of undo steps that the context had recorded when it last merged a change of the
  /// object.
  var changeElsewhere = 0
  /// The values of other contexts that have replaced the ones below edits of this context.
  var replacedBases: [ReplacedBase] = []
  /// The results of fetched properties, by their number.
  var fetched: [Int: FetchedPropertyAnswer] = [:]
  /// nil if the object has no observers.
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

/// A value that an edit was based on and that another context has replaced since: undoing the edit
/// gives the new value.
struct ReplacedBase {
  let slot: Int
  let old: Value
  let new: Value
  /// The number of undo steps that the context had recorded.
  let number: Int
}

extension Relation {
  func accepts(_ object: NSManagedObject) -> Bool { accepts(object.layout) }
}
