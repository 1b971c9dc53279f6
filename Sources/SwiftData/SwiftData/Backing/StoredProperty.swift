import CoreData
import Foundation
import Synchronization

/// A property of a model class for its accessors: a name that caches the property it refers to.
public final class _StoredProperty: Sendable {
  let managed: ManagedProperty
  // The address of a `ModelProperty`, or 0. Its ModelType keeps it forever; subclasses share it.
  private let found = Atomic<UInt>(0)

  /// Creates a reference to the property with this name.
  public init(_ name: String) { managed = ManagedProperty(name) }

  /// The property, unretained: sound because its ModelType keeps it forever.
  @inline(__always)
  func property(of type: ModelType) -> Unmanaged<ModelProperty> {
    guard let known = UnsafeRawPointer(bitPattern: found.load(ordering: .acquiring)) else {
      return find(in: type)
    }
    return Unmanaged<ModelProperty>.fromOpaque(known)
  }

  @inline(never)
  private func find(in type: ModelType) -> Unmanaged<ModelProperty> {
    guard let property = type.property(named: managed.name) else {
      fatalError(
        "\(managed.name) is no persistent property of the model \(type.type). Its schemaMetadata names: "
          + type.properties.map(\.name).joined(separator: ", "))
    }
    // Unretained: `type` keeps its properties forever.
    let known = Unmanaged.passUnretained(property)
    found.store(UInt(bitPattern: known.toOpaque()), ordering: .releasing)
    return known
  }
}

// MARK: - Called by generated accessors

/// Returns the value of a property: directly from the managed object of a model in a context, else
/// through `otherwise`, which reads the backing data.
@inlinable @inline(__always)
public func _value<Value>(
  _ managed: _ManagedReference, _ property: _StoredProperty, otherwise: () -> Value
) -> Value {
  guard let object = managed.object else { return otherwise() }
  return object._withUnsafeGuaranteedRef { $0.value(property) }
}

/// Returns the destination of a to-one relationship, from the managed object or through
/// `otherwise`.
@inlinable @inline(__always)
public func _value<Destination: PersistentModel>(
  _ managed: _ManagedReference, _ property: _StoredProperty, otherwise: () -> Destination?
) -> Destination? {
  guard let object = managed.object else { return otherwise() }
  return object._withUnsafeGuaranteedRef { $0.destination(property) }
}

/// Sets a property, on the managed object of a model in a context, else through `otherwise`.
@inlinable @inline(__always)
public func _set<Value>(
  _ managed: _ManagedReference, _ property: _StoredProperty, to value: Value,
  otherwise: () -> Void
) {
  guard let object = managed.object else { return otherwise() }
  object._withUnsafeGuaranteedRef { $0.set(value, property: property) }
}

extension _ModelBacking {
  /// Stores an initial value of a detached model if it has one of the common types; returns false
  /// for any other value.
  ///
  /// The bit casts are sound: each branch has compared `Value` with the type that it casts to.
  @inlinable @inline(__always)
  public func _keeps<Value>(_ value: Value, _ property: _StoredProperty) -> Bool {
    guard case .detached(let state) = rest else { return false }
    if Value.self == String.self {
      return state.keeps(unsafeBitCast(value, to: String.self), property: property)
    } else if Value.self == String?.self {
      return state.keeps(unsafeBitCast(value, to: String?.self), property: property)
      // Sound: `Value` is compared in the condition of each branch.
    } else if Value.self == Int.self {
      return state.keeps(Int64(unsafeBitCast(value, to: Int.self)), property: property)
    } else if Value.self == Int64.self {
      return state.keeps(unsafeBitCast(value, to: Int64.self), property: property)
    } else if Value.self == Int?.self {
      return state.keeps(unsafeBitCast(value, to: Int?.self).map { Int64($0) }, property: property)
    } else if Value.self == Bool.self {
      return state.keeps(Int64(unsafeBitCast(value, to: Bool.self) ? 1 : 0), property: property)
    } else if Value.self == Double.self {
      // Sound: `Value` is compared in the condition of each branch.
      return state.keeps(unsafeBitCast(value, to: Double.self), property: property)
    } else if Value.self == Double?.self {
      return state.keeps(unsafeBitCast(value, to: Double?.self), property: property)
    } else if Value.self == Date.self {
      return state.keeps(
        unsafeBitCast(value, to: Date.self).timeIntervalSinceReferenceDate, property: property)
    } else if Value.self == Date?.self {
      return state.keeps(
        unsafeBitCast(value, to: Date?.self).map { $0.timeIntervalSinceReferenceDate },
        property: property)
    }
    return false
  }

  /// Stores nil as the initial destination of a to-one relationship; returns false for a model.
  @inlinable @inline(__always)
  public func _keeps<Destination: PersistentModel>(
    _ value: Destination?, _ property: _StoredProperty
  ) -> Bool {
    guard value == nil, case .detached(let state) = rest else { return false }
    return state.keepsNoModels(property)
  }

