import CoreData

/// Storage of a model's values, independent of the model's class.
public struct _ModelContent {
  @usableFromInline let kind: Kind

  @usableFromInline
  enum Kind {
    /// The managed object of a model in a context.
    case managed(ManagedModelObject)
    /// The values of a detached model.
    case detached(DetachedState)
    /// Backing data of a client's own class.
    case foreign(ForeignBackingData)
    /// A face in the making, which ignores initial values; see ``FaceMaking``.
    case inert
  }

  init(_ kind: Kind) { self.kind = kind }

  var managed: ManagedModelObject? {
    if case .managed(let object) = kind { object } else { nil }
  }

  /// The content as public ``BackingData``.
  func data<Model: PersistentModel>(of type: Model.Type) -> any BackingData<Model> {
    switch kind {
    case .managed(let object): object.backingData(of: type)
    case .detached(let state): state.backingData(of: type)
    case .foreign(let foreign): recast(foreign.data, type: type)
    case .inert: ModelType.of(type).inertData.backingData(of: type)
    }
  }
}

/// Returns the value of a model's `persistentBackingData`.
public func _backingData<Model: PersistentModel>(
  _ content: _ModelContent, of type: Model.Type
) -> any BackingData<Model> {
  content.data(of: type)
}

/// `_$backingData` of a model class. Accessors read the managed object from it without opening an
/// existential.
public struct _ModelBacking<Model: PersistentModel> {
  /// The managed object, unretained: the model's ``_FaceLink`` owns it while the accessors run.
  public let managed: _ManagedReference
  @usableFromInline let rest: Rest

  /// The backing data of a model without a managed object.
  @usableFromInline
  enum Rest {
    case nothing
    case detached(DetachedState)
    case foreign(ForeignBackingData)
    case inert
  }

  /// Creates backing data for a new instance.
  public init() {
    managed = _ManagedReference(nil)
    rest = FaceMaking.isGoingOn ? .inert : .detached(ModelType.of(Model.self).makeDetachedData())
  }

  /// Creates backing data on existing content.
  public init(_ content: __shared _ModelContent) {
    managed = _ManagedReference(content.managed)
    switch content.kind {
    case .managed: rest = .nothing
    case .detached(let state): rest = .detached(state)
    case .foreign(let foreign): rest = .foreign(foreign)
    case .inert: rest = .inert
    }
  }

  /// The content, without the generic type of the model.
  public var content: _ModelContent {
    if let object = managed.object { return _ModelContent(.managed(object.takeUnretainedValue())) }
    return switch rest {
    case .nothing, .inert: _ModelContent(.inert)
    case .detached(let state): _ModelContent(.detached(state))
    case .foreign(let foreign): _ModelContent(.foreign(foreign))
    }
  }

  /// The content as public ``BackingData``.
  public var data: any BackingData<Model> { content.data(of: Model.self) }

  /// Whether initial values are ignored, because a face is being made.
  @inlinable @inline(__always)
  public var _isInert: Bool {
    if case .inert = rest { true } else { false }
  }
}

/// The managed object of a model in a context, else nil. Unretained: sound because the model's
/// ``_FaceLink`` owns the object, and reading or setting a property never replaces the model's
/// backing data.
public struct _ManagedReference {
  @usableFromInline let object: Unmanaged<ManagedModelObject>?

  init(_ object: ManagedModelObject?) { self.object = object.map(Unmanaged.passUnretained) }
}

