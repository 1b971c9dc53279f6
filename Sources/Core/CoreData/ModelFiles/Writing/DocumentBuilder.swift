import Foundation

/// Makes a document from descriptions: the reverse of `ModelBuilder`.
///
/// Leaves out what a document cannot express; the writer finds the losses with `ModelFacts`.
struct DocumentBuilder {
  private static let deepest = 16

  let file: String
  /// The elements of the composites as text, by composite name: a file defines each composite once.
  private var composites: [String: String] = [:]

  static func document(of model: NSManagedObjectModel, file: String) throws -> ModelDocument {
    var builder = DocumentBuilder(file: file)
    return try builder.document(of: model)
  }

  private init(file: String) {
    self.file = file
  }

  private mutating func document(of model: NSManagedObjectModel) throws -> ModelDocument {
    var document = ModelDocument(file: file)
    document.versionIdentifier = model.versionIdentifiers.first?.base as? String
    let entities = model.entities.sorted { ($0.name ?? "") < ($1.name ?? "") }
    document.entities = try entities.map { try entity(of: $0) }
    document.configurations = model.configurationMembers.map {
      ModelConfiguration(name: $0.name, entityNames: $0.entityNames)
    }
    document.fetchRequests = model.storedTemplates.sorted { $0.key < $1.key }.map {
      Self.fetchRequest(of: $0.value, name: $0.key)
    }
    return document
  }

  private mutating func entity(of source: NSEntityDescription) throws -> ModelEntity {
    var entity = ModelEntity(name: source.name ?? "", line: nil)
    entity.className = source.managedObjectClassName
    entity.parentName = source.superentity?.name
    entity.isAbstract = source.isAbstract
    entity.versionHashModifier = source.versionHashModifier
    entity.renamingIdentifier = Self.other(source.renamingIdentifier, than: source.name)
    entity.codeGenerationType = source.codeGenerationType
    entity.userInfo = Self.texts(source.userInfo)
    let properties = source.ownProperties.sorted { $0.name < $1.name }
    let indexed = Set(source.indexes.compactMap(\.onlyPlainName))
    entity.properties = try properties.compactMap { property in
      var made = try self.property(of: property, depth: 0)
      if indexed.contains(property.name) { made?.isIndexed = true }
      return made
    }
    entity.uniquenessConstraints = source.uniquenessConstraintNames
    entity.indexes = source.indexes.sorted { $0.name < $1.name }.map(Self.index)
    return entity
  }

  private mutating func property(
    of source: NSPropertyDescription, depth: Int
  ) throws -> ModelProperty? {
    guard depth < Self.deepest else {
      throw ModelFileError(
        file: file, entity: source.declaringEntity?.name, property: source.name,
        problem: "composites are nested more than \(Self.deepest) deep")
    }
    let kind: ModelProperty.Kind
    switch source {
    case let attribute as NSAttributeDescription:
      kind = .attribute(try self.attribute(of: attribute, depth: depth))
    case let relationship as NSRelationshipDescription:
      kind = .relationship(Self.relationship(of: relationship))
    case let fetched as NSFetchedPropertyDescription:
      guard let request = fetched.fetchRequest else { return nil }
      kind = .fetched(Self.fetchRequest(of: request, name: source.name))
    default: return nil
    }
    var property = ModelProperty(name: source.name, line: nil, kind: kind)
    property.isOptional = source.isOptional
    property.isTransient = source.isTransient
    property.versionHashModifier = source.versionHashModifier
    property.renamingIdentifier = Self.other(source.renamingIdentifier, than: source.name)
    property.isIndexed = source.storedIsIndexed
    property.isIndexedBySpotlight = source.isIndexedBySpotlight
    property.isStoredInExternalRecord = source.storedInExternalRecord
    property.userInfo = Self.texts(source.userInfo)
    return property
  }

