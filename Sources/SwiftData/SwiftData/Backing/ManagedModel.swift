import CoreData
import Foundation
import Observation

/// The managed object behind a model that is in a context.
@usableFromInline
class ManagedModelObject: NSManagedObject, Observable, ModelState {
  // Unretained: sound because a ModelType lives forever.
  unowned(unsafe) final let modelType: ModelType
  final let knownFace = KnownFace()
  /// The values by property index, once the row has been deleted; an undo may restore the object.
  fileprivate final var lastValues: [Any?]?
  /// Whether the context retains the face until the next save, because it has unsaved edits.
  final var isPinned = false

  // Required: called through a metatype that is looked up once per class, not once per object.
  required init(
    _ entity: NSEntityDescription, _ context: NSManagedObjectContext?,
    _ modelType: __shared ModelType
  ) {
    self.modelType = modelType
    super.init(entity: entity, insertInto: context)
  }

  // MARK: - Its face

  final var face: any PersistentModel { modelType.asModel(anyFace) }

  final func face<Model: PersistentModel>(as type: Model.Type) -> Model {
    let face = anyFace
    return Swift.type(of: face) == type ? unsafeDowncast(face, to: type) : face as! Model
  }

  private final var anyFace: AnyObject { knownFace.face ?? FaceMaking.make { makeFace() } }

  private final func makeFace() -> AnyObject {
    let made = modelType.makeFace(self)
    knownFace.adopt(made)
    return made
  }

  /// The faces of objects. Replaces each element in place and reuses the objects' array.
  static func faces(_ objects: consuming [NSManagedObject]) -> [AnyObject] {
    var faces = unsafeBitCast(consume objects, to: [AnyObject].self)
    FaceMaking.make {
      faces.withUnsafeMutableBufferPointer { list in
        guard let start = list.baseAddress else { return }
        for index in list.indices {
          // Each element owns one reference: the face's reference is stored, then the object's is
          // released. Sound: both element types are class references of one size.
          let place = start + index
          let object = UnsafeRawPointer(place).load(as: Unmanaged<ManagedModelObject>.self)
          object._withUnsafeGuaranteedRef { object in
            place.initialize(to: object.knownFace.face ?? object.makeFace())
          }
          object.release()
        }
      }
    }
    return faces
  }

  final var hasFace: Bool { knownFace.face != nil }

  /// The face; nil if there is none at present.
  final var presentFace: (any PersistentModel)? { knownFace.face.map(modelType.asModel) }

  final var _content: _ModelContent { _ModelContent(.managed(self)) }

  /// Returns the object as ``BackingData`` of the model class or of one of its superclasses.
  func backingData<Model: PersistentModel>(of type: Model.Type) -> any BackingData<Model> {
    fatalError("The class ManagedModelObject has no instances but those of ManagedModel")
  }

  /// Makes a model the face of this object.
  final func adopt(_ model: any PersistentModel) { knownFace.adopt(model) }

  /// The identifiers of objects, without making object IDs. Only for contexts without custom
  /// stores.
  static func identifiersInFile(_ objects: [NSManagedObject]) -> [PersistentIdentifier] {
    var identifiers: [PersistentIdentifier] = []
    identifiers.reserveCapacity(objects.count)
    var last: (group: AddressGroup, family: PersistentIdentifier.Family)?
    objects.forEachUncounted { object in
      let family =
        if let last, last.group == object.addressGroup {
          last.family
        } else {
          PersistentIdentifier.Family(
            storeIdentifier: object.addressParts.store,
            entityName: unsafeDowncast(object, to: Self.self).modelType.entityName)
        }
      last = (object.addressGroup, family)
      identifiers.append(
        PersistentIdentifier(.init(primaryKey: object.addressReference, family: family)))
    }
    return identifiers
  }

  final var modelContext: ModelContext? {
    isGone ? nil : (managedObjectContext as? ModelObjectContext)?.wrapper
  }

  final var identifier: PersistentIdentifier { PersistentIdentifier(objectID) }

  private func pin() {
    guard !isPinned, let face = knownFace.face, let context = modelContext else { return }
    context.pin(self, face: face)
  }

  // MARK: - Values

  final func read<Result>(_ property: ModelProperty, as type: Result.Type) -> Result {
    guard property.kind == .column else { return readOther(property, as: type) }
    let value = faceValue(property.managed)
    if case .null = value { return absent(property) }
    return property.value(ofColumn: value, as: type)
  }

  @inline(never)
  private final func absent<Result>(_ property: ModelProperty) -> Result {
    if isGone, let value = lastValue(property) as? Result { return value }
    if let optional = Result.self as? any AnyOptional.Type { return optional.none as! Result }
    if let value = notANumber(as: Result.self) { return value }
    return property.missingValue(as: Result.self)
  }