// Called on `_$backingData` by generated initialisers and by accessors that a client writes; see
// ``BackingData``.
extension _ModelBacking {
  /// Returns the value of an attribute.
  @_disfavoredOverload
  public func getValue<Value: Decodable>(forKey key: KeyPath<Model, Value>) -> Value {
    data.getValue(forKey: key)
  }
  /// Returns the destination of a to-one relationship.
  public func getValue<Value: PersistentModel>(forKey key: KeyPath<Model, Value>) -> Value {
    data.getValue(forKey: key)
  }
  /// Returns the destination of an optional to-one relationship, or nil.
  public func getValue<Value: PersistentModel>(forKey key: KeyPath<Model, Value?>) -> Value? {
    data.getValue(forKey: key)
  }
  /// Returns the destinations of a to-many relationship.
  public func getValue<Value, OtherModel>(forKey key: KeyPath<Model, Value>) -> Value
  where Value: RelationshipCollection, OtherModel == Value.PersistentElement {
    data.getValue(forKey: key)
  }
  /// Returns the destinations of a to-many relationship whose collection type is also `Decodable`.
  public func getValue<Value, OtherModel>(forKey key: KeyPath<Model, Value>) -> Value
  where Value: Decodable, Value: RelationshipCollection, OtherModel == Value.PersistentElement {
    data.getValue(forKey: key)
  }
  /// Returns the value of a transformable attribute.
  public func getTransformableValue<Value>(forKey key: KeyPath<Model, Value>) -> Value {
    data.getTransformableValue(forKey: key)
  }

  /// Sets the value of an attribute.
  @_disfavoredOverload
  public func setValue<Value: Encodable>(forKey key: KeyPath<Model, Value>, to newValue: Value) {
    if !keeps(newValue, key: key) { data.setValue(forKey: key, to: newValue) }
  }
  /// Sets the destination of a to-one relationship.
  public func setValue<Value: PersistentModel>(
    forKey key: KeyPath<Model, Value>, to newValue: Value
  ) {
    if !keeps(newValue, key: key) { data.setValue(forKey: key, to: newValue) }
  }
  /// Sets the destination of an optional to-one relationship; nil clears it.
  public func setValue<Value: PersistentModel>(
    forKey key: KeyPath<Model, Value?>, to newValue: Value?
  ) {
    if !keeps(newValue, key: key) { data.setValue(forKey: key, to: newValue) }
  }
  /// Sets the destinations of a to-many relationship.
  public func setValue<Value, OtherModel>(forKey key: KeyPath<Model, Value>, to newValue: Value)
  where Value: RelationshipCollection, OtherModel == Value.PersistentElement {
    if !keeps(newValue, key: key) { data.setValue(forKey: key, to: newValue) }
  }
  /// Sets the destinations of a to-many relationship whose collection type is also `Encodable`.
  public func setValue<Value, OtherModel>(forKey key: KeyPath<Model, Value>, to newValue: Value)
  where Value: Encodable, Value: RelationshipCollection, OtherModel == Value.PersistentElement {
    if !keeps(newValue, key: key) { data.setValue(forKey: key, to: newValue) }
  }
  /// Sets the value of a transformable attribute.
  public func setTransformableValue<Value>(
    forKey key: KeyPath<Model, Value>, to newValue: Value
  ) {
    if !keeps(newValue, key: key) { data.setTransformableValue(forKey: key, to: newValue) }
  }

  /// Writes an initial value directly, the most frequent case, without an existential. Returns
  /// false if there is no detached or inert state.
  private func keeps<Value>(_ value: Value, key: AnyKeyPath) -> Bool {
    switch rest {
    case .detached(let state):
      state.write(value, property: state.modelType.known(key))
      return true
    case .inert: return true
    case .nothing, .foreign: return false
    }
  }
}

/// Holds backing data of a client's own class.
@usableFromInline
final class ForeignBackingData {
  let data: any BackingData

  init(_ data: any BackingData) { self.data = data }
}

/// Casts backing data to those of another class of the same inheritance tree.
///
/// Sound: all `any BackingData<…>` have one layout, and the data are only read with key paths to
/// properties of the tree's classes. The compiler relies on the same: `init(backingData:)` of the
/// protocol passes an `any BackingData<Dog>` to a base class's initialiser that expects
/// `any BackingData<Animal>`.
func recast<Model: PersistentModel>(
  _ data: any BackingData, type: Model.Type
) -> any BackingData<Model> {
  // Not `unsafeBitCast`: it compares the runtime sizes of both types and finds them different.
  withUnsafePointer(to: data) { UnsafeRawPointer($0).load(as: (any BackingData<Model>).self) }
}
