import CoreData

/// What keeps a model's values, whichever class the model is of.
public struct _ModelContent {
  @usableFromInline let kind: Kind

  @usableFromInline
  enum Kind {
    /// The managed object of a model that a context has.
    case managed(ManagedModelObject)
    /// A model that no context has.
    case detached(DetachedState)
    /// A client's own.
    case foreign(ForeignBackingData)
    /// A face that is being made, which takes no initial values: see ``FaceMaking``.
    case inert
  }

  init(_ kind: Kind) { self.kind = kind }

  var managed: ManagedModelObject? {
    if case .managed(let object) = kind { object } else { nil }
  }

  /// The same as everybody knows it.
  func data<Model: PersistentModel>(of type: Model.Type) -> any BackingData<Model> {
    switch kind {
    case .managed(let object): object.backingData(of: type)
    case .detached(let state): state.backingData(of: type)
    case .foreign(let foreign): recast(foreign.data, type)
    case .inert: ModelType.of(type).inertData.backingData(of: type)
    }
  }
}

/// What `persistentBackingData` of a model class gives.
public func _backingData<Model: PersistentModel>(
  _ content: _ModelContent, of type: Model.Type
) -> any BackingData<Model> {
  content.data(of: type)
}

/// `_$backingData` of a model class. Its accessors find the managed object in it without asking an existential.
public struct _ModelBacking<Model: PersistentModel> {
  /// For the accessors, which need not count it: the class's ``_FaceLink`` owns it.
  public let managed: _ManagedReference
  @usableFromInline let rest: Rest

  /// What there is where there is no managed object.
  @usableFromInline
  enum Rest {
    case nothing
    case detached(DetachedState)
    case foreign(ForeignBackingData)
    case inert
  }

  /// Of a new instance.
  public init() {
    managed = _ManagedReference(nil)
    rest = FaceMaking.isGoingOn ? .inert : .detached(ModelType.of(Model.self).makeDetachedData())
  }

  public init(_ content: __shared _ModelContent) {
    managed = _ManagedReference(content.managed)
    switch content.kind {
    case .managed: rest = .nothing
    case .detached(let state): rest = .detached(state)
    case .foreign(let foreign): rest = .foreign(foreign)
    case .inert: rest = .inert
    }
  }

  public var content: _ModelContent {
    if let object = managed.object { return _ModelContent(.managed(object.takeUnretainedValue())) }
    return switch rest {
    case .nothing, .inert: _ModelContent(.inert)
    case .detached(let state): _ModelContent(.detached(state))
    case .foreign(let foreign): _ModelContent(.foreign(foreign))
    }
  }

  /// The same as everybody knows it.
  public var data: any BackingData<Model> { content.data(of: Model.self) }

  /// Whether initial values are of any use.
  @inlinable @inline(__always)
  public var _isInert: Bool {
    if case .inert = rest { true } else { false }
  }
}

/// The managed object of a model, if a context has it. Uncounted: the model's ``_FaceLink`` owns it, and nothing that
/// reading or setting a property does gives a model other backing data.
public struct _ManagedReference {
  @usableFromInline let object: Unmanaged<ManagedModelObject>?

  init(_ object: ManagedModelObject?) { self.object = object.map(Unmanaged.passUnretained) }
}

// What generated initialisers, and accessors of a client's own, call on `_$backingData`: see ``BackingData``.
extension _ModelBacking {
  @_disfavoredOverload
  public func getValue<Value: Decodable>(forKey key: KeyPath<Model, Value>) -> Value {
    data.getValue(forKey: key)
  }
  public func getValue<Value: PersistentModel>(forKey key: KeyPath<Model, Value>) -> Value {
    data.getValue(forKey: key)
  }
  public func getValue<Value: PersistentModel>(forKey key: KeyPath<Model, Value?>) -> Value? {
    data.getValue(forKey: key)
  }
  public func getValue<Value, OtherModel>(forKey key: KeyPath<Model, Value>) -> Value
  where Value: RelationshipCollection, OtherModel == Value.PersistentElement {
    data.getValue(forKey: key)
  }
  public func getValue<Value, OtherModel>(forKey key: KeyPath<Model, Value>) -> Value
  where Value: Decodable, Value: RelationshipCollection, OtherModel == Value.PersistentElement {
    data.getValue(forKey: key)
  }
  public func getTransformableValue<Value>(forKey key: KeyPath<Model, Value>) -> Value {
    data.getTransformableValue(forKey: key)
  }

  @_disfavoredOverload
  public func setValue<Value: Encodable>(forKey key: KeyPath<Model, Value>, to newValue: Value) {
    if !keeps(newValue, key) { data.setValue(forKey: key, to: newValue) }
  }
  public func setValue<Value: PersistentModel>(
    forKey key: KeyPath<Model, Value>, to newValue: Value
  ) {
    if !keeps(newValue, key) { data.setValue(forKey: key, to: newValue) }
  }
  public func setValue<Value: PersistentModel>(
    forKey key: KeyPath<Model, Value?>, to newValue: Value?
  ) {
    if !keeps(newValue, key) { data.setValue(forKey: key, to: newValue) }
  }
  public func setValue<Value, OtherModel>(forKey key: KeyPath<Model, Value>, to newValue: Value)
  where Value: RelationshipCollection, OtherModel == Value.PersistentElement {
    if !keeps(newValue, key) { data.setValue(forKey: key, to: newValue) }
  }
  public func setValue<Value, OtherModel>(forKey key: KeyPath<Model, Value>, to newValue: Value)
  where Value: Encodable, Value: RelationshipCollection, OtherModel == Value.PersistentElement {
    if !keeps(newValue, key) { data.setValue(forKey: key, to: newValue) }
  }
  public func setTransformableValue<Value>(
    forKey key: KeyPath<Model, Value>, to newValue: Value
  ) {
    if !keeps(newValue, key) { data.setTransformableValue(forKey: key, to: newValue) }
  }

  /// Initial values, the most frequent case, need no existential.
  private func keeps<Value>(_ value: Value, _ key: AnyKeyPath) -> Bool {
    switch rest {
    case .detached(let state):
      state.write(value, state.modelType.known(key))
      return true
    case .inert: return true
    case .nothing, .foreign: return false
    }
  }
}

/// Backing data of a client's own.
@usableFromInline
final class ForeignBackingData {
  let data: any BackingData

  init(_ data: any BackingData) { self.data = data }
}

/// Says of backing data that they are of another class of the same tree.
///
/// Sound, since the layout is that of any `BackingData`, and key paths to properties of the tree's classes are all
/// that is ever asked with. The compiler does the same: the protocol's `init(backingData:)` hands a base class's
/// initialiser, which takes `any BackingData<Animal>`, what it was given as `any BackingData<Dog>`.
func recast<Model: PersistentModel>(
  _ data: any BackingData, _ type: Model.Type
) -> any BackingData<Model> {
  // Not `unsafeBitCast`, which asks the runtime for the size of the one and finds another.
  withUnsafePointer(to: data) { UnsafeRawPointer($0).load(as: (any BackingData<Model>).self) }
}
