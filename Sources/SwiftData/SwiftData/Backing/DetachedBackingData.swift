import CoreData
import Foundation
import Observation

/// Values of a detached model.
///
/// Relationships between detached models are kept at both ends, as a context would keep them, once
/// both models have been initialised: generated initialisers know values only.
final class DetachedBackingData<Model: PersistentModel>: DetachedState, ModelStateBacking {
  convenience init(for modelType: Model.Type) {
    self.init(ModelType.of(modelType), isInert: false)
  }

  var persistentModelID: PersistentIdentifier? {
    get { identifier }
    set { if let newValue { identifier = newValue } }
  }

  override func backingData<Other: PersistentModel>(
    of type: Other.Type
  ) -> any BackingData<Other> { recast(self, type: type) }
}

/// Marks on a thread that a face is being made for a managed object. The initial values of its
/// properties are then useless, but the language evaluates them anyway. Each class has one inert
/// backing data that ignores them.
enum FaceMaking {
  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    precondition(pthread_key_create(&key, nil) == 0, "There is no thread-specific memory left")
    return key
  }()

  static var isGoingOn: Bool { pthread_getspecific(key) != nil }

  static func make<Face>(_ body: () -> Face) -> Face {
    let before = pthread_getspecific(key)
    pthread_setspecific(key, UnsafeRawPointer(bitPattern: 1))
    defer { pthread_setspecific(key, before) }
    return body()
  }
}

@usableFromInline
class DetachedState: ModelState {
  final let modelType: ModelType
  final var identifier: PersistentIdentifier {
    get { extras.identifier }
    set { extras.identifier = newValue }
  }
  /// Values by property index; empty if the data are inert. A raw buffer, since an array doubles
  /// the cost of a new model.
  private final let values: UnsafeMutableBufferPointer<Held>
  /// Whether a relationship was ever set to a model.
  @exclusivity(unchecked)
  private(set) final var leadsAnywhere = false

  /// The value of a property.
  enum Held {
    case none
    /// A value as a column stores it.
    case column(Value)
    /// The destinations of a relationship.
    case models([any PersistentModel])
    /// A value of the property's type. Indirect, which halves the size of the other, frequent
    /// cases.
    indirect case other(Any)
  }

  /// Whether writes are ignored; see ``FaceMaking``.
  private final let isInert: Bool
  final var registrar: ObservationRegistrar { extras.registrar }
  /// Allocated on first use: most new models are inserted before these are needed.
  private final lazy var extras = Extras(
    identifier: PersistentIdentifier.detached(modelType.entityName))

  private final class Extras {
    var identifier: PersistentIdentifier
    let registrar = ObservationRegistrar()

    init(identifier: PersistentIdentifier) { self.identifier = identifier }
  }

  // Required: called through a metatype that is looked up once per class, not once per model.
  required init(_ modelType: ModelType, isInert: Bool) {
    self.modelType = modelType
    self.isInert = isInert
    values = .allocate(capacity: isInert ? 0 : modelType.propertyCount)
    values.initialize(repeating: .none)
  }

  deinit {
    values.deinitialize()
    values.deallocate()
  }

  final var _content: _ModelContent { _ModelContent(.detached(self)) }

  /// Returns the state as ``BackingData`` of the model class or of one of its superclasses.
  func backingData<Model: PersistentModel>(of type: Model.Type) -> any BackingData<Model> {
    fatalError("The class DetachedState has no instances but those of DetachedBackingData")
  }

  final func held(_ property: ModelProperty) -> Held { isInert ? .none : values[property.index] }

  /// Stores a held value, without inverses.
  final func take(_ held: Held, property: ModelProperty) {
    if isInert { return }
    if case .models(let models) = held, !models.isEmpty { leadsAnywhere = true }
    values[property.index] = held
  }

  /// Copies the column values that were set to a new object outside of any context, so no edits are
  /// recorded.
  final func transferColumns(to object: ManagedModelObject) {
    var index = 0
    modelType.properties.forEachUncounted { property in
      if case .column(let value) = values[index] {
        object.initializeFaceValue(value, property: property.managed)
      }
      index += 1
    }
  }

  /// Copies the values of the attributes that are not plain columns.
  final func transferOtherValues(to object: ManagedModelObject) {
    for (index, held) in values.enumerated() {
      if case .other(let value) = held {
        object.write(value, property: modelType.properties[index])
      }
    }
  }

  /// The value of an attribute; nil for nil and for an attribute that was not set.
  final func anyValue(_ property: ModelProperty) -> Any? {
    switch held(property) {
    case .column(let value):
      if case .column(let column) = property.valueForm { return column.init(stored: value) }
      return nil
    case .other(let value): return unwrapped(value)
    case .none, .models: return nil
    }
  }

  final func read<Result>(_ property: ModelProperty, as type: Result.Type) -> Result {
    switch held(property) {
    case .column(.null):
      if let optional = Result.self as? any AnyOptional.Type { return optional.none as! Result }
    case .column(let value): return property.value(ofColumn: value, as: type)
    case .models(let models):
      if let value = typed(models, property: property) as? Result { return value }
    case .other(let value): if let value = value as? Result { return value }
    case .none: break
    }
    return property.missingValue(as: type)
  }

  final func write<New>(_ value: New, property: ModelProperty) {
    switch property.kind {
    case .toOne, .toMany: take(.models(property.models(in: value)), property: property)
    case .column:
      if let plain = PlainValue.stored(value) { return take(.column(plain), property: property) }
      take(.other(value), property: property)
    default: take(.other(value), property: property)
    }
  }

  /// The destinations of a relationship.
  final func related(_ property: ModelProperty) -> [any PersistentModel] {
    if case .models(let models) = held(property) { models } else { [] }
  }

  private final func typed(_ models: [any PersistentModel], property: ModelProperty) -> Any {
    if property.kind == .toMany { return array(of: property.destination, models) }
    return models.first as Any
  }

  private final func array<M: PersistentModel>(
    of type: M.Type, _ models: [any PersistentModel]
  ) -> Any {
    models.compactMap { $0 as? M }
  }

  final func setRelated(_ value: Any?, property: ModelProperty, of model: any PersistentModel) {
    if isInert { return }
    let old = related(property)
    let new = modelsIn(value)
    take(.models(new), property: property)
    if let context = new.lazy.compactMap(\.modelContext).first {
      return context.insert(anyModel: model)
    }
    guard let inverse = property.inverse else { return }
    for other in old where !new.contains(where: { $0 === other }) {
      (other.state as? DetachedState)?.lose(model, property: inverse)
    }
    for other in new where !old.contains(where: { $0 === other }) {
      (other.state as? DetachedState)?.gain(model, property: inverse, of: other)
    }
  }

  private final func lose(_ model: any PersistentModel, property: ModelProperty) {
    take(.models(related(property).filter { $0 !== model }), property: property)
  }

  private final func gain(
    _ model: any PersistentModel, property: ModelProperty, of owner: any PersistentModel
  ) {
    let known = related(property)
    guard !known.contains(where: { $0 === model }) else { return }
    if property.kind == .toOne {
      for previous in known {
        if let back = property.inverse {
          (previous.state as? DetachedState)?.lose(owner, property: back)
        }
      }
      take(.models([model]), property: property)
    } else {
      take(.models(known + [model]), property: property)
    }
  }
}
