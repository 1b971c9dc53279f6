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
