/// Where a model keeps its values.
///
/// Source: developer.apple.com/documentation/swiftdata/backingdata
public protocol BackingData<Model> {
  associatedtype Model: PersistentModel

  init(for modelType: Model.Type)

  var persistentModelID: PersistentIdentifier? { get set }
  var metadata: Any { get }

  func getValue<Value: Decodable>(forKey key: KeyPath<Model, Value>) -> Value
  func getValue<Value: PersistentModel>(forKey key: KeyPath<Model, Value>) -> Value
  func getValue<Value: PersistentModel>(forKey key: KeyPath<Model, Value?>) -> Value?
  func getValue<Value, OtherModel>(forKey key: KeyPath<Model, Value>) -> Value
  where Value: RelationshipCollection, OtherModel == Value.PersistentElement
  func getValue<Value, OtherModel>(forKey key: KeyPath<Model, Value>) -> Value
  where Value: Decodable, Value: RelationshipCollection, OtherModel == Value.PersistentElement
  func getTransformableValue<Value>(forKey key: KeyPath<Model, Value>) -> Value

  func setValue<Value: Encodable>(forKey key: KeyPath<Model, Value>, to newValue: Value)
  func setValue<Value: PersistentModel>(forKey key: KeyPath<Model, Value>, to newValue: Value)
  func setValue<Value: PersistentModel>(forKey key: KeyPath<Model, Value?>, to newValue: Value?)
  func setValue<Value, OtherModel>(forKey key: KeyPath<Model, Value>, to newValue: Value)
  where Value: RelationshipCollection, OtherModel == Value.PersistentElement
  func setValue<Value, OtherModel>(forKey key: KeyPath<Model, Value>, to newValue: Value)
  where Value: Encodable, Value: RelationshipCollection, OtherModel == Value.PersistentElement
  func setTransformableValue<Value>(forKey key: KeyPath<Model, Value>, to newValue: Value)

  /// Which of the kinds of backing data it is; those of a client's own need not say.
  var _content: _ModelContent { get }
}

extension BackingData {
  public var _content: _ModelContent { _ModelContent(.foreign(ForeignBackingData(self))) }
}

/// Both kinds of our own: a managed object, and values without a context.
protocol ModelState: AnyObject {
  var modelType: ModelType { get }
  var identifier: PersistentIdentifier { get }
  /// The value of any property as its Swift type has it.
  func read<Value>(_ property: ModelProperty, as type: Value.Type) -> Value
  func write<Value>(_ value: Value, _ property: ModelProperty)
  /// Sets a relationship of a model, on both sides: to a model, to nil, or to models.
  func setRelated(_ value: Any?, _ property: ModelProperty, of model: any PersistentModel)
}

/// The requirements of ``BackingData``, all of which come down to reading and writing a property.
protocol ModelStateBacking<Model>: BackingData, ModelState {}

extension ModelStateBacking {
  public var metadata: Any { Model.schemaMetadata }

  private func get<Value>(_ key: AnyKeyPath, as type: Value.Type = Value.self) -> Value {
    read(modelType.known(key), as: type)
  }

  private func set<Value>(_ key: AnyKeyPath, _ value: Value) {
    write(value, modelType.known(key))
  }

  public func getValue<Value: Decodable>(forKey key: KeyPath<Model, Value>) -> Value { get(key) }
  public func getValue<Value: PersistentModel>(forKey key: KeyPath<Model, Value>) -> Value {
    get(key)
  }
  public func getValue<Value: PersistentModel>(forKey key: KeyPath<Model, Value?>) -> Value? {
    get(key)
  }
  public func getValue<Value, OtherModel>(forKey key: KeyPath<Model, Value>) -> Value
  where Value: RelationshipCollection, OtherModel == Value.PersistentElement { get(key) }
  public func getValue<Value, OtherModel>(forKey key: KeyPath<Model, Value>) -> Value
  where Value: Decodable, Value: RelationshipCollection, OtherModel == Value.PersistentElement {
    get(key)
  }
  public func getTransformableValue<Value>(forKey key: KeyPath<Model, Value>) -> Value { get(key) }

  public func setValue<Value: Encodable>(forKey key: KeyPath<Model, Value>, to newValue: Value) {
    set(key, newValue)
  }
  public func setValue<Value: PersistentModel>(
    forKey key: KeyPath<Model, Value>, to newValue: Value
  ) { set(key, newValue) }
  public func setValue<Value: PersistentModel>(
    forKey key: KeyPath<Model, Value?>, to newValue: Value?
  ) { set(key, newValue) }
  public func setValue<Value, OtherModel>(forKey key: KeyPath<Model, Value>, to newValue: Value)
  where Value: RelationshipCollection, OtherModel == Value.PersistentElement { set(key, newValue) }
  public func setValue<Value, OtherModel>(forKey key: KeyPath<Model, Value>, to newValue: Value)
  where Value: Encodable, Value: RelationshipCollection, OtherModel == Value.PersistentElement {
    set(key, newValue)
  }
  public func setTransformableValue<Value>(
    forKey key: KeyPath<Model, Value>, to newValue: Value
  ) { set(key, newValue) }
}
