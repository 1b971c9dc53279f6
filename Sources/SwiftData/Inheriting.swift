import Foundation

// What `@Model` on a subclass calls: see ModelClass+Members.swift of the macros. Each class of a tree has backing
// data of its own while an instance is being made, since a subclass's properties have their initial values before
// anything of the base class exists. Those of the most derived class are the instance's.

/// The content of a subclass with the values of its base class, which is to have them too; nil if they are the same
/// already.
public func _joined<Model: PersistentModel>(
  _ own: _ModelBacking<Model>, _ inherited: _ModelContent
) -> _ModelContent? {
  guard case .detached(let mine) = own.rest, case .detached(let theirs) = inherited.kind,
    mine !== theirs
  else { return nil }
  for property in theirs.modelType.properties {
    let held = theirs.held(property)
    if case .none = held { continue }
    mine.take(held, property)
  }
  return mine._content
}
