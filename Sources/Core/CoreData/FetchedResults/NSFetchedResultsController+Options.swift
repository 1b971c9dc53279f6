// Extensions of Apple's class. Each is off by default.
extension NSFetchedResultsController {
  /// Key paths through relationships, such as `author.name`, that rows show, sort by or filter by.
  /// A change at the end of such a path, or of a relationship on it, counts as a change of the row.
  ///
  /// Without them, a change of a related object alone does not update the row. Takes effect with
  /// the next ``performFetch()``, which throws code 134060 for a path that leads through no
  /// relationship. An event that changes related objects costs one fetch of the rows that lead to
  /// them.
  public final var watchedKeyPaths: [String] {
    get { engine.options.watchedKeyPaths }
    set { engine.options.watchedKeyPaths = newValue }
  }

  /// Whether the request's `fetchLimit` and `fetchOffset` also hold after changes: objects that
  /// move past the limit leave the list, objects that move within it enter.
  ///
  /// If false, the limits hold for the fetch alone, and the list then grows and shrinks. If true,
  /// each event that concerns the list fetches the identities up to the limit: use it for short
  /// lists.
  public final var keepsFetchLimit: Bool {
    get { engine.options.keepsFetchLimit }
    set { engine.options.keepsFetchLimit = newValue }
  }

  /// Whether the classic delegate gets a deletion and an insertion instead of a move out of a
  /// deleted section or into an inserted one: a table view cannot move such a row.
  public final var splitsSectionMoves: Bool {
    get { engine.options.splitsSectionMoves }
    set { engine.options.splitsSectionMoves = newValue }
  }

  /// Whether new objects get permanent IDs before the delegate is notified of them.
  ///
  /// If false, the save that makes the IDs permanent brings a second snapshot or difference, in
  /// which the permanent ID replaces the temporary one. An object that gets no permanent ID,
  /// because no store accepts it, keeps its temporary ID, and an error is logged.
  public final var obtainsPermanentIDs: Bool {
    get { engine.options.obtainsPermanentIDs }
    set { engine.options.obtainsPermanentIDs = newValue }
  }

  /// Whether the request's order keeps objects with equal section names together. It does if the
  /// first sort descriptors sort by the values that the name is made of.
  ///
  /// If true, ``performFetch()`` finds the section boundaries by binary search: it reads the
  /// section names of about ten objects per section, where it otherwise reads those of all objects.
  /// If the class or a transient attribute computes the name, each reading makes an object. Stored
  /// names that the first sort descriptor sorts by as they are need no promise: the search is
  /// always used for them. If the promise is broken, a section between two parts of another section
  /// may be counted as part of that section, and no error is reported. Takes effect with the next
  /// ``performFetch()``.
  public final var hasContiguousSections: Bool {
    get { engine.options.hasContiguousSections }
    set { engine.options.hasContiguousSections = newValue }
  }

  /// Fetches again and sends the delegate the difference from the previous list, in the form that
  /// the delegate implements. Use it after changing the request's predicate or sort descriptors, or
  /// after a reset of the context. O(n log n).
  ///
  /// Rows that keep their place are not reported, even if their values differ: earlier events have
  /// reported those changes. A section that moves among the others is deleted and inserted. If it
  /// is the first fetch, the delegate gets what it gets from ``performFetch()``.
  ///
  /// - Throws: the errors of ``performFetch()``; the list then stays unchanged.
  public final func refetch() throws { try engine.inTurn { try engine.refetch() } }

  /// The changes of the list from now on, for code without a delegate.
  ///
  /// Fetch first. The controller tracks changes while it has a delegate or a sequence is in use. A
  /// difference is buffered until it is read. A later ``performFetch()`` yields a difference too.
  /// The sequence ends when the controller is freed. It may be read on any thread; its index paths
  /// are those of the moment of the change.
  public final func differences() -> AsyncStream<FetchedResultsDifference> {
    engine.subscribers.subscribe()
  }

  /// The object at an index path; nil if there is none, where ``object(at:)`` traps. O(log n).
  public final func existingObject(at indexPath: IndexPath) -> ResultType? {
    guard indexPath.count == 2 else { return nil }
    let path = ListPath(section: indexPath.section, row: indexPath.row)
    return engine.inTurn { engine.list?.rank(of: path).map { typed(engine.object(at: $0)) } }
  }
}
