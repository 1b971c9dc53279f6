import CoreData

/// Inserts detached models into a context: the given model and all models that it is related to.
struct Insertion {
  private let context: ModelContext

  init(into context: ModelContext) { self.context = context }

  func insert(_ model: any PersistentModel, content: _ModelContent) {
    if case .detached(let state) = content.kind, !state.leadsAnywhere {
      // Fast path: a model without related models.
      guard let object = makeObject(for: model, state.modelType, holding: state) else { return }
      return state.transferOtherValues(to: object)
    }
    insertAll(from: model)
  }

  private func insertAll(from model: any PersistentModel) {
    var made: [(object: ManagedModelObject, state: any ModelState)] = []
    var waiting = [model]
    var next = 0
    // Breadth first, so that new members of a to-many relationship keep their order.
    while next < waiting.count {
      let model = waiting[next]
      next += 1
      let state = model.state
      if let object = state as? ManagedModelObject, !object.isGone { continue }
      guard
        let object = makeObject(for: model, state.modelType, holding: state as? DetachedState)
      else { continue }
      transferOtherValues(of: state, to: object)
      made.append((object, state))
      for property in state.modelType.properties where property.isRelationship {
        waiting += related(property, state: state)
      }
    }
    for (object, state) in made {
      for property in state.modelType.properties where property.isRelationship {
        let models = related(property, state: state)
        if !models.isEmpty {
          object.setRelated(models, property: property)
        }
      }
    }
  }

  private func makeObject(
    for model: any PersistentModel, _ type: ModelType, holding state: DetachedState? = nil
  ) -> ManagedModelObject? {
    guard let entity = context.managed.entity(of: type)
    else {
      context.refuse(
        SwiftDataError(
          .modelValidationFailure,
          explanation: "The container has no model \(type.entityName); its schema has "
            + context.managed.stores.schema.entities.map(\.name).sorted().joined(separator: ", ")))
      return nil
    }
    guard let object = type.factory.make(entity, nil) as? ManagedModelObject else { return nil }
    state?.transferColumns(to: object)
    context.managed.insert(object)
    object.becomeBacking(of: model)
    object.settleIdentity()
    object.adopt(model)
    context.pin(object, face: model)
    return object
  }

  private func transferOtherValues(of state: any ModelState, to object: ManagedModelObject) {
    if let detached = state as? DetachedState { return detached.transferOtherValues(to: object) }
    guard let deleted = state as? ManagedModelObject else { return }
    for property in deleted.modelType.properties where !property.isRelationship {
      if let value = deleted.lastValue(property) { object.write(value, property: property) }
    }
  }

  private func related(
    _ property: ModelProperty, state: any ModelState
  ) -> [any PersistentModel] {
    // The relationships of a deleted model are not restored.
    (state as? DetachedState)?.related(property) ?? []
  }
}

extension ManagedModelObject {
  func becomeBacking(of model: any PersistentModel) { model._$modelContent = _content }
}
