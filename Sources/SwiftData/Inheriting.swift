import Foundation

// What `@Model` on a subclass calls: see ModelClass+Members.swift of the macros. Each class of a tree has backing
// data of its own while an instance is being made, since a subclass's properties have their initial values before
// anything of the base class exists. Those of the most derived class are the instance's.

/// The backing data of a subclass with the values of its base class, which is to have them too; nil if they are the
/// same already.
public func _joined<Model: PersistentModel, Base: PersistentModel>(
  _ own: any BackingData<Model>, _ inherited: any BackingData<Base>
) -> (any BackingData<Base>)? {
  guard !isSame(own, inherited), let mine = own as? DetachedState,
    let theirs = inherited as? DetachedState
  else { return nil }
  for property in theirs.modelType.properties {
    if let value = theirs.value(property) { mine.write(value, property) }
  }
  return recast(own, Base.self)
}

/// Backing data that the base class was given, which are the subclass's too.
public func _backingData<Base: PersistentModel, Model: PersistentModel>(
  _ inherited: any BackingData<Base>, of model: Model.Type
) -> any BackingData<Model> {
  recast(inherited, model)
}

private func isSame<Left: PersistentModel, Right: PersistentModel>(
  _ left: any BackingData<Left>, _ right: any BackingData<Right>
) -> Bool {
  withUnsafeBytes(of: left) { left in
    withUnsafeBytes(of: right) { memcmp(left.baseAddress!, $0.baseAddress!, left.count) == 0 }
  }
}

/// Says of backing data that they are of another class of the same tree.
///
/// Sound, since the layout is that of any `BackingData`, and key paths to properties of the tree's classes are all
/// that is ever asked with. The compiler does the same: the protocol's `init(backingData:)` hands a base class's
/// initialiser, which takes `any BackingData<Animal>`, what it was given as `any BackingData<Dog>`.
private func recast<From: PersistentModel, To: PersistentModel>(
  _ data: any BackingData<From>, _ type: To.Type
) -> any BackingData<To> {
  withUnsafePointer(to: data) { UnsafeRawPointer($0).load(as: (any BackingData<To>).self) }
}
