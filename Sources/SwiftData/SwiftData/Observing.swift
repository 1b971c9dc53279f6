import Observation

// Called by generated accessors. A model in a context is observed through its managed object, which
// reports every change, including those by undo, merge, refresh and the other end of a
// relationship. The functions below act on detached models only.

/// The observation registrar of a detached model; an unused new one for a model in a context.
public func _registrar(of model: some PersistentModel) -> ObservationRegistrar {
  model.detached?.registrar ?? ObservationRegistrar()
}

/// Registers a read of a property with Observation, for a detached model.
public func _noteAccess<Model: PersistentModel, Member>(
  _ model: Model, _ keyPath: KeyPath<Model, Member>
) {
  if let detached = model.detached {
    detached.registrar.access(model, keyPath: keyPath)
  }
}

/// Runs a mutation of a property and notifies the observers of a detached model.
public func _withMutation<Model: PersistentModel, Member, Result>(
  _ model: Model, _ keyPath: KeyPath<Model, Member>, _ mutation: () throws -> Result
) rethrows -> Result {
  if let detached = model.detached {
    return try detached.registrar.withMutation(of: model, keyPath: keyPath, mutation)
  }
  return try mutation()
}
