// Beyond Apple's class. Everything here is off unless it is asked for.
extension NSFetchedResultsController {
  /// Key paths through relationships, such as `author.name`, whose values the rows show, are sorted
  /// by or are filtered by: a change at their end, or on the way, counts as a change of the row.
  ///
  /// Otherwise a change of a related object alone does not touch the row. Takes effect with the next
  /// ``performFetch()``, which throws code 134060 for a path that leads through no relationship. An
  /// event that changes related objects costs one fetch of the rows that lead to them.
  public final var watchedKeyPaths: [String] {
    get { engine.options.watchedKeyPaths }
    set { engine.options.watchedKeyPaths = newValue }
  }

  /// Whether the request's `fetchLimit` and `fetchOffset` hold after changes too: what is pushed over
  /// the end leaves the list, what moves up enters it.
  ///
  /// Otherwise they count for the fetch alone, and the list grows and shrinks. With it every event that
  /// concerns the list fetches the identities up to the limit: meant for short lists.
  public final var keepsFetchLimit: Bool {
    get { engine.options.keepsFetchLimit }
    set { engine.options.keepsFetchLimit = newValue }
  }

  /// Whether the classic delegate is told of a deletion and an insertion in place of a move out of a
  /// section that goes, or into one that comes: a table view cannot move such a row.
  public final var splitsSectionMoves: Bool {
    get { engine.options.splitsSectionMoves }
    set { engine.options.splitsSectionMoves = newValue }
  }

  /// Whether new objects get their permanent IDs before the delegate is told of them.
  ///
  /// Otherwise the save that makes them permanent brings a second snapshot or difference, in which
  /// the row of the temporary ID is replaced by one of the permanent ID. An object that gets no ID,
  /// because no store takes it, keeps its temporary one, with a line in the log.
  public final var obtainsPermanentIDs: Bool {
    get { engine.options.obtainsPermanentIDs }
    set { engine.options.obtainsPermanentIDs = newValue }
  }

  /// The promise that objects whose section names are equal stand next to each other in the order of the
  /// request, as they do when the first sort descriptors sort by what the name is made of.
  ///
  /// ``performFetch()`` then looks for the ends of the sections by halving: it asks some ten objects for each section
  /// where it asks every object otherwise, each of which is made for it if the name is computed by the class or a
  /// transient attribute. Names that the order groups by themselves, which the first sort descriptor sorts as they are
  /// stored, are found so without any promise. Where the promise is not kept a section that stands between two parts of
  /// another may be taken for a part of that one, and no error says so. Takes effect with the next ``performFetch()``.
  public final var hasContiguousSections: Bool {
    get { engine.options.hasContiguousSections }
    set { engine.options.hasContiguousSections = newValue }
  }

  /// Fetches anew and tells the delegate, in the form that it has, what is different from the list
  /// until now: after a change of the request's predicate or sort descriptors, or a reset of the
  /// context. O(n log n).
  ///
  /// A row that stays where it is is not told of, whatever its values: what changed in them came with
  /// events. A section that comes to stand elsewhere among the others is deleted and inserted. The first fetch
  /// of a controller tells what ``performFetch()`` tells.
  ///
  /// - Throws: as ``performFetch()``; the list stays as it was then.
  public final func refetch() throws { try engine.inTurn { try engine.refetch() } }

  /// What changes in the list from now on, for code without a delegate.
  ///
  /// The controller follows changes as long as somebody takes part; fetch first. A difference waits
  /// until it is taken. A later ``performFetch()`` is told as a difference too. The sequence ends with
  /// the controller. It may be read on any thread; the index paths are those of the moment of
  /// the change.
  public final func differences() -> AsyncStream<FetchedResultsDifference> {
    engine.subscribers.subscribe()
  }

  /// The object at a path; nil when there is none, where ``object(at:)`` traps. O(log n).
  public final func existingObject(at indexPath: IndexPath) -> ResultType? {
    guard indexPath.count == 2 else { return nil }
    let path = ListPath(section: indexPath.section, row: indexPath.row)
    return engine.inTurn { engine.list?.rank(of: path).map { typed(engine.object(at: $0)) } }
  }
}
