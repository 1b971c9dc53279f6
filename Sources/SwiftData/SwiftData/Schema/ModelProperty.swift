import CoreData
import Foundation
import Synchronization

/// A persistent property of a model class.
///
/// Sendable: constants only, except for `foundInverse`, which a mutex guards.
final class ModelProperty: @unchecked Sendable {
  enum Form {
    case attribute(NSAttributeDescription.AttributeType)
    case composite(CompositeForm)
    case enumeration(EnumerationForm)
    case archive
    case toOne(any PersistentModel.Type)
    case toMany(any PersistentModel.Type)
  }

  /// The kind of `form`, for cheap comparison.
  enum Kind: UInt8 { case column, composite, enumeration, archive, transformable, toOne, toMany }

  let name: String
  let keyPath: AnyKeyPath
  /// The property's position among the properties of its class, inherited ones first.
  let index: Int
  let isOptional: Bool
  /// The type without an optional around it.
  let valueType: any Any.Type
  let declaredType: any Any.Type
  let form: Form
  let kind: Kind
  /// The storage of an attribute's values; nil for a relationship and for a transformable
  /// attribute.
  let valueForm: ValueForm?
  /// The name through which the managed object is accessed.
  let managed: ManagedProperty
  let attribute: Schema.Attribute?
  let relationship: Schema.Relationship?
  let defaultValue: Any?
  /// Reads the models from a relationship's value at an address.
  private let modelsAt: ((UnsafeRawPointer) -> [any PersistentModel])?
  /// The class that declares the property.
  let owner: any PersistentModel.Type
  private let foundInverse = Mutex<ModelProperty??>(nil)

  init(
    _ metadata: Schema.PropertyMetadata, index: Int, of owner: any PersistentModel.Type
  ) {
    name = metadata.name
    keyPath = metadata.keypath
    self.index = index
    self.owner = owner
    let declared = Swift.type(of: metadata.keypath).valueType
    declaredType = declared
    let wrapped = (declared as? any AnyOptional.Type)?.wrappedType
    isOptional = wrapped != nil
    let type = wrapped ?? declared
    valueType = type
    managed = ManagedProperty(metadata.name)
    attribute = metadata.metadata as? Schema.Attribute
    relationship = metadata.metadata as? Schema.Relationship
    defaultValue = metadata.defaultValue
    if let model = type as? any PersistentModel.Type {
      (form, kind, valueForm) = (.toOne(model), .toOne, nil)
    } else if let collection = type as? any RelationshipCollection.Type {
      (form, kind, valueForm) = (.toMany(Self.element(collection)), .toMany, nil)
    } else if attribute?.isTransformable == true {
      (form, kind, valueForm) = (.archive, .transformable, nil)
    } else {
      let values = ValueForm(type)
      valueForm = values
      switch values {
      case .column(let column): (form, kind) = (.attribute(column.attributeType), .column)
      case .composite(let composite): (form, kind) = (.composite(composite), .composite)
      case .enumeration(let enumeration): (form, kind) = (.enumeration(enumeration), .enumeration)
      case .archive, nil: (form, kind) = (.archive, .archive)
      }
    }
    modelsAt =
      switch form {
      case .toOne(let model), .toMany(let model): Self.reader(of: model, declared)
      default: nil
      }
  }

  /// A reader of a relationship's value: a model, an array of models, or an optional of either.
  /// Each is one pointer, 0 for nil, so the optional type can be loaded for all of them.
  private static func reader<Destination: PersistentModel>(
    of type: Destination.Type, _ declared: any Any.Type
  ) -> ((UnsafeRawPointer) -> [any PersistentModel])? {
    if declared == type || declared == Destination?.self {
      return { $0.load(as: Destination?.self).map { [$0] } ?? [] }
    }
    guard declared == [Destination].self || declared == [Destination]?.self else { return nil }
    return { $0.load(as: [Destination]?.self) ?? [] }
  }

  /// The models of a relationship's value.
  func models<Value>(in value: Value) -> [any PersistentModel] {
    guard let modelsAt, Value.self == declaredType else { return modelsIn(value) }
    return withUnsafePointer(to: value) { modelsAt($0) }
  }

  /// Converts a column's value to the property's type.
  @inline(__always)
  func value<Result>(ofColumn stored: CoreData.Value, as type: Result.Type) -> Result {
    PlainValue.value(stored, as: type) ?? converted(stored)
  }

