import CoreData
import Foundation

// Conversion between a property's value and its form in a snapshot.

extension ModelProperty {
  /// Whether a store keeps the property.
  var isKept: Bool { attribute?.isTransient != true }

  /// The type of the property's value in a snapshot.
  var snapshotType: any Codable.Type {
    switch kind {
    case .toOne: PersistentIdentifier.self
    case .toMany: [PersistentIdentifier].self
    case .transformable: Data.self
    default:
      // A model cannot have a value that is not Codable.
      valueType as? any Codable.Type ?? Data.self
    }
  }

  /// The form of an attribute's value in a snapshot.
  func snapshotValue(_ value: Any) -> (any Codable)? {
    guard kind == .transformable else { return value as? any Codable }
    return transformableCodec.encode(value as AnyObject)
  }

  /// The value of an attribute, from its form in a snapshot.
  func value(ofSnapshotValue value: any Codable) -> Any {
    guard kind == .transformable, let data = value as? Data else { return value }
    return transformableCodec.decode(data)
  }

  /// The value of an attribute in the form of key-value coding, from its form in a snapshot.
  func boxed(snapshotValue: any Codable) -> Any? {
    let value = value(ofSnapshotValue: snapshotValue)
    switch form {
    case .enumeration(let form): return form.elements(of: value, named: name)
    default: return kind == .transformable ? value : valueForm?.boxed(value)
    }
  }

  private var transformableCodec: TransformableCodec {
    let description = NSAttributeDescription()
    description.name = name
    description.type = .transformable
    description.valueTransformerName = attribute?.transformerName
    return TransformableCodec(description)
  }
}

/// Reads a snapshot's values from backing data of any kind.
struct SnapshotSource {
  let modelType: ModelType
  let identifier: PersistentIdentifier
  private let data: any BackingData

  init(_ data: any BackingData) {
    self.data = data
    modelType = Self.modelType(of: data)
    identifier = data.persistentModelID ?? .detached(modelType.entityName)
  }

  private static func modelType<Data: BackingData>(of data: Data) -> ModelType {
    ModelType.of(Data.Model.self)
  }

  /// The value of an attribute; nil for nil.
  func attribute(_ property: ModelProperty) -> Any? {
    switch data {
    case let object as ManagedModelObject: object.anyValue(property)
    case let detached as DetachedState: detached.anyValue(property)
    default: ClientData.attribute(property, of: data)
    }
  }

  func related(
    _ property: ModelProperty
  ) -> [(identifier: PersistentIdentifier, data: any BackingData)] {
    if let object = data as? ManagedModelObject {
      return object.relatedObjects(property).compactMap { related in
        (related as? any BackingData).map { (related.identifier, $0) }
      }
    }
    let models =
      (data as? DetachedState)?.related(property) ?? ClientData.related(property, of: data)
    return models.map { ($0.persistentModelID, Self.backingData(of: $0)) }
  }

  private static func backingData<M: PersistentModel>(of model: M) -> any BackingData {
    model.persistentBackingData
  }
}

/// Reads backing data of a client's own class, which only support key paths.
private enum ClientData {
  static func attribute<Data: BackingData>(_ property: ModelProperty, of data: Data) -> Any? {
    func read<Value: Decodable>(_ type: Value.Type) -> Any? {
      (property.keyPath as? KeyPath<Data.Model, Value>).map { data.getValue(forKey: $0) }
    }
    func transformable<Value>(_ type: Value.Type) -> Any? {
      (property.keyPath as? KeyPath<Data.Model, Value>).map {
        data.getTransformableValue(forKey: $0)
      }
    }
    if property.kind == .transformable {
      return unwrapped(_openExistential(property.declaredType, do: transformable))
    }
    guard let type = property.declaredType as? any Decodable.Type else { return nil }
    return unwrapped(read(type))
  }

  static func related<Data: BackingData>(
    _ property: ModelProperty, of data: Data
  ) -> [any PersistentModel] {
    func one<Value: PersistentModel>(_ type: Value.Type) -> [any PersistentModel] {
      if let keyPath = property.keyPath as? KeyPath<Data.Model, Value> {
        return [data.getValue(forKey: keyPath)]
      }
      guard let keyPath = property.keyPath as? KeyPath<Data.Model, Value?> else { return [] }
      return data.getValue(forKey: keyPath).map { [$0] } ?? []
    }
    func many<Value: RelationshipCollection>(_ type: Value.Type) -> [any PersistentModel] {
      (property.keyPath as? KeyPath<Data.Model, Value>)
        .map { modelsIn(data.getValue(forKey: $0)) } ?? []
    }
    switch property.form {
    case .toOne(let type): return one(type)
    case .toMany:
      guard let type = property.declaredType as? any RelationshipCollection.Type else { return [] }
      return many(type)
    default: return []
    }
  }
}
