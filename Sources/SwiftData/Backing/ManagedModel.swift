import CoreData
import Foundation
import Observation

/// The managed object behind a model that a context has.
class ManagedModelObject: NSManagedObject, Observable, ModelState {
  final let modelType: ModelType
  /// Its only one, as long as somebody has it.
  private final weak var knownFace: AnyObject?
  /// By the places of properties, once the row has gone; the object may come back by an undo.
  fileprivate final var lastValues: [Any?]?
  /// The context keeps the face until the next save: it may hold what no store does.
  final var isPinned = false

  init(
    _ entity: NSEntityDescription, _ context: NSManagedObjectContext?, _ modelType: ModelType
  ) {
    self.modelType = modelType
    super.init(entity: entity, insertInto: context)
  }

  // MARK: - Its face

  final var face: any PersistentModel {
    if let knownFace { return knownFace as! any PersistentModel }
    let made = modelType.makeModel(self)
    knownFace = made
    return made
  }

  final func face<Model: PersistentModel>(as type: Model.Type) -> Model {
    if let knownFace {
      return Swift.type(of: knownFace) == type
        ? unsafeDowncast(knownFace, to: type) : knownFace as! Model
    }
    return face as! Model
  }

  final var hasFace: Bool { knownFace != nil }

  /// The face, if somebody has it.
  final var presentFace: (any PersistentModel)? { knownFace as? any PersistentModel }

  /// Becomes what holds the values of a model.
  final func adopt(_ model: any PersistentModel) { knownFace = model }

  final var modelContext: ModelContext? {
    isGone ? nil : (managedObjectContext as? ModelObjectContext)?.wrapper
  }

  final var identifier: PersistentIdentifier { PersistentIdentifier(objectID) }

  private func pin() {
    guard !isPinned, let knownFace, let context = modelContext else { return }
    context.pin(self, knownFace)
  }

  // MARK: - Values

  @inline(__always)
  private final func cast<From, To>(_ value: From, _ type: To.Type) -> To {
    unsafeBitCast(value, to: type)
  }

  final func read<Result>(_ property: ModelProperty, as type: Result.Type) -> Result {
    guard property.kind == .column else { return readOther(property, as: type) }
    switch faceValue(property.managed) {
    case .text(let value):
      if type == String.self { return cast(value, type) }
      if type == String?.self { return cast(String?.some(value), type) }
      return converted(.text(value), property)
    case .integer(let value):
      if type == Int.self { return cast(Int(value), type) }
      if type == Bool.self { return cast(value != 0, type) }
      if type == Int?.self { return cast(Int?.some(Int(value)), type) }
      return converted(.integer(value), property)
    case .real(let value):
      if type == Double.self { return cast(value, type) }
      if type == Date.self { return cast(Date(timeIntervalSinceReferenceDate: value), type) }
      if type == Date?.self {
        return cast(Date?.some(Date(timeIntervalSinceReferenceDate: value)), type)
      }
      return converted(.real(value), property)
    case .null: return absent(property)
    case let value: return converted(value, property)
    }
  }

  @inline(never)
  private final func converted<Result>(_ value: Value, _ property: ModelProperty) -> Result {
    guard case .column(let column) = property.valueForm,
      let result = column.init(stored: value) as? Result
    else { return property.missingValue(as: Result.self) }
    return result
  }

  @inline(never)
  private final func absent<Result>(_ property: ModelProperty) -> Result {
    if isGone, let value = lastValue(property) as? Result { return value }
    if let optional = Result.self as? any AnyOptional.Type { return optional.none as! Result }
    return property.missingValue(as: Result.self)
  }

  @inline(never)
  private final func readOther<Result>(
    _ property: ModelProperty, as type: Result.Type
  ) -> Result {
    switch property.form {
    case .toOne:
      guard let object = faceDestination(property.managed) as? ManagedModelObject else {
        return absent(property)
      }
      return object.face as! Result
    case .toMany(let model):
      return Self.models(faceMembers(property.managed), of: model) as! Result
    default:
      if isGone, let value = lastValue(property) as? Result { return value }
      guard let boxed = boxedValue(property) else { return absent(property) }
      if property.kind == .transformable { return boxed as? Result ?? absent(property) }
      guard let value = property.valueForm?.value(boxed) else {
        return property.missingValue(as: type)
      }
      return value as! Result
    }
  }

