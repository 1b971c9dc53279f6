extension NSManagedObjectContext {
  /// The entity of a class: in this context's model first, then in other models in use. Cached,
  /// because an import calls this for every object.
  final func entity(for type: NSManagedObject.Type) -> NSEntityDescription {
    if let last = lastEntity, last.type == type { return last.entity }
    let model = rootCoordinator?.managedObjectModel
    let entity = model.flatMap { LoadedModels.entity(for: type, in: $0) } ?? type.entity()
    if entity is UnclaimedEntity { fatalError(UnclaimedEntity.complaint(type)) }
    lastEntity = LastEntity(type: type, entity: entity)
    return entity
  }

  /// The last result of ``entity(for:)``; reset when the coordinator changes.
  struct LastEntity {
    let type: NSManagedObject.Type
    let entity: NSEntityDescription
  }
}
