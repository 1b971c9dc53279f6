import Observation

// What the generated accessors call. A model that a context has is observed through its managed object, which tells
// of every change, also of those that come by undo, merge, refresh and the other side of a relationship.

public func _registrar(of model: some PersistentModel) -> ObservationRegistrar {
  model.detached?.registrar ?? ObservationRegistrar()
}

public func _noteAccess<Model: PersistentModel, Member>(
  _ model: Model, _ keyPath: KeyPath<Model, Member>
) {
  if let detached = model.detached {
    detached.registrar.access(model, keyPath: keyPath)
  }
}

public func _withMutation<Model: PersistentModel, Member, Result>(
  _ model: Model, _ keyPath: KeyPath<Model, Member>, _ mutation: () throws -> Result
) rethrows -> Result {
  if let detached = model.detached {
    return try detached.registrar.withMutation(of: model, keyPath: keyPath, mutation)
  }
  return try mutation()
}