  fileprivate final func boxedValue(_ property: ModelProperty) -> Any? {
    switch property.form {
    case .composite: faceElements(property.managed)
    case .enumeration(let form):
      faceElements(property.managed).flatMap { form.value(elements: $0) }
        .flatMap(form.boxed)
    default: faceObject(property.managed)
    }
  }

  private static func models<Model: PersistentModel>(
    _ objects: [NSManagedObject], of type: Model.Type
  ) -> Any {
    objects.map { ($0 as! ManagedModelObject).face(as: type) }
  }

  final func write<New>(_ value: New, _ property: ModelProperty) {
    if lastValues != nil {
      if isGone {
        lastValues?[property.index] = unwrapped(value)
        return
      }
      lastValues = nil
    }
    pin()
    switch property.form {
    case .attribute:
      if New.self == String.self {
        setFaceValue(.text(cast(value, String.self)), property.managed)
      } else if New.self == Int.self {
        setFaceValue(.integer(Int64(cast(value, Int.self))), property.managed)
      } else if New.self == Double.self {
        setFaceValue(.real(cast(value, Double.self)), property.managed)
      } else {
        let column = unwrapped(value) as? any ColumnValue
        setFaceValue(column?.stored ?? .null, property.managed)
      }
    case .toOne, .toMany: setRelated(value, property)
    default: setBoxed(unwrapped(value), property)
    }
  }

  private final func setBoxed(_ value: Any?, _ property: ModelProperty) {
    if property.kind == .transformable { return setFaceObject(value, property.managed) }
    let boxed = value.flatMap { property.valueForm?.boxed($0) }
    switch property.form {
    case .composite: setFaceElements(boxed as? [String: Any], property.managed)
    case .enumeration(let form):
      let elements = value.flatMap { form.elements(of: $0, named: property.name) }
      setFaceElements(elements, property.managed)
    default: setFaceObject(boxed, property.managed)
    }
  }

  // MARK: - Relationships

  final func setRelated(_ value: Any?, _ property: ModelProperty, of model: any PersistentModel) {
    setRelated(value, property)
  }

  /// What a relationship leads to, in its order.
  final func relatedObjects(_ property: ModelProperty) -> [ManagedModelObject] {
    if property.kind == .toMany {
      return faceMembers(property.managed).compactMap { $0 as? ManagedModelObject }
    }
    return (faceDestination(property.managed) as? ManagedModelObject).map { [$0] } ?? []
  }

  private final func setRelated(_ value: Any?, _ property: ModelProperty) {
    pin()
    let models = modelsIn(value)
    guard let context = modelContext else { return }
    let objects = models.compactMap { context.object(for: $0, toRelateTo: self, property) }
    if property.kind == .toOne {
      setFaceDestination(objects.first, property.managed)
    } else {
      setFaceMembers(objects, property.managed)
    }
  }
}

/// The models of a value of a relationship: nil, one, or a sequence.
func modelsIn(_ value: Any?) -> [any PersistentModel] {
  switch unwrapped(value) {
  case nil: []
  case let model as any PersistentModel: [model]
  case let list as [AnyObject]: list.compactMap { $0 as? any PersistentModel }
  default: []
  }
}

/// The same as what the model of a class calls its backing data.
final class ManagedModel<Model: PersistentModel>: ManagedModelObject, ModelStateBacking {
  /// A managed object that no context has.
  convenience init(for modelType: Model.Type) {
    let type = ModelType.of(modelType)
    self.init(Schema.soleEntity(of: modelType), nil, type)
  }

  var persistentModelID: PersistentIdentifier? {
    get { identifier }
    set {}
  }
}

// MARK: - What is left of a deleted model

extension ManagedModelObject {
  /// Notes the values, if somebody can still ask for them: the row is about to go.
  final func keepLastValues() {
    guard presentFace != nil, lastValues == nil else { return }
    lastValues = modelType.properties.map { $0.isRelationship ? nil : anyValue($0) }
  }

  /// nil for a value that was nil, and for a relationship.
  final func lastValue(_ property: ModelProperty) -> Any? {
    lastValues.flatMap { $0[property.index] }
  }

  /// The value of an attribute; nil for nil.
  final func anyValue(_ property: ModelProperty) -> Any? {
    if case .column(let column) = property.valueForm {
      return column.init(stored: faceValue(property.managed))
    }
    guard let boxed = boxedValue(property) else { return nil }
    return property.kind == .transformable ? boxed : property.valueForm?.value(boxed)
  }
}
