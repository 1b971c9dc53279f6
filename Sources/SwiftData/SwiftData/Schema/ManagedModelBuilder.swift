import CoreData
import Foundation

/// Builds Core Data's model from a schema.
///
/// Source of each rule: the models that SwiftData's own stores have in `Z_MODELCACHE`.
enum ManagedModelBuilder {
  static func model(of schema: Schema) -> NSManagedObjectModel {
    let model = NSManagedObjectModel()
    model.versionIdentifiers = [schema.version.description]
    var entities: [String: NSEntityDescription] = [:]
    for entity in schema.entities { entities[entity.name] = description(of: entity) }
    for entity in schema.entities {
      guard let description = entities[entity.name] else { continue }
      description.subentities = entity.subentities.map(\.name).sorted()
        .compactMap { entities[$0] }
    }
    for entity in schema.entities { addRelationships(of: entity, entities) }
    for entity in schema.entities { linkInverses(of: entity, entities) }
    for entity in schema.entities { addIndexes(of: entity, entities) }
    model.entities = schema.entities.compactMap { entities[$0.name] }
    return model
  }

  private static func description(of entity: Schema.Entity) -> NSEntityDescription {
    let description = NSEntityDescription()
    description.name = entity.name
    description.objectFactory = entity.modelType?.factory
    description.properties = entity.storedProperties.compactMap { property in
      (property as? Schema.Attribute).map {
        self.description(of: $0, entity.modelType?.property(named: $0.name))
      }
    }
    return description
  }

  // MARK: - Attributes

  private static func description(
    of attribute: Schema.Attribute, _ property: ModelProperty?
  ) -> NSAttributeDescription {
    let form =
      property?.valueForm
      ?? ValueForm(
        (attribute.valueType as? any AnyOptional.Type)?.wrappedType ?? attribute.valueType)
    let description = self.description(of: form, named: attribute.name, attribute)
    description.name = attribute.name
    // A structure with nothing but nil members is a value, but all of its columns are null.
    description.isOptional = attribute.isOptional || form?.mayBeEmpty == true
    description.readsNilAsNaN = description.type == .double || description.type == .float
    if attribute.originalName != attribute.name {
      description.renamingIdentifier = attribute.originalName
    }
    description.versionHashModifier = attribute.hashModifier
    description.isTransient = attribute.isTransient
    let options = attribute.options
    description.allowsExternalBinaryDataStorage = options.contains(.externalStorage)
    description.preservesValueInHistoryOnDeletion = options.contains(.preserveValueOnDeletion)
    description.isIndexedBySpotlight = options.contains(.spotlight)
    description.allowsCloudEncryption = options.contains(.allowsCloudEncryption)
    return description
  }

  private static func description(
    of form: ValueForm?, named name: String, _ attribute: Schema.Attribute
  ) -> NSAttributeDescription {
    if let transformer = attribute.transformerName {
      let description = NSAttributeDescription()
      description.type = .transformable
      description.valueTransformerName = transformer
      return description
    }
    switch form {
    case .column(let column):
      let description = NSAttributeDescription()
      description.type = column.attributeType
      description.defaultValue = (attribute.defaultValue as? any ColumnValue)?.boxed
      return description
    case .composite(let composite):
      let boxes = attribute.defaultValue.flatMap(composite.boxed)
      return self.composite(composite, defaults: boxes as? [String: Any])
    case .enumeration(let enumeration):
      let defaults = attribute.defaultValue.flatMap { enumeration.elements(of: $0, named: name) }
      let description = self.enumeration(enumeration, named: name, defaults: defaults)
      if case .rawValue = enumeration.storage, attribute.originalName != name {
        description.elements.first?.renamingIdentifier = attribute.originalName
      }
      return description
    case .archive(let archive):
      let description = NSAttributeDescription()
      defer { description.defaultValue = attribute.defaultValue.flatMap(archive.boxed) }
      if case .array = archive.storage {
        description.type = .transformable
        description.valueTransformerName = "NSSecureUnarchiveFromData"
        description.attributeValueClassName = "\(archive.type)"
      } else {
        description.type = .binaryData
      }
      return description
    case nil:
      // The type is not Codable and no transformer is given.
      let description = NSAttributeDescription()
      description.type = .transformable
      return description
    }
  }

