/// A class whose instances a model container persists; `@Model` makes one of a plain class.
///
/// An instance in a context is the face of a Core Data managed object, which holds its values;
/// before it is inserted, and after its deletion, it keeps its own values. No access to an instance
/// traps: one whose row has been deleted keeps the values that it had.
///
/// Source: developer.apple.com/documentation/swiftdata/persistentmodel
public protocol PersistentModel: AnyObject, Observable, Hashable, Identifiable, SendableMetatype {
  /// The base class of the model's inheritance tree.
  associatedtype Root: PersistentModel = Self

  /// Creates a model on the given backing data.
  init(backingData: any BackingData<Self>)
  /// The storage of the model's values.
  var persistentBackingData: any BackingData<Self> { get set }
  /// The persistent properties of the class, with their attributes and relationships.
  static var schemaMetadata: [Schema.PropertyMetadata] { get }

  /// The content of the backing data, without its generic type. `@Model` writes it; classes written
  /// by hand use the default, which reads the backing data.
  var _$modelContent: _ModelContent { get set }
  /// Creates a model on the given content. Equivalent to `init(backingData:)`, without an
  /// existential.
  init(_$content: _ModelContent)
}

extension PersistentModel {
  /// Default: the content of `persistentBackingData`.
  public var _$modelContent: _ModelContent {
    get { persistentBackingData._content }
    set { persistentBackingData = newValue.data(of: Self.self) }
  }

  /// Default: calls `init(backingData:)`.
  public init(_$content content: _ModelContent) {
    self.init(backingData: content.data(of: Self.self))
  }
}

extension PersistentModel {
  /// Creates backing data for a new, detached instance.
  public static func createBackingData<P: PersistentModel>() -> some BackingData<P> {
    if FaceMaking.isGoingOn {
      return unsafeDowncast(ModelType.of(P.self).inertData, to: DetachedBackingData<P>.self)
    }
    return DetachedBackingData<P>(for: P.self)
  }

  public static func == (left: Self, right: Self) -> Bool { left === right }

  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

  /// The model's context; nil before it is inserted, or related to an inserted model, and after its
  /// deletion has been saved.
  public var modelContext: ModelContext? { managed?.modelContext }

  /// The model's identifier; temporary until the first save.
  public var persistentModelID: PersistentIdentifier { state.identifier }

  /// The model's identifier.
  public var id: PersistentIdentifier { persistentModelID }

  /// Whether a save would write changes of the model.
  public var hasChanges: Bool { managed?.hasChanges ?? false }

  /// Whether the model is marked for deletion: true from the deletion until it is saved.
  public var isDeleted: Bool { managed?.isDeleted ?? false }
}

// MARK: - Called by generated accessors

extension PersistentModel {
  /// Returns the value of an attribute.
  @_disfavoredOverload
  public func getValue<Value: Decodable>(forKey key: KeyPath<Self, Value>) -> Value {
    persistentBackingData.getValue(forKey: key)
  }

  /// Returns the destination of a to-one relationship.
  public func getValue<Value: PersistentModel>(forKey key: KeyPath<Self, Value>) -> Value {
    persistentBackingData.getValue(forKey: key)
  }

  /// Returns the destination of an optional to-one relationship, or nil.
  public func getValue<Value: PersistentModel>(forKey key: KeyPath<Self, Value?>) -> Value? {
    persistentBackingData.getValue(forKey: key)
  }

  /// Returns the destinations of a to-many relationship.
  public func getValue<Value, OtherModel>(forKey key: KeyPath<Self, Value>) -> Value
  where Value: RelationshipCollection, OtherModel == Value.PersistentElement {
    persistentBackingData.getValue(forKey: key)
  }

  /// Returns the destinations of a to-many relationship whose collection type is also `Decodable`.
  public func getValue<Value, OtherModel>(forKey key: KeyPath<Self, Value>) -> Value
  where Value: Decodable, Value: RelationshipCollection, OtherModel == Value.PersistentElement {
    persistentBackingData.getValue(forKey: key)
  }

  /// Returns the value of a transformable attribute.
  public func getTransformableValue<Value>(forKey key: KeyPath<Self, Value>) -> Value {
    persistentBackingData.getTransformableValue(forKey: key)
  }

  /// Sets the value of an attribute.
  @_disfavoredOverload
  public func setValue<Value: Encodable>(forKey key: KeyPath<Self, Value>, to newValue: Value) {
    persistentBackingData.setValue(forKey: key, to: newValue)
  }

  /// Sets the destination of a to-one relationship.
  public func setValue<Value: PersistentModel>(
    forKey key: KeyPath<Self, Value>, to newValue: Value
  ) {
    setRelated(newValue, key: key) { $0.setValue(forKey: key, to: newValue) }
  }

  /// Sets the destination of an optional to-one relationship; nil clears it.
  public func setValue<Value: PersistentModel>(
    forKey key: KeyPath<Self, Value?>, to newValue: Value?
  ) {
    setRelated(newValue, key: key) { $0.setValue(forKey: key, to: newValue) }
  }

  /// Sets the destinations of a to-many relationship.
  public func setValue<Value, OtherModel>(forKey key: KeyPath<Self, Value>, to newValue: Value)
  where Value: RelationshipCollection, OtherModel == Value.PersistentElement {
    setRelated(newValue, key: key) { $0.setValue(forKey: key, to: newValue) }
  }

  /// Sets the destinations of a to-many relationship whose collection type is also `Encodable`.
  public func setValue<Value, OtherModel>(forKey key: KeyPath<Self, Value>, to newValue: Value)
  where Value: Encodable, Value: RelationshipCollection, OtherModel == Value.PersistentElement {
    setRelated(newValue, key: key) { $0.setValue(forKey: key, to: newValue) }
  }

  /// Sets the value of a transformable attribute.
  public func setTransformableValue<Value>(
    forKey key: KeyPath<Self, Value>, to newValue: Value
  ) {
    persistentBackingData.setTransformableValue(forKey: key, to: newValue)
  }

  /// Sets a relationship at both ends. This level knows the model and so the other end of the
  /// relationship; generated initialisers know values only.
  private func setRelated(
    _ value: Any?, key: AnyKeyPath, otherwise: (any BackingData<Self>) -> Void
  ) {
    switch _$modelContent.kind {
    case .managed(let object):
      object.setRelated(value, property: object.modelType.known(key), of: self)
    case .detached(let state):
      state.setRelated(value, property: state.modelType.known(key), of: self)
    case .foreign, .inert: otherwise(persistentBackingData)
    }
  }
}

// MARK: - Inside

extension PersistentModel {
  var state: any ModelState {
    switch _$modelContent.kind {
    case .managed(let object): object
    case .detached(let state): state
    case .foreign(let foreign):
      foreign.data as? any ModelState ?? DetachedBackingData<Self>(for: Self.self)
    case .inert: ModelType.of(Self.self).inertData
    }
  }

  /// The managed object whose face the model is; nil for a detached model.
  var managed: ManagedModelObject? { _$modelContent.managed }

  /// The values of a detached model; nil for a model in a context.
  var detached: DetachedState? {
    if case .detached(let state) = _$modelContent.kind { state } else { nil }
  }
}