  @inline(never)
  private func converted<Result>(_ stored: CoreData.Value) -> Result {
    guard case .column(let column) = valueForm, let result = column.init(stored: stored) as? Result
    else { return missingValue(as: Result.self) }
    return result
  }

  private static func element<C: RelationshipCollection>(
    _ type: C.Type
  ) -> any PersistentModel.Type {
    C.PersistentElement.self
  }

  var isRelationship: Bool { kind == .toOne || kind == .toMany }

  /// Whether several columns store the value: those of a structure, or of an enumeration with a
  /// column per case.
  var isOfManyColumns: Bool {
    switch form {
    case .composite: true
    case .enumeration(let form): if case .cases = form.storage { true } else { false }
    default: false
    }
  }

  var isUnique: Bool {
    attribute?.options.contains(.unique) ?? relationship?.options.contains(.unique) ?? false
  }

  /// The model class at the other end of a relationship.
  var destination: any PersistentModel.Type {
    switch form {
    case .toOne(let type), .toMany(let type): type
    default: fatalError("\(name) is no relationship")
    }
  }

  // MARK: - The inverse

  /// The property at the other end of a relationship: the one that either side names, else the only
  /// unambiguous candidate. nil for an attribute and if there is no such property.
  var inverse: ModelProperty? {
    if let known = foundInverse.withLock({ $0 }) { return known }
    let found = findInverse()
    foundInverse.withLock { $0 = .some(found) }
    return found
  }

  private func findInverse() -> ModelProperty? {
    guard isRelationship else { return nil }
    let there = ModelType.of(destination)
    if let named = relationship?.inverseKeyPath { return there.property(for: named) }
    let back = there.properties.filter { $0.isRelationship && $0.leads(to: owner) }
    if let named = back.first(where: { other in
      other.relationship?.inverseKeyPath.map { names($0) } ?? false
    }) {
      return named
    }
    // Neither side names an inverse: there must be exactly one candidate in each direction.
    let free = back.filter { $0.relationship?.inverseKeyPath == nil && $0 !== self }
    let rivals = ModelType.of(owner).properties.filter {
      $0.isRelationship && $0.leads(to: destination) && $0.relationship?.inverseKeyPath == nil
        && $0 !== self
    }
    let isToItself = destination == owner
    guard free.count == 1, let only = free.first else { return nil }
    if isToItself { return rivals.count == 1 && canBeInverse(of: only) ? only : nil }
    let isTaken = rivals.contains { rival in
      back.contains { $0.relationship?.inverseKeyPath.map(rival.names) ?? false }
    }
    guard rivals.isEmpty || isTaken else { return nil }
    return only.canBeFound || canBeFound ? only : nil
  }

  /// Returns whether the two make a parent and its children of one class. Two to-many or two to-one
  /// relationships of one class to itself are not paired implicitly.
  private func canBeInverse(of other: ModelProperty) -> Bool { kind != other.kind }

  /// Whether the relationship can be paired with an inverse implicitly.
  private var canBeFound: Bool { isOptional || kind == .toMany }

  private func leads(to type: any PersistentModel.Type) -> Bool {
    var candidate: ModelType? = ModelType.of(type)
    while let known = candidate {
      if known.type == destination { return true }
      candidate = known.base
    }
    return false
  }

  private func names(_ keyPath: AnyKeyPath) -> Bool { self.keyPath == keyPath }

  // MARK: - Values

  /// The substitute for a value that neither the store nor a default supplies.
  func missingValue<Value>(as type: Value.Type) -> Value {
    if let value = defaultValue as? Value { return value }
    if let optional = Value.self as? any AnyOptional.Type { return optional.none as! Value }
    if let zero = valueForm?.zero as? Value { return zero }
    if case .toOne(let model) = form, let placeholder = Self.placeholder(model) as? Value {
      return placeholder
    }
    if let array = Value.self as? any EmptyCollection.Type, let empty = array.init() as? Value {
      return empty
    }
    fatalError(
      "\(ModelType.of(owner).entityName).\(name) has no value, and \(type) none that could stand for it. Declare "
        + "the property as optional, or give it a default value.")
  }

  /// A detached model for a to-one relationship without a destination.
  private static func placeholder<M: PersistentModel>(_ type: M.Type) -> Any {
    M(backingData: M.createBackingData())
  }
}

protocol EmptyCollection { init() }
extension Array: EmptyCollection {}