  private mutating func attribute(
    of source: NSAttributeDescription, depth: Int
  ) throws -> ModelAttribute {
    let number = source.attributeType.rawValue
    let type = ModelAttributeType.allCases.first { $0.number == number } ?? .undefined
    var attribute = ModelAttribute(type: type)
    if let derived = source as? NSDerivedAttributeDescription {
      attribute.form = .derived(derived.derivationExpression?.description)
    } else if let composite = source as? NSCompositeAttributeDescription {
      let elements = try composite.elements.compactMap { try property(of: $0, depth: depth + 1) }
      attribute.form = .composite(name: name(of: composite, elements), elements: elements)
    }
    attribute.customClassName = Self.other(
      source.attributeValueClassName, than: source.attributeType.valueClassName)
    attribute.valueTransformerName = source.valueTransformerName
    attribute.allowsExternalBinaryDataStorage = source.allowsExternalBinaryDataStorage
    attribute.preservesValueInHistoryOnDeletion = source.preservesValueInHistoryOnDeletion
    attribute.allowsCloudEncryption = source.allowsCloudEncryption
    attribute.usesScalarValueType = source.usesScalarValueType
    attribute.defaultValue = source.defaultValue.flatMap { ModelConstant(value: $0, type: type) }
    attribute.limits = LimitRules.limits(of: source.validationPredicates, type: type)
    return attribute
  }

  /// The name of the composite in the file that it came from, or else a name made from the
  /// attribute's. Appends a number if the file has another composite of that name.
  private mutating func name(
    of composite: NSCompositeAttributeDescription, _ elements: [ModelProperty]
  ) -> String {
    let wanted =
      composite.compositeName ?? composite.name.prefix(1).uppercased()
      + composite.name.dropFirst()
    let text = "\(elements)"
    var name = wanted
    var number = 2
    while let known = composites[name], known != text {
      name = "\(wanted)\(number)"
      number += 1
    }
    composites[name] = text
    return name
  }

  private static func relationship(of source: NSRelationshipDescription) -> ModelRelationship {
    ModelRelationship(
      destination: source.destinationEntityName ?? "", inverse: source.inverseRelationshipName,
      maxCount: source.maxCount, minCount: source.minCount, isOrdered: source.isOrdered,
      deleteRule: source.deleteRule.rawValue)
  }

  private static func fetchRequest(
    of source: NSFetchRequest<NSFetchRequestResult>, name: String
  ) -> ModelFetchRequest {
    var request = ModelFetchRequest(
      name: name, line: nil, entityName: source.entityName ?? "",
      predicate: source.predicate?.modelText)
    request.limit = source.fetchLimit
    request.batchSize = source.fetchBatchSize
    request.resultType = source.resultType.rawValue
    request.includesSubentities = source.includesSubentities
    request.includesPropertyValues = source.includesPropertyValues
    request.returnsObjectsAsFaults = source.returnsObjectsAsFaults
    request.returnsDistinctResults = source.returnsDistinctResults
    request.includesPendingChanges = source.includesPendingChanges
    return request
  }

  private static func index(of source: NSFetchIndexDescription) -> ModelIndex {
    let elements = source.elements.map { element in
      let subject: ModelIndexElement.Subject
      if let computed = element.property as? NSExpressionDescription {
        subject = .expression(
          computed.expression?.description ?? "", type: computed.expressionResultType.rawValue)
      } else {
        subject = .property(element.propertyName ?? "")
      }
      return ModelIndexElement(
        subject: subject, isSpatial: element.collationType == .rTree,
        isAscending: element.isAscending)
    }
    return ModelIndex(
      name: source.name, line: nil, elements: elements,
      partialPredicate: source.partialIndexPredicate?.modelText)
  }

  private static func other(_ text: String?, than standard: String?) -> String? {
    text == standard ? nil : text
  }

  private static func texts(_ userInfo: [AnyHashable: Any]?) -> [String: String] {
    let pairs = (userInfo ?? [:]).compactMap { key, value in
      (key.base as? String).flatMap { key in (value as? String).map { (key, $0) } }
    }
    return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
  }
}
