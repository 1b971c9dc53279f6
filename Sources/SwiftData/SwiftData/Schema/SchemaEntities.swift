/// Builds the entities of a schema from model classes.
enum SchemaEntities {
  static func entities(of types: [any PersistentModel.Type]) -> [Schema.Entity] {
    let reachable = reachableTypes(from: types)
    var entities: [ObjectIdentifier: Schema.Entity] = [:]
    for type in reachable { entities[ObjectIdentifier(type)] = entity(of: type) }
    for type in reachable {
      guard let base = type.base, let entity = entities[ObjectIdentifier(type)],
        let parent = entities[ObjectIdentifier(base)]
      else { continue }
      entity.inherit(from: parent)
      parent.subentities.insert(entity)
    }
    return reachable.compactMap { entities[ObjectIdentifier($0)] }
  }

  /// The given types and all types that they refer to, each after its superclass.
  private static func reachableTypes(from types: [any PersistentModel.Type]) -> [ModelType] {
    var found: [ModelType] = []
    var known: Set<ObjectIdentifier> = []
    func visit(_ type: ModelType) {
      guard known.insert(ObjectIdentifier(type)).inserted else { return }
      if let base = type.base { visit(base) }
      found.append(type)
      for property in type.properties where property.isRelationship {
        visit(ModelType.of(property.destination))
      }
    }
    for type in types { visit(ModelType.of(type)) }
    return found
  }

  private static func entity(of type: ModelType) -> Schema.Entity {
    let entity = Schema.Entity(type.entityName)
    entity.modelType = type
    let inherited = type.base?.properties.count ?? 0
    entity.storedProperties = type.properties.dropFirst(inherited).map(schemaProperty)
    entity.uniquenessConstraints = type.uniquenessConstraints
    entity.indices = type.indexes.filter { !$0.isSpatial }.map(\.names)
    entity.spatialIndices = type.indexes.filter(\.isSpatial).map(\.names)
    return entity
  }

  private static func schemaProperty(_ property: ModelProperty) -> any SchemaProperty {
    property.isRelationship ? relationship(property) : attribute(property)
  }

  // Copies, because the metadata of one class may be part of several schemas.

  private static func attribute(_ property: ModelProperty) -> Schema.Attribute {
    let given = property.attribute
    let originalName = given?.originalName ?? ""
    if case .composite(let form) = property.form {
      let composite = Schema.CompositeAttribute(
        name: property.name, originalName: originalName.isEmpty ? nil : originalName,
        options: given?.options ?? [], valueType: property.declaredType,
        defaultValue: property.defaultValue, hashModifier: given?.hashModifier)
      composite.properties = form.elements.map(element)
      return composite
    }
    return Schema.Attribute(
      name: property.name, originalName: originalName.isEmpty ? nil : originalName,
      options: given?.options ?? [], valueType: property.declaredType,
      defaultValue: property.defaultValue, hashModifier: given?.hashModifier)
  }

  private static func element(_ element: CompositeForm.Element) -> Schema.Attribute {
    let attribute: Schema.Attribute
    if case .composite(let form) = element.form {
      let composite = Schema.CompositeAttribute(name: element.name, valueType: element.type)
      composite.properties = form.elements.map(self.element)
      attribute = composite
    } else {
      attribute = Schema.Attribute(name: element.name, valueType: element.type)
    }
    attribute.isOptional = element.isOptional
    return attribute
  }

  private static func relationship(_ property: ModelProperty) -> Schema.Relationship {
    let given = property.relationship ?? Schema.Relationship()
    let relationship = Schema.Relationship(
      deleteRule: given.deleteRule, minimumModelCount: given.minimumModelCount,
      maximumModelCount: given.maximumModelCount, inverse: given.inverseKeyPath,
      hashModifier: given.hashModifier)
    relationship.name = property.name
    relationship.originalName = given.originalName.isEmpty ? property.name : given.originalName
    relationship.options = given.options
    relationship.keypath = property.keyPath
    relationship.valueType = property.declaredType
    relationship.destination = ModelType.of(property.destination).entityName
    let inverse = property.inverse
    relationship.inverseName = inverse?.name
    relationship.inverseKeyPath = inverse?.keyPath ?? given.inverseKeyPath
    return relationship
  }
}
