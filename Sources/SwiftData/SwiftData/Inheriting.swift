import Foundation

// Called by the code that `@Model` generates for a subclass (ModelClass+Members.swift of the
// macros). While an instance is being made, each class of the tree has backing data of its own,
// since the initial values of a subclass's properties are set before the base class exists. The
// backing data of the most derived class become the instance's.

/// Copies the initial values of the base class into the subclass's backing data and returns the
/// joined content; nil if both already share one state, or if either is not detached.
public func _joined<Model: PersistentModel>(
  _ own: _ModelBacking<Model>, _ inherited: _ModelContent
) -> _ModelContent? {
  guard case .detached(let mine) = own.rest, case .detached(let theirs) = inherited.kind,
    mine !== theirs
  else { return nil }
  for property in theirs.modelType.properties {
    let held = theirs.held(property)
    if case .none = held { continue }
    mine.take(held, property: property)
  }
  return mine._content
}
