// Overloads for model classes that are `Codable` themselves. A property of such a type matches both
// the attribute and the relationship requirement of `BackingData`; these overloads resolve the
// ambiguity in favour of the relationship.

extension PersistentModel {
  /// Returns the destination of a to-one relationship to a model class that is itself `Decodable`.
  public func getValue<Value: PersistentModel & Decodable>(
    forKey key: KeyPath<Self, Value>
  ) -> Value { related(key) }

  /// Returns the destination, or nil, of an optional to-one relationship to a `Decodable` model
  /// class.
  public func getValue<Value: PersistentModel & Decodable>(
    forKey key: KeyPath<Self, Value?>
  ) -> Value? { related(key) }

  /// Sets the destination of a to-one relationship to a model class that is itself `Encodable`.
  public func setValue<Value: PersistentModel & Encodable>(
    forKey key: KeyPath<Self, Value>, to newValue: Value
  ) { relate(key, value: newValue) }

  /// Sets the destination of an optional to-one relationship to an `Encodable` model class; nil
  /// clears it.
  public func setValue<Value: PersistentModel & Encodable>(
    forKey key: KeyPath<Self, Value?>, to newValue: Value?
  ) { relate(key, value: newValue) }

  // In these generic contexts the type is not known to be Codable, so only the relationship
  // overload applies.

  private func related<Value: PersistentModel>(_ key: KeyPath<Self, Value>) -> Value {
    getValue(forKey: key)
  }
  private func related<Value: PersistentModel>(_ key: KeyPath<Self, Value?>) -> Value? {
    getValue(forKey: key)
  }
  private func relate<Value: PersistentModel>(_ key: KeyPath<Self, Value>, value: Value) {
    setValue(forKey: key, to: value)
  }
  private func relate<Value: PersistentModel>(_ key: KeyPath<Self, Value?>, value: Value?) {
    setValue(forKey: key, to: value)
  }
}

extension BackingData {
  /// Returns the destination of a to-one relationship to a model class that is itself `Decodable`.
  public func getValue<Value: PersistentModel & Decodable>(
    forKey key: KeyPath<Model, Value>
  ) -> Value { related(key) }

  /// Returns the destination, or nil, of an optional to-one relationship to a `Decodable` model
  /// class.
  public func getValue<Value: PersistentModel & Decodable>(
    forKey key: KeyPath<Model, Value?>
  ) -> Value? { related(key) }

  /// Sets the destination of a to-one relationship to a model class that is itself `Encodable`.
  public func setValue<Value: PersistentModel & Encodable>(
    forKey key: KeyPath<Model, Value>, to newValue: Value
  ) { relate(key, value: newValue) }

  /// Sets the destination of an optional to-one relationship to an `Encodable` model class; nil
  /// clears it.
  public func setValue<Value: PersistentModel & Encodable>(
    forKey key: KeyPath<Model, Value?>, to newValue: Value?
  ) { relate(key, value: newValue) }

  private func related<Value: PersistentModel>(_ key: KeyPath<Model, Value>) -> Value {
    getValue(forKey: key)
  }
  private func related<Value: PersistentModel>(_ key: KeyPath<Model, Value?>) -> Value? {
    getValue(forKey: key)
  }
  private func relate<Value: PersistentModel>(_ key: KeyPath<Model, Value>, value: Value) {
    setValue(forKey: key, to: value)
  }
  private func relate<Value: PersistentModel>(_ key: KeyPath<Model, Value?>, value: Value?) {
    setValue(forKey: key, to: value)
  }
}

extension _ModelBacking {
  /// Returns the destination of a to-one relationship to a model class that is itself `Decodable`.
  public func getValue<Value: PersistentModel & Decodable>(
    forKey key: KeyPath<Model, Value>
  ) -> Value { related(key) }

  /// Returns the destination, or nil, of an optional to-one relationship to a `Decodable` model
  /// class.
  public func getValue<Value: PersistentModel & Decodable>(
    forKey key: KeyPath<Model, Value?>
  ) -> Value? { related(key) }

  /// Sets the destination of a to-one relationship to a model class that is itself `Encodable`.
  public func setValue<Value: PersistentModel & Encodable>(
    forKey key: KeyPath<Model, Value>, to newValue: Value
  ) { relate(key, value: newValue) }

  /// Sets the destination of an optional to-one relationship to an `Encodable` model class; nil
  /// clears it.
  public func setValue<Value: PersistentModel & Encodable>(
    forKey key: KeyPath<Model, Value?>, to newValue: Value?
  ) { relate(key, value: newValue) }

  private func related<Value: PersistentModel>(_ key: KeyPath<Model, Value>) -> Value {
    getValue(forKey: key)
  }
  private func related<Value: PersistentModel>(_ key: KeyPath<Model, Value?>) -> Value? {
    getValue(forKey: key)
  }
  private func relate<Value: PersistentModel>(_ key: KeyPath<Model, Value>, value: Value) {
    setValue(forKey: key, to: value)
  }
  private func relate<Value: PersistentModel>(_ key: KeyPath<Model, Value?>, value: Value?) {
    setValue(forKey: key, to: value)
  }
}
