/// A class whose instances live in a model container; `@Model` makes one of a plain class.
///
/// An instance that a context has is the face of a managed object of Core Data, which holds its values; before it
/// is inserted, and after its deletion, it keeps values of its own. No use of an instance stops the program: one
/// whose row has gone keeps the values that it had.
///
/// Source: developer.apple.com/documentation/swiftdata/persistentmodel
public protocol PersistentModel: AnyObject, Observable, Hashable, Identifiable, SendableMetatype {
  /// The base class of an inheritance tree.
  associatedtype Root: PersistentModel = Self

  init(backingData: any BackingData<Self>)
  var persistentBackingData: any BackingData<Self> { get set }
  static var schemaMetadata: [Schema.PropertyMetadata] { get }

  /// What the backing data are of. `@Model` writes it; of other classes the backing data themselves are asked.
  var _$modelContent: _ModelContent { get set }
  /// A face of what the content is of: the same as `init(backingData:)`, without an existential.
  init(_$content: _ModelContent)
}

extension PersistentModel {
  public var _$modelContent: _ModelContent {
    get { persistentBackingData._content }
    set { persistentBackingData = newValue.data(of: Self.self) }
  }

  public init(_$content content: _ModelContent) {
    self.init(backingData: content.data(of: Self.self))
  }
}

extension PersistentModel {
  /// Values for an instance that no context has yet.
  public static func createBackingData<P: PersistentModel>() -> some BackingData<P> {
    if FaceMaking.isGoingOn {
      return unsafeDowncast(ModelType.of(P.self).inertData, to: DetachedBackingData<P>.self)
    }
    return DetachedBackingData<P>(for: P.self)
  }

  public static func == (left: Self, right: Self) -> Bool { left === right }

  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

  /// The context that the model is in: nil before it is inserted, or related to one that is, and after its deletion
  /// has been saved.
  public var modelContext: ModelContext? { managed?.modelContext }

  /// Temporary until the first save.
  public var persistentModelID: PersistentIdentifier { state.identifier }

  public var id: PersistentIdentifier { persistentModelID }

  /// Whether a save would write anything of it.
  public var hasChanges: Bool { managed?.hasChanges ?? false }

  /// True from the deletion to its save.
  public var isDeleted: Bool { managed?.isDeleted ?? false }
}

// MARK: - What the generated accessors call

extension PersistentModel {
  @_disfavoredOverload
  public func getValue<Value: Decodable>(forKey key: KeyPath<Self, Value>) -> Value {
    persistentBackingData.getValue(forKey: key)
  }

  public func getValue<Value: PersistentModel>(forKey key: KeyPath<Self, Value>) -> Value {
    persistentBackingData.getValue(forKey: key)
  }

  public func getValue<Value: PersistentModel>(forKey key: KeyPath<Self, Value?>) -> Value? {
    persistentBackingData.getValue(forKey: key)
  }

  public func getValue<Value, OtherModel>(forKey key: KeyPath<Self, Value>) -> Value
  where Value: RelationshipCollection, OtherModel == Value.PersistentElement {
    persistentBackingData.getValue(forKey: key)
  }

  public func getValue<Value, OtherModel>(forKey key: KeyPath<Self, Value>) -> Value
  where Value: Decodable, Value: RelationshipCollection, OtherModel == Value.PersistentElement {
    persistentBackingData.getValue(forKey: key)
  }

  public func getTransformableValue<Value>(forKey key: KeyPath<Self, Value>) -> Value {
    persistentBackingData.getTransformableValue(forKey: key)
  }

  @_disfavoredOverload
  public func setValue<Value: Encodable>(forKey key: KeyPath<Self, Value>, to newValue: Value) {
    persistentBackingData.setValue(forKey: key, to: newValue)
  }

  public func setValue<Value: PersistentModel>(
    forKey key: KeyPath<Self, Value>, to newValue: Value
  ) {
    setRelated(newValue, key) { $0.setValue(forKey: key, to: newValue) }
  }

  public func setValue<Value: PersistentModel>(
    forKey key: KeyPath<Self, Value?>, to newValue: Value?
  ) {
    setRelated(newValue, key) { $0.setValue(forKey: key, to: newValue) }
  }

  public func setValue<Value, OtherModel>(forKey key: KeyPath<Self, Value>, to newValue: Value)
  where Value: RelationshipCollection, OtherModel == Value.PersistentElement {
    setRelated(newValue, key) { $0.setValue(forKey: key, to: newValue) }
  }

  public func setValue<Value, OtherModel>(forKey key: KeyPath<Self, Value>, to newValue: Value)
  where Value: Encodable, Value: RelationshipCollection, OtherModel == Value.PersistentElement {
    setRelated(newValue, key) { $0.setValue(forKey: key, to: newValue) }
  }

  public func setTransformableValue<Value>(
    forKey key: KeyPath<Self, Value>, to newValue: Value
  ) {
    persistentBackingData.setTransformableValue(forKey: key, to: newValue)
  }

  /// Here the model itself is known, and with it the other side of the relationship; generated initialisers know
  /// its values alone.
  private func setRelated(
    _ value: Any?, _ key: AnyKeyPath, otherwise: (any BackingData<Self>) -> Void
  ) {
    switch _$modelContent.kind {
    case .managed(let object): object.setRelated(value, object.modelType.known(key), of: self)
    case .detached(let state): state.setRelated(value, state.modelType.known(key), of: self)
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

  /// The managed object whose face the model is; nil for one that no context has.
  var managed: ManagedModelObject? { _$modelContent.managed }

  /// The values of a model that no context has.
  var detached: DetachedState? {
    if case .detached(let state) = _$modelContent.kind { state } else { nil }
  }
}