  /// NaN, for a number that is required and that the file has as NULL: SQLite keeps NaN so, and
  /// neither a save nor a migration leaves a required column without a value.
  private final func notANumber<Result>(as type: Result.Type) -> Result? {
    guard isPresent, objectID.persistentStore?.type == NSSQLiteStoreType else { return nil }
    return Double.nan as? Result ?? Float.nan as? Result
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
      return Self.models(members(property), of: model) as! Result
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
    case .composite(let form):
      faceElements(property.managed) ?? (form.mayBeEmpty && !property.isOptional ? [:] : nil)
    case .enumeration(let form):
      faceElements(property.managed).flatMap { form.value(elements: $0) }
        .flatMap(form.boxed)
    default: faceObject(property.managed)
    }
  }

  /// The destinations of a to-many relationship. Deleted models are filtered out if there is no
  /// inverse through which a deletion, here or elsewhere, would have removed them.
  private final func members(_ property: ModelProperty) -> [NSManagedObject] {
    let members = faceMembers(property.managed)
    if property.inverse != nil { return members }
    return managedObjectContext?.present(members) ?? members.filter { $0.isPresent }
  }

  private static func models<Model: PersistentModel>(
    _ objects: [NSManagedObject], of type: Model.Type
  ) -> Any {
    objects.map { ($0 as! ManagedModelObject).face(as: type) }
  }

  final func write<New>(_ value: New, property: ModelProperty) {
    if lastValues != nil {
      if isGone {
        lastValues?[property.index] = unwrapped(value)
        return
      }
      lastValues = nil
    }
    pin()
    switch property.kind {
    case .column:
      if let plain = PlainValue.stored(value) {
        return setFaceValue(plain, property: property.managed)
      }
      let column = unwrapped(value) as? any ColumnValue
      setFaceValue(column?.stored ?? .null, property: property.managed)
    case .toOne, .toMany: setRelated(property.models(in: value), property: property)
    default: setBoxed(unwrapped(value), property: property)
    }
  }

  private final func setBoxed(_ value: Any?, property: ModelProperty) {
    if property.kind == .transformable { return setFaceObject(value, property: property.managed) }
    let boxed = value.flatMap { property.valueForm?.boxed($0) }
    switch property.form {
    case .composite: setFaceElements(boxed as? [String: Any], property: property.managed)
    case .enumeration(let form):
      let elements = value.flatMap { form.elements(of: $0, named: property.name) }
      setFaceElements(elements, property: property.managed)
    default: setFaceObject(boxed, property: property.managed)
    }
  }

  // MARK: - Relationships

  final func setRelated(_ value: Any?, property: ModelProperty, of model: any PersistentModel) {
    setRelated(modelsIn(value), property: property)
  }

  /// The destinations of a relationship, in order.
  final func relatedObjects(_ property: ModelProperty) -> [ManagedModelObject] {
    if property.kind == .toMany {
      return members(property).compactMap { $0 as? ManagedModelObject }
    }
    return (faceDestination(property.managed) as? ManagedModelObject).map { [$0] } ?? []
  }

  final func setRelated(_ models: [any PersistentModel], property: ModelProperty) {
    pin()
    guard let context = modelContext else { return }
    let objects = models.compactMap { context.object(for: $0, toRelateTo: self, property) }
    if property.kind == .toOne {
      setFaceDestination(objects.first, property: property.managed)
    } else {
      setFaceMembers(objects, property: property.managed)
    }
  }
}

/// The models in a value of a relationship: nil, one model, or an array.
func modelsIn(_ value: Any?) -> [any PersistentModel] {
  switch unwrapped(value) {
  case nil: []
  case let model as any PersistentModel: [model]
  case let list as [AnyObject]: list.compactMap { $0 as? any PersistentModel }
  default: []
  }
}

/// Managed object and backing data of one model class.
final class ManagedModel<Model: PersistentModel>: ManagedModelObject, ModelStateBacking {
  /// Creates a managed object outside of any context.
  convenience init(for modelType: Model.Type) {
    let type = ModelType.of(modelType)
    self.init(Schema.soleEntity(of: modelType), nil, type)
  }

  var persistentModelID: PersistentIdentifier? {
    get { identifier }
    set {}
  }

  override func backingData<Other: PersistentModel>(
    of type: Other.Type
  ) -> any BackingData<Other> { recast(self, type: type) }
}

// MARK: - Last values of a deleted model

extension ManagedModelObject {
  /// Saves the values of a row that is about to be deleted, if the object has a face that can still
  /// be read.
  final func keepLastValues() {
    guard presentFace != nil, lastValues == nil else { return }
    lastValues = modelType.properties.map { $0.isRelationship ? nil : anyValue($0) }
  }

  /// The last value of an attribute; nil for nil and for a relationship.
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
