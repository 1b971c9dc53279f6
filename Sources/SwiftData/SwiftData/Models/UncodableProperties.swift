// Overloads for property types that no store can keep. No other overload accepts such a type, so
// the compiler reports this message at the property instead of the unmet requirements of every
// overload.

extension PersistentModel {
  /// Unavailable: the type of the property is not `Decodable`.
  @available(
    *, unavailable,
    message:
      "the type of this persisted property does not conform to Codable: make it Codable, keep it with '@Attribute(.transformable(by:))', or mark the property @Transient"
  )
  @_disfavoredOverload
  public func getValue<Value>(forKey key: KeyPath<Self, Value>) -> Value {
    fatalError("The type \(Value.self) does not conform to Codable")
  }

  /// Unavailable: the type of the property is not `Encodable`.
  @available(
    *, unavailable,
    message:
      "the type of this persisted property does not conform to Codable: make it Codable, keep it with '@Attribute(.transformable(by:))', or mark the property @Transient"
  )
  @_disfavoredOverload
  public func setValue<Value>(forKey key: KeyPath<Self, Value>, to newValue: Value) {
    fatalError("The type \(Value.self) does not conform to Codable")
  }
}

extension _ModelBacking {
  /// Unavailable: the type of the property is not `Encodable`.
  @available(
    *, unavailable,
    message:
      "the type of this persisted property does not conform to Codable: make it Codable, keep it with '@Attribute(.transformable(by:))', or mark the property @Transient"
  )
  @_disfavoredOverload
  public func setValue<Value>(forKey key: KeyPath<Model, Value>, to newValue: Value) {
    fatalError("The type \(Value.self) does not conform to Codable")
  }
}
