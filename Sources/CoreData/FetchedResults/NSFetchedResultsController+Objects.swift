extension NSFetchedResultsController {
  /// All objects, in order; nil before ``performFetch()``.
  ///
  /// The array does not change later; it is made anew after each change, O(n), as Swift's arrays
  /// cannot be lazy. For a long list use ``object(at:)`` and ``sections``, which make and read just
  /// what is looked at.
  public final var fetchedObjects: [ResultType]? {
    engine.allObjects().map { $0.map(typed) }
  }

  /// The object at a path. O(log n).
  ///
  /// Traps, as Apple's raises `NSInternalInconsistencyException`, when there is none.
  public final func object(at indexPath: IndexPath) -> ResultType {
    guard let list = engine.list else {
      fatalError("no object at \(indexPath): performFetch has not been called")
    }
    guard indexPath.section >= 0, indexPath.section < list.sections.count else {
      fatalError("no section at index \(indexPath.section)")
    }
    guard let rank = list.rank(of: ListPath(section: indexPath.section, row: indexPath.row)) else {
      fatalError("no object at index \(indexPath.row) in section at index \(indexPath.section)")
    }
    return typed(engine.object(at: rank))
  }

  /// The path of an object; nil when it is not in the list. O(log n).
  public final func indexPath(forObject object: ResultType) -> IndexPath? {
    guard let object = object as? NSManagedObject, let rank = engine.rank(of: object) else {
      return nil
    }
    return engine.list.map { IndexPath($0.path(of: rank)) }
  }

  private func typed(_ object: NSManagedObject) -> ResultType {
    guard let typed = object as? ResultType else {
      fatalError(
        "The fetched results controller promises \(ResultType.self), and an object of the entity "
          + "“\(object.entity.name ?? "")” is a \(type(of: object))")
    }
    return typed
  }

  // MARK: - Without making objects

  /// The number of objects in all sections. O(1).
  package final var objectCount: Int { engine.list?.count ?? 0 }

  /// The identity of the object at a path, which makes and reads nothing; nil when there is none.
  /// O(log n).
  package final func objectID(at indexPath: IndexPath) -> NSManagedObjectID? {
    guard let list = engine.list,
      let rank = list.rank(of: ListPath(section: indexPath.section, row: indexPath.row))
    else { return nil }
    return engine.objectID(list.order[rank])
  }

  /// The path of the object with this identity. O(log n).
  package final func indexPath(for objectID: NSManagedObjectID) -> IndexPath? {
    guard let list = engine.list, let rank = list.order.rank(of: objectID.packed.bits) else {
      return nil
    }
    return IndexPath(list.path(of: rank))
  }
}
