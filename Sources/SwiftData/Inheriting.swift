import Foundation

// What `@Model` on a subclass calls: see ModelClass+Members.swift of the macros. Each class of a tree has backing
// data of its own while an instance is being made, since a subclass's properties have their initial values before
// anything of the base class exists. Those of the most derived class are the instance's.

/// The backing data of a subclass with the values of its base class, which is to have them too; nil if they are the
/// same already.
public func _joined<Model: PersistentModel, Base: PersistentModel>(
  _ own: _ModelBacking<Model>, _ inherited: any BackingData<Base>
) -> (any BackingData<Base>)? {
  guard case .detached(let mine) = own.content.kind,
    case .detached(let theirs) = inherited._content.kind, mine !== theirs
  else { return nil }
  for property in theirs.modelType.properties {
    let held = theirs.held(property)
    if case .none = held { continue }
    mine.take(held, property)
  }
  return mine.backingData(of: Base.self)
}

/// Backing data that the base class was given, which are the subclass's too.
public func _backingData<Base: PersistentModel, Model: PersistentModel>(
  _ inherited: any BackingData<Base>, of model: Model.Type
) -> _ModelBacking<Model> {
  _ModelBacking(inherited._content)
}
