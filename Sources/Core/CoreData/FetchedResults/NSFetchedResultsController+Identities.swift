// Queries of table views that make no objects.
extension NSFetchedResultsController {
  /// The number of objects in all sections. O(1).
  package final var objectCount: Int { engine.list?.count ?? 0 }

  /// The ID of the object at an index path; nil if there is none. Makes and reads no object.
  /// O(log n).
  package final func objectID(at indexPath: IndexPath) -> NSManagedObjectID? {
    engine.context.takeOverPermanentIDs()
    guard let list = engine.list,
      let rank = list.rank(of: ListPath(section: indexPath.section, row: indexPath.row))
    else { return nil }
    return engine.objectID(list.order[rank])
  }

  /// The index path of the object with this ID; nil if it is not in the list. O(log n).
  package final func indexPath(for objectID: NSManagedObjectID) -> IndexPath? {
    guard let list = engine.list, let rank = list.order.rank(of: objectID.packed.bits) else {
      return nil
    }
    return IndexPath(list.path(of: rank))
  }

  final func typed(_ object: NSManagedObject) -> ResultType {
    guard let typed = object as? ResultType else {
      fatalError(
        "The fetched results controller promises \(ResultType.self), and an object of the entity "
          + "“\(object.entity.name ?? "")” is a \(type(of: object))")
    }
    return typed
  }
}