  /// Stores an empty initial to-many relationship; returns false for an array with models.
  @inlinable @inline(__always)
  public func _keeps<Destination: PersistentModel>(
    _ value: [Destination], _ property: _StoredProperty
  ) -> Bool {
    guard value.isEmpty, case .detached(let state) = rest else { return false }
    return state.keepsNoModels(property)
  }
}

extension DetachedState {
  @usableFromInline
  final func keeps(_ value: String?, property: _StoredProperty) -> Bool {
    keeps(value.map(Value.text) ?? .null, property: property.property(of: modelType))
  }

  @usableFromInline
  final func keeps(_ value: Int64?, property: _StoredProperty) -> Bool {
    keeps(value.map(Value.integer) ?? .null, property: property.property(of: modelType))
  }

  @usableFromInline
  final func keeps(_ value: Double?, property: _StoredProperty) -> Bool {
    keeps(value.map(Value.real) ?? .null, property: property.property(of: modelType))
  }

  // Unretained property: sound because its ModelType keeps it forever.
  @inline(__always)
  private final func keeps(_ value: Value, property: Unmanaged<ModelProperty>) -> Bool {
    property._withUnsafeGuaranteedRef { property in
      guard property.kind == .column else { return false }
      take(.column(value), property: property)
      return true
    }
  }

  @usableFromInline
  final func keepsNoModels(_ property: _StoredProperty) -> Bool {
    property.property(of: modelType)._withUnsafeGuaranteedRef { property in
      guard property.isRelationship else { return false }
      take(.models([]), property: property)
      return true
    }
  }
}

// MARK: - Implementation of the accessors

extension ManagedModelObject {
  // The compiler specializes this in each accessor, where `Value` is known and one comparison is
  // left. The bit casts are sound: each branch has compared `Value` with the type that it casts
  // from.
  @inlinable @inline(__always)
  final func value<Value>(_ property: _StoredProperty) -> Value {
    if Value.self == String.self {
      if let value = text(property) { return unsafeBitCast(value, to: Value.self) }
    } else if Value.self == String?.self {
      if let value = optionalText(property) { return unsafeBitCast(value, to: Value.self) }
    } else if Value.self == Int.self {
      if let value = integer(property) { return unsafeBitCast(Int(value), to: Value.self) }
    } else if Value.self == Int64.self {
      if let value = integer(property) { return unsafeBitCast(value, to: Value.self) }
    } else if Value.self == Int?.self {
      if let value = optionalInteger(property) {
        // Sound: `Value` is compared in the condition of each branch.
        return unsafeBitCast(value.map { Int($0) }, to: Value.self)
      }
    } else if Value.self == Bool.self {
      if let value = integer(property) { return unsafeBitCast(value != 0, to: Value.self) }
    } else if Value.self == Double.self {
      if let value = real(property) { return unsafeBitCast(value, to: Value.self) }
    } else if Value.self == Double?.self {
      if let value = optionalReal(property) { return unsafeBitCast(value, to: Value.self) }
    } else if Value.self == Date.self {
      if let value = real(property) {
        // Sound: `Value` is compared in the condition of each branch.
        return unsafeBitCast(Date(timeIntervalSinceReferenceDate: value), to: Value.self)
      }
    } else if Value.self == Date?.self {
      if let value = optionalReal(property) {
        return unsafeBitCast(
          value.map { Date(timeIntervalSinceReferenceDate: $0) }, to: Value.self)
      }
    }
    return otherValue(property)
  }

  // The accessors of plain columns. They return nil if the stored value is not of that plain type.

  @usableFromInline
  final func text(_ property: _StoredProperty) -> String? { faceText(property.managed) ?? nil }

  @usableFromInline
  final func integer(_ property: _StoredProperty) -> Int64? { faceInteger(property.managed) ?? nil }

  @usableFromInline
  final func real(_ property: _StoredProperty) -> Double? { faceReal(property.managed) ?? nil }

  // For optional types. Also nil for a deleted model with a null column: its last values are
  // elsewhere.

  @usableFromInline
  final func optionalText(_ property: _StoredProperty) -> String?? {
    let value = faceText(property.managed)
    if case .some(nil) = value, isGone { return nil }
    return value
  }

  @usableFromInline
  final func optionalInteger(_ property: _StoredProperty) -> Int64?? {
    let value = faceInteger(property.managed)
    if case .some(nil) = value, isGone { return nil }
    return value
  }

  @usableFromInline
  final func optionalReal(_ property: _StoredProperty) -> Double?? {
    let value = faceReal(property.managed)
    if case .some(nil) = value, isGone { return nil }
    return value
  }

  @usableFromInline @inline(never)
  final func otherValue<Value>(_ property: _StoredProperty) -> Value {
    property.property(of: modelType)._withUnsafeGuaranteedRef { read($0, as: Value.self) }
  }

  @usableFromInline
  final func destination<Destination: PersistentModel>(
    _ property: _StoredProperty
  ) -> Destination? {
    guard let object = faceDestination(property.managed) as? ManagedModelObject else {
      return otherValue(property)
    }
    return object.face(as: Destination.self)
  }

  @usableFromInline
  final func set<Value>(_ value: Value, property: _StoredProperty) {
    property.property(of: modelType)._withUnsafeGuaranteedRef { write(value, property: $0) }
  }
}
