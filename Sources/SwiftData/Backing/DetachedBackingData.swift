import CoreData
import Foundation
import Observation

/// The values of a model that no context has yet.
///
/// Relationships of models without a context are kept on both sides, as a context would keep them, from the moment
/// that both models are whole: generated initialisers know values alone.
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
  ) -> any BackingData<Other> { recast(self, type) }
}

/// While a face is made for a managed object, its properties' initial values are of no use: the language has them
/// evaluated all the same, and what takes them is one for all models of a class, and takes nothing.
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
  /// By the places of properties; of no length if it is inert. Not an array, which costs a new model twice as much.
  private final let values: UnsafeMutableBufferPointer<Held>
  /// Whether a relationship was ever set to a model.
  @exclusivity(unchecked)
  private(set) final var leadsAnywhere = false

  /// What a property was set to.
  enum Held {
    case none
    /// As a column keeps it.
    case column(Value)
    /// What a relationship leads to.
    case models([any PersistentModel])
    /// A value of the property's type. Indirect: the others, which are frequent, take half of its place.
    indirect case other(Any)
  }

  /// Whether it takes no values: see ``FaceMaking``.
  private final let isInert: Bool
  final var registrar: ObservationRegistrar { extras.registrar }
  /// None for most, which nobody asks before they are inserted.
  private final lazy var extras = Extras(
    identifier: PersistentIdentifier.detached(modelType.entityName))

  private final class Extras {
    var identifier: PersistentIdentifier
    let registrar = ObservationRegistrar()

    init(identifier: PersistentIdentifier) { self.identifier = identifier }
  }

  // Required: called by a class that is looked up once, not for each model.
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

  /// The same as ``BackingData``, of its own class or of one that that inherits from.
  func backingData<Model: PersistentModel>(of type: Model.Type) -> any BackingData<Model> {
    fatalError("The class DetachedState has no instances but those of DetachedBackingData")
  }

  final func held(_ property: ModelProperty) -> Held { isInert ? .none : values[property.index] }

  /// Takes what another has.
  final func take(_ held: Held, _ property: ModelProperty) {
    if isInert { return }
    if case .models(let models) = held, !models.isEmpty { leadsAnywhere = true }
    values[property.index] = held
  }

  /// The values of columns, those that were set, to an object that no context has yet: nobody notes each as an edit.
  final func transferColumns(to object: ManagedModelObject) {
    var index = 0
    modelType.properties.forEachUncounted { property in
      if case .column(let value) = values[index] {
        object.initializeFaceValue(value, property.managed)
      }
      index += 1
    }
  }

  /// The values of all other attributes.
  final func transferOtherValues(to object: ManagedModelObject) {
    for (index, held) in values.enumerated() {
      if case .other(let value) = held { object.write(value, modelType.properties[index]) }
    }
  }

  /// The value of an attribute; nil for nil, and for what was not set.
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
      if let value = typed(models, property) as? Result { return value }
    case .other(let value): if let value = value as? Result { return value }
    case .none: break
    }
    return property.missingValue(as: type)
  }

  final func write<New>(_ value: New, _ property: ModelProperty) {
    switch property.kind {
    case .toOne, .toMany: take(.models(property.models(in: value)), property)
    case .column:
      if let plain = PlainValue.stored(value) { return take(.column(plain), property) }
      take(.other(value), property)
    default: take(.other(value), property)
    }
  }

  /// The models that a relationship leads to.
  final func related(_ property: ModelProperty) -> [any PersistentModel] {
    if case .models(let models) = held(property) { models } else { [] }
  }

  private final func typed(_ models: [any PersistentModel], _ property: ModelProperty) -> Any {
    if property.kind == .toMany { return array(of: property.destination, models) }
    return models.first as Any
  }

  private final func array<M: PersistentModel>(
    of type: M.Type, _ models: [any PersistentModel]
  ) -> Any {
    models.compactMap { $0 as? M }
  }

  final func setRelated(_ value: Any?, _ property: ModelProperty, of model: any PersistentModel) {
    if isInert { return }
    let old = related(property)
    let new = modelsIn(value)
    take(.models(new), property)
    if let context = new.lazy.compactMap(\.modelContext).first {
      return context.insert(anyModel: model)
    }
    guard let inverse = property.inverse else { return }
    for other in old where !new.contains(where: { $0 === other }) {
      (other.state as? DetachedState)?.lose(model, inverse)
    }
    for other in new where !old.contains(where: { $0 === other }) {
      (other.state as? DetachedState)?.gain(model, inverse, of: other)
    }
  }

  private final func lose(_ model: any PersistentModel, _ property: ModelProperty) {
    take(.models(related(property).filter { $0 !== model }), property)
  }

  private final func gain(
    _ model: any PersistentModel, _ property: ModelProperty, of owner: any PersistentModel
  ) {
    let known = related(property)
    guard !known.contains(where: { $0 === model }) else { return }
    if property.kind == .toOne {
      for previous in known {
        if let back = property.inverse { (previous.state as? DetachedState)?.lose(owner, back) }
      }
      take(.models([model]), property)
    } else {
      take(.models(known + [model]), property)
    }
  }
}
