// What the accessors of a property call whose type no store could keep: nothing else fits such a type, so that the compiler
// says this, at the property, in place of what each of the others would need.

extension PersistentModel {
  @available(
    *, unavailable,
    message:
      "the type of this persisted property does not conform to Codable: make it Codable, keep it with '@Attribute(.transformable(by:))', or mark the property @Transient"
  )
  @_disfavoredOverload
  public func getValue<Value>(forKey key: KeyPath<Self, Value>) -> Value {
    fatalError("The type \(Value.self) does not conform to Codable")
  }

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
