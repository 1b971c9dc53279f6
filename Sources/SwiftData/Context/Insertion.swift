import CoreData

/// From models without a context to managed objects of one: a model with all that it leads to.
struct Insertion {
  private let context: ModelContext

  init(into context: ModelContext) { self.context = context }

  func insert(_ model: any PersistentModel) {
    if case .detached(let state) = model._$modelContent.kind, !state.leadsAnywhere {
      // Mostly: a model that leads to no other.
      guard let object = makeObject(for: model, state.modelType) else { return }
      return state.transferAttributes(to: object)
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
      guard let object = makeObject(for: model, state.modelType) else { continue }
      for property in state.modelType.properties where !property.isRelationship {
        transfer(property, from: state, to: object)
      }
      made.append((object, state))
      for property in state.modelType.properties where property.isRelationship {
        waiting += related(property, state)
      }
    }
    for (object, state) in made {
      for property in state.modelType.properties where property.isRelationship {
        let models = related(property, state)
        if !models.isEmpty {
          object.setRelated(models, property)
        }
      }
    }
  }

  private func makeObject(
    for model: any PersistentModel, _ type: ModelType
  ) -> ManagedModelObject? {
    guard let entity = context.managed.entity(of: type)
    else {
      context.refuse(
        SwiftDataError(
          .modelValidationFailure,
          "The container has no model \(type.entityName); its schema has "
            + context.managed.stores.schema.entities.map(\.name).sorted().joined(separator: ", ")))
      return nil
    }
    let object = type.factory.make(entity, context.managed)
    guard let object = object as? ManagedModelObject else { return nil }
    object.becomeBacking(of: model)
    object.settleIdentity()
    object.adopt(model)
    context.pin(object, model)
    return object
  }

  private func transfer(
    _ property: ModelProperty, from state: any ModelState, to object: ManagedModelObject
  ) {
    if let detached = state as? DetachedState {
      switch detached.held(property) {
      case .column(let value): object.setFaceValue(value, property.managed)
      case .other(let value): object.write(value, property)
      case .models, .none: break
      }
    } else if let value = (state as? ManagedModelObject)?.lastValue(property) {
      object.write(value, property)
    }
  }

  private func related(
    _ property: ModelProperty, _ state: any ModelState
  ) -> [any PersistentModel] {
    // What a deleted model led to is its past.
    (state as? DetachedState)?.related(property) ?? []
  }
}

extension ManagedModelObject {
  func becomeBacking(of model: any PersistentModel) { model._$modelContent = _content }
}
