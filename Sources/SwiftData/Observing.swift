public import Observation

// What the accessors that `@Model` writes call. A model has no registrar in itself: most are never observed.

/// The registrar of a model, made when it is first asked for.
public func _registrar<Model: PersistentModel>(of model: Model) -> ObservationRegistrar {
  ObservationRegistrar()
}

/// Tells who observes that a property is read.
public func _noteAccess<Model: PersistentModel, Value>(
  _ model: Model, _ keyPath: KeyPath<Model, Value>
) {
  _registrar(of: model).access(model, keyPath: keyPath)
}

/// Runs what changes a property, and tells who observes it.
public func _withMutation<Model: PersistentModel, Value, Result>(
  _ model: Model, _ keyPath: KeyPath<Model, Value>, _ mutation: () throws -> Result
) rethrows -> Result {
  try _registrar(of: model).withMutation(of: model, keyPath: keyPath, mutation)
}
