// A model that is Codable itself is both what a relationship leads to and what an attribute has: the requirements of
// `BackingData` alone leave open which is meant. It is the relationship.

extension PersistentModel {
  public func getValue<Value: PersistentModel & Decodable>(
    forKey key: KeyPath<Self, Value>
  ) -> Value { related(key) }

  public func getValue<Value: PersistentModel & Decodable>(
    forKey key: KeyPath<Self, Value?>
  ) -> Value? { related(key) }

  public func setValue<Value: PersistentModel & Encodable>(
    forKey key: KeyPath<Self, Value>, to newValue: Value
  ) { relate(key, newValue) }

  public func setValue<Value: PersistentModel & Encodable>(
    forKey key: KeyPath<Self, Value?>, to newValue: Value?
  ) { relate(key, newValue) }

  // Where nothing is known of Codable, there is one function of each kind.

  private func related<Value: PersistentModel>(_ key: KeyPath<Self, Value>) -> Value {
    getValue(forKey: key)
  }
  private func related<Value: PersistentModel>(_ key: KeyPath<Self, Value?>) -> Value? {
    getValue(forKey: key)
  }
  private func relate<Value: PersistentModel>(_ key: KeyPath<Self, Value>, _ value: Value) {
    setValue(forKey: key, to: value)
  }
  private func relate<Value: PersistentModel>(_ key: KeyPath<Self, Value?>, _ value: Value?) {
    setValue(forKey: key, to: value)
  }
}

extension BackingData {
  public func getValue<Value: PersistentModel & Decodable>(
    forKey key: KeyPath<Model, Value>
  ) -> Value { related(key) }

  public func getValue<Value: PersistentModel & Decodable>(
    forKey key: KeyPath<Model, Value?>
  ) -> Value? { related(key) }

  public func setValue<Value: PersistentModel & Encodable>(
    forKey key: KeyPath<Model, Value>, to newValue: Value
  ) { relate(key, newValue) }

  public func setValue<Value: PersistentModel & Encodable>(
    forKey key: KeyPath<Model, Value?>, to newValue: Value?
  ) { relate(key, newValue) }

  private func related<Value: PersistentModel>(_ key: KeyPath<Model, Value>) -> Value {
    getValue(forKey: key)
  }
  private func related<Value: PersistentModel>(_ key: KeyPath<Model, Value?>) -> Value? {
    getValue(forKey: key)
  }
  private func relate<Value: PersistentModel>(_ key: KeyPath<Model, Value>, _ value: Value) {
    setValue(forKey: key, to: value)
  }
  private func relate<Value: PersistentModel>(_ key: KeyPath<Model, Value?>, _ value: Value?) {
    setValue(forKey: key, to: value)
  }
}

extension _ModelBacking {
  public func getValue<Value: PersistentModel & Decodable>(
    forKey key: KeyPath<Model, Value>
  ) -> Value { related(key) }

  public func getValue<Value: PersistentModel & Decodable>(
    forKey key: KeyPath<Model, Value?>
  ) -> Value? { related(key) }

  public func setValue<Value: PersistentModel & Encodable>(
    forKey key: KeyPath<Model, Value>, to newValue: Value
  ) { relate(key, newValue) }

  public func setValue<Value: PersistentModel & Encodable>(
    forKey key: KeyPath<Model, Value?>, to newValue: Value?
  ) { relate(key, newValue) }

  private func related<Value: PersistentModel>(_ key: KeyPath<Model, Value>) -> Value {
    getValue(forKey: key)
  }
  private func related<Value: PersistentModel>(_ key: KeyPath<Model, Value?>) -> Value? {
    getValue(forKey: key)
  }
  private func relate<Value: PersistentModel>(_ key: KeyPath<Model, Value>, _ value: Value) {
    setValue(forKey: key, to: value)
  }
  private func relate<Value: PersistentModel>(_ key: KeyPath<Model, Value?>, _ value: Value?) {
    setValue(forKey: key, to: value)
  }
}
