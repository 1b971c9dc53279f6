import CoreData
import Foundation
import Synchronization

/// A property of a model class, as its accessors know it: a name that remembers what it stands for.
public final class _StoredProperty: Sendable {
  let managed: ManagedProperty
  // The address of a `ModelProperty`, which its class keeps for good, or 0. Subclasses have the same.
  private let found = Atomic<UInt>(0)

  public init(_ name: String) { managed = ManagedProperty(name) }

  @inline(__always)
  fileprivate func property(of type: ModelType) -> ModelProperty {
    guard let known = UnsafeRawPointer(bitPattern: found.load(ordering: .acquiring)) else {
      return find(in: type)
    }
    return Unmanaged<ModelProperty>.fromOpaque(known).takeUnretainedValue()
  }

  @inline(never)
  private func find(in type: ModelType) -> ModelProperty {
    guard let property = type.property(named: managed.name) else {
      fatalError(
        "\(managed.name) is no persistent property of the model \(type.type). Its schemaMetadata names: "
          + type.properties.map(\.name).joined(separator: ", "))
    }
    found.store(
      UInt(bitPattern: Unmanaged.passUnretained(property).toOpaque()), ordering: .releasing)
    return property
  }
}

// MARK: - What the generated accessors call

/// The value of a property: straight from the managed object of a model that a context has, else by the way that any
/// backing data know.
@inlinable @inline(__always)
public func _value<Value>(
  _ managed: _ManagedReference, _ property: _StoredProperty, otherwise: () -> Value
) -> Value {
  guard let object = managed.object else { return otherwise() }
  return object._withUnsafeGuaranteedRef { $0.value(property) }
}

@inlinable @inline(__always)
public func _value<Destination: PersistentModel>(
  _ managed: _ManagedReference, _ property: _StoredProperty, otherwise: () -> Destination?
) -> Destination? {
  guard let object = managed.object else { return otherwise() }
  return object._withUnsafeGuaranteedRef { $0.destination(property) }
}

/// Sets a property, in the same way.
@inlinable @inline(__always)
public func _set<Value>(
  _ managed: _ManagedReference, _ property: _StoredProperty, to value: Value,
  otherwise: () -> Void
) {
  guard let object = managed.object else { return otherwise() }
  object._withUnsafeGuaranteedRef { $0.set(value, property) }
}

// MARK: - What they come down to

extension ManagedModelObject {
  // In an accessor, where the type is known, one of these comparisons is left.
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

  // nil: not that plain, as far as the store or the model are concerned.

  @usableFromInline
  final func text(_ property: _StoredProperty) -> String? {
    if case .text(let value) = faceValue(property.managed) { value } else { nil }
  }

  @usableFromInline
  final func integer(_ property: _StoredProperty) -> Int64? {
    if case .integer(let value) = faceValue(property.managed) { value } else { nil }
  }

  @usableFromInline
  final func real(_ property: _StoredProperty) -> Double? {
    if case .real(let value) = faceValue(property.managed) { value } else { nil }
  }

  @usableFromInline
  final func optionalText(_ property: _StoredProperty) -> String?? {
    switch faceValue(property.managed) {
    case .text(let value): .some(value)
    case .null where !isGone: .some(nil)
    default: nil
    }
  }

  @usableFromInline
  final func optionalInteger(_ property: _StoredProperty) -> Int64?? {
    switch faceValue(property.managed) {
    case .integer(let value): .some(value)
    case .null where !isGone: .some(nil)
    default: nil
    }
  }

  @usableFromInline
  final func optionalReal(_ property: _StoredProperty) -> Double?? {
    switch faceValue(property.managed) {
    case .real(let value): .some(value)
    case .null where !isGone: .some(nil)
    default: nil
    }
  }

  @usableFromInline @inline(never)
  final func otherValue<Value>(_ property: _StoredProperty) -> Value {
    read(property.property(of: modelType), as: Value.self)
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
  final func set<Value>(_ value: Value, _ property: _StoredProperty) {
    write(value, property.property(of: modelType))
  }
}
