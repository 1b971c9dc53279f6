/// Storage of a model's property values.
///
/// Source: developer.apple.com/documentation/swiftdata/backingdata
public protocol BackingData<Model> {
  associatedtype Model: PersistentModel

  /// Creates backing data without values, for a new model of this class.
  init(for modelType: Model.Type)

  /// The model's identifier; nil for backing data that have none.
  var persistentModelID: PersistentIdentifier? { get set }
  /// The schema's metadata of the model class.
  var metadata: Any { get }

  /// Returns the value of an attribute.
  func getValue<Value: Decodable>(forKey key: KeyPath<Model, Value>) -> Value
  /// Returns the destination of a to-one relationship.
  func getValue<Value: PersistentModel>(forKey key: KeyPath<Model, Value>) -> Value
  /// Returns the destination of an optional to-one relationship, or nil.
  func getValue<Value: PersistentModel>(forKey key: KeyPath<Model, Value?>) -> Value?
  /// Returns the destinations of a to-many relationship.
  func getValue<Value, OtherModel>(forKey key: KeyPath<Model, Value>) -> Value
  where Value: RelationshipCollection, OtherModel == Value.PersistentElement
  /// Returns the destinations of a to-many relationship whose collection type is also `Decodable`.
  func getValue<Value, OtherModel>(forKey key: KeyPath<Model, Value>) -> Value
  where Value: Decodable, Value: RelationshipCollection, OtherModel == Value.PersistentElement
  /// Returns the value of a transformable attribute.
  func getTransformableValue<Value>(forKey key: KeyPath<Model, Value>) -> Value

  /// Sets the value of an attribute.
  func setValue<Value: Encodable>(forKey key: KeyPath<Model, Value>, to newValue: Value)
  /// Sets the destination of a to-one relationship.
  func setValue<Value: PersistentModel>(forKey key: KeyPath<Model, Value>, to newValue: Value)
  /// Sets the destination of an optional to-one relationship; nil clears it.
  func setValue<Value: PersistentModel>(forKey key: KeyPath<Model, Value?>, to newValue: Value?)
  /// Sets the destinations of a to-many relationship.
  func setValue<Value, OtherModel>(forKey key: KeyPath<Model, Value>, to newValue: Value)
  where Value: RelationshipCollection, OtherModel == Value.PersistentElement
  /// Sets the destinations of a to-many relationship whose collection type is also `Encodable`.
  func setValue<Value, OtherModel>(forKey key: KeyPath<Model, Value>, to newValue: Value)
  where Value: Encodable, Value: RelationshipCollection, OtherModel == Value.PersistentElement
  /// Sets the value of a transformable attribute.
  func setTransformableValue<Value>(forKey key: KeyPath<Model, Value>, to newValue: Value)

  /// The kind of backing data. A client's own backing data need not implement it: the default wraps
  /// them.
  var _content: _ModelContent { get }
}

extension BackingData {
  /// Default: backing data of a client's own.
  public var _content: _ModelContent { _ModelContent(.foreign(ForeignBackingData(self))) }
}

/// Common interface of the two built-in kinds of backing data: managed objects, and detached
/// values.
protocol ModelState: AnyObject {
  var modelType: ModelType { get }
  var identifier: PersistentIdentifier { get }
  /// Returns the value of a property as its Swift type.
  func read<Value>(_ property: ModelProperty, as type: Value.Type) -> Value
  func write<Value>(_ value: Value, property: ModelProperty)
  /// Sets a relationship of `model` at both ends. `value` is a model, nil, or a sequence of models.
  func setRelated(_ value: Any?, property: ModelProperty, of model: any PersistentModel)
}

/// Implements the requirements of ``BackingData`` by reading and writing properties.
protocol ModelStateBacking<Model>: BackingData, ModelState {}

extension ModelStateBacking {
  /// The schema's metadata of the model class.
  public var metadata: Any { Model.schemaMetadata }

  private func get<Value>(_ key: AnyKeyPath, as type: Value.Type = Value.self) -> Value {
    read(modelType.known(key), as: type)
  }

  private func set<Value>(_ key: AnyKeyPath, value: Value) {
    write(value, property: modelType.known(key))
  }

  /// Returns the value of an attribute.
  public func getValue<Value: Decodable>(forKey key: KeyPath<Model, Value>) -> Value { get(key) }
  /// Returns the destination of a to-one relationship.
  public func getValue<Value: PersistentModel>(forKey key: KeyPath<Model, Value>) -> Value {
    get(key)
  }
  /// Returns the destination of an optional to-one relationship, or nil.
  public func getValue<Value: PersistentModel>(forKey key: KeyPath<Model, Value?>) -> Value? {
    get(key)
  }
  /// Returns the destinations of a to-many relationship.
  public func getValue<Value, OtherModel>(forKey key: KeyPath<Model, Value>) -> Value
  where Value: RelationshipCollection, OtherModel == Value.PersistentElement { get(key) }
  /// Returns the destinations of a to-many relationship whose collection type is also `Decodable`.
  public func getValue<Value, OtherModel>(forKey key: KeyPath<Model, Value>) -> Value
  where Value: Decodable, Value: RelationshipCollection, OtherModel == Value.PersistentElement {
    get(key)
  }
  /// Returns the value of a transformable attribute.
  public func getTransformableValue<Value>(forKey key: KeyPath<Model, Value>) -> Value { get(key) }

  /// Sets the value of an attribute.
  public func setValue<Value: Encodable>(forKey key: KeyPath<Model, Value>, to newValue: Value) {
    set(key, value: newValue)
  }
  /// Sets the destination of a to-one relationship.
  public func setValue<Value: PersistentModel>(
    forKey key: KeyPath<Model, Value>, to newValue: Value
  ) { set(key, value: newValue) }
  /// Sets the destination of an optional to-one relationship; nil clears it.
  public func setValue<Value: PersistentModel>(
    forKey key: KeyPath<Model, Value?>, to newValue: Value?
  ) { set(key, value: newValue) }
  /// Sets the destinations of a to-many relationship.
  public func setValue<Value, OtherModel>(forKey key: KeyPath<Model, Value>, to newValue: Value)
  where Value: RelationshipCollection, OtherModel == Value.PersistentElement {
    set(key, value: newValue)
  }
  /// Sets the destinations of a to-many relationship whose collection type is also `Encodable`.
  public func setValue<Value, OtherModel>(forKey key: KeyPath<Model, Value>, to newValue: Value)
  where Value: Encodable, Value: RelationshipCollection, OtherModel == Value.PersistentElement {
    set(key, value: newValue)
  }
  /// Sets the value of a transformable attribute.
  public func setTransformableValue<Value>(
    forKey key: KeyPath<Model, Value>, to newValue: Value
  ) { set(key, value: newValue) }
}