  private static func composite(
    _ form: CompositeForm, defaults: [String: Any]?
  ) -> NSCompositeAttributeDescription {
    let description = NSCompositeAttributeDescription()
    description.elements = form.elements.map { element($0, default: defaults?[$0.name]) }
    // The defaults of new elements: from the default of the whole attribute, else a zero value.
    description.newElementValues = form.elements.reduce(into: [:]) { values, element in
      guard !element.isOptional else { return }
      values[element.name] = defaults?[element.name] ?? element.form.zero.flatMap(element.boxed)
    }
    return description
  }

  private static func element(
    _ element: CompositeForm.Element, default value: Any?
  ) -> NSAttributeDescription {
    let description: NSAttributeDescription
    switch element.form {
    case .column(let column):
      description = NSAttributeDescription()
      description.type = column.attributeType
      description.defaultValue = value
    case .composite(let form):
      description = composite(form, defaults: value as? [String: Any])
    case .enumeration(let form):
      description = enumeration(form, named: element.name, defaults: value as? [String: Any])
    case .archive:
      description = NSAttributeDescription()
      description.type = .binaryData
      description.defaultValue = value
    }
    description.name = element.name
    description.isOptional = element.isOptional || element.form.mayBeEmpty
    description.readsNilAsNaN = description.type == .double || description.type == .float
    return description
  }

  /// All elements are optional: those of the cases that are not chosen are nil.
  private static func enumeration(
    _ form: EnumerationForm, named name: String, defaults: [String: Any]?
  ) -> NSCompositeAttributeDescription {
    func element(_ name: String, _ type: NSAttributeDescription.AttributeType)
      -> NSAttributeDescription
    {
      let element = NSAttributeDescription()
      element.name = name
      element.type = type
      element.isOptional = true
      element.defaultValue = defaults?[name]
      return element
    }
    let description = NSCompositeAttributeDescription()
    // No defaults for new elements: an element that a newer version adds is another case, not the
    // chosen one.
    description.newElementValues = [:]
    switch form.storage {
    case .rawValue(let column):
      description.elements = [element(name, column.attributeType)]
      description.userInfo = ["EnumType": true]
    case .cases(let names):
      description.elements = names.map { element($0, .string) }
      description.userInfo = ["EnumType": true, "enum": names]
    }
    return description
  }

  // MARK: - Relationships

  private static func addRelationships(
    of entity: Schema.Entity, _ entities: [String: NSEntityDescription]
  ) {
    guard let description = entities[entity.name] else { return }
    let relationships = entity.storedProperties.compactMap { $0 as? Schema.Relationship }
    description.properties += relationships.map { relationship in
      let made = NSRelationshipDescription()
      made.name = relationship.name
      made.destinationEntity = entities[relationship.destination]
      made.isOptional = relationship.isOptional
      made.minCount = relationship.minimumModelCount ?? 0
      made.maxCount =
        relationship.isToOneRelationship ? 1 : relationship.maximumModelCount ?? 0
      made.deleteRule = deleteRule(relationship.deleteRule)
      if relationship.originalName != relationship.name {
        made.renamingIdentifier = relationship.originalName
      }
      made.versionHashModifier = relationship.hashModifier
      return made
    }
  }

  private static func deleteRule(_ rule: Schema.Relationship.DeleteRule) -> NSDeleteRule {
    switch rule {
    case .noAction: .noActionDeleteRule
    case .nullify: .nullifyDeleteRule
    case .cascade: .cascadeDeleteRule
    case .deny: .denyDeleteRule
    }
  }

  private static func linkInverses(
    of entity: Schema.Entity, _ entities: [String: NSEntityDescription]
  ) {
    for case let relationship as Schema.Relationship in entity.storedProperties {
      guard let inverse = relationship.inverseName,
        let here = entities[entity.name]?.relationshipsByName[relationship.name],
        let there = entities[relationship.destination]?.relationshipsByName[inverse]
      else { continue }
      here.inverseRelationship = there
    }
  }

  // MARK: - Constraints and indexes

  private static func addIndexes(
    of entity: Schema.Entity, _ entities: [String: NSEntityDescription]
  ) {
    guard let description = entities[entity.name] else { return }
    description.uniquenessConstraints = entity.uniquenessConstraints.map { names -> [String] in
      names.flatMap { columns(of: $0, description) }
    }
    let binary = entity.indices.map {
      ($0, "SwiftDataIndexOnBinary", NSFetchIndexElementType.binary)
    }
    let spatial = entity.spatialIndices.map {
      ($0, "SwiftDataIndexOnRTree", NSFetchIndexElementType.rTree)
    }
    description.indexes = (binary + spatial).map { names, prefix, type in
      let elements = names.flatMap { columns(of: $0, description) }.map {
        NSFetchIndexElementDescription(propertyName: $0, collationType: type)
      }
      return NSFetchIndexDescription(name: prefix + names.joined(), elements: elements)
    }
  }

  /// The columns that store a property: its own, or the elements of a composite attribute, as key
  /// paths.
  private static func columns(of name: String, _ entity: NSEntityDescription) -> [String] {
    guard let composite = entity.attributesByName[name] as? NSCompositeAttributeDescription else {
      return [name]
    }
    return columns(of: composite, name)
  }

  private static func columns(
    of composite: NSCompositeAttributeDescription, _ path: String
  ) -> [String] {
    composite.elements.flatMap { element in
      let path = "\(path).\(element.name)"
      return (element as? NSCompositeAttributeDescription).map { columns(of: $0, path) } ?? [path]
    }
  }
}

extension NSManagedObjectModel {
  /// Makes the Core Data model of SwiftData classes, so that both frameworks can open one file.
  ///
  /// Returns nil if both models have an entity of one name with different definitions.
  public static func makeManagedObjectModel(
    for entityTypes: [any PersistentModel.Type],
    mergedWith managedObjectModel: NSManagedObjectModel? = nil
  ) -> NSManagedObjectModel? {
    makeManagedObjectModel(for: Schema(entityTypes), mergedWith: managedObjectModel)
  }

  /// Makes the Core Data model of SwiftData classes. Returns nil if both models have an entity of
  /// one name with different definitions.
  public static func makeManagedObjectModel(
    for entityTypes: any PersistentModel.Type...,
    mergedWith managedObjectModel: NSManagedObjectModel? = nil
  ) -> NSManagedObjectModel? {
    makeManagedObjectModel(for: Schema(entityTypes), mergedWith: managedObjectModel)
  }

  /// Makes the Core Data model of a schema. Returns nil if both models have an entity of one name
  /// with different definitions.
  public static func makeManagedObjectModel(
    for schema: Schema, mergedWith managedObjectModel: NSManagedObjectModel? = nil
  ) -> NSManagedObjectModel? {
    let model = ManagedModelBuilder.model(of: schema)
    // Core Data clients use their own classes, without faces.
    for entity in model.entities { entity.objectFactory = nil }
    guard let managedObjectModel else { return model }
    let names = Set(model.entitiesByName.keys)
    for (name, entity) in managedObjectModel.entitiesByName
    where names.contains(name) && entity.versionHash != model.entitiesByName[name]?.versionHash {
      return nil
    }
    return NSManagedObjectModel(byMerging: [managedObjectModel, model])
  }

  /// Calls the static method of the same name.
  @available(*, deprecated, message: "Use the static method of the same name.")
  public func makeManagedObjectModel(
    for schema: Schema, mergedWith managedObjectModel: NSManagedObjectModel? = nil
  ) -> NSManagedObjectModel? {
    Self.makeManagedObjectModel(for: schema, mergedWith: managedObjectModel)
  }
}
