import Foundation

/// Infers a mapping model from two models, or reports the change that cannot be inferred.
///
///     IEM_Add_<E>         a new entity
///     IEM_Remove_<E>      a removed entity
///     IEM_Copy_<E>        an entity with an unchanged version hash
///     IEM_Transform_<E>   a changed entity; <E> is the new name
///
/// Can be inferred: entities and properties that are added, removed or renamed; attributes that
/// become optional, mandatory with a default, or of another numeric type; relationships that become
/// to-many, ordered or unordered; properties that move within a hierarchy; entities that get
/// another parent or leave a hierarchy.
struct MappingInference {
  let match: ModelMatch

  init(_ match: ModelMatch) { self.match = match }

  func mappingModel() throws -> NSMappingModel {
    for entity in match.destination.entities { try check(entity) }
    try checkHierarchies()
    let model = NSMappingModel()
    model.isInferred = true
    model.entityMappings =
      try match.destination.entities.map(mapping)
      + match.source.entities.filter { match.destination(of: $0) == nil }.map(removal)
    return model
  }

  // MARK: - Mappings

  private func mapping(of entity: NSEntityDescription) throws -> NSEntityMapping {
    let mapping = NSEntityMapping()
    let name = entity.name ?? ""
    mapping.destinationEntityName = name
    mapping.destinationEntityVersionHash = entity.versionHash
    guard let source = match.source(of: entity) else {
      mapping.mappingType = .addEntityMappingType
      mapping.name = "IEM_Add_\(name)"
      mapping.attributeMappings = attributes(of: entity).map {
        propertyMapping($0.name, expression: nil)
      }
      mapping.relationshipMappings = relationships(of: entity).map {
        propertyMapping($0.name, expression: nil)
      }
      mapping.userInfo = names(mapped: [], added: stored(entity), removed: [])
      return mapping
    }
    let isSame = source.name == name && source.versionHash == entity.versionHash
    mapping.mappingType = isSame ? .copyEntityMappingType : .transformEntityMappingType
    mapping.name = "IEM_\(isSame ? "Copy" : "Transform")_\(name)"
    mapping.sourceEntityName = source.name
    mapping.sourceEntityVersionHash = source.versionHash
    mapping.sourceExpression = Self.fetch(source.name ?? "")
    let pairs = match.properties(of: entity)
    let old = Dictionary(
      pairs.map { ($0.destination.name, $0.source.name) }, uniquingKeysWith: { first, _ in first })
    mapping.attributeMappings = attributes(of: entity).map {
      propertyMapping($0.name, expression: old[$0.name].map(Self.value))
    }
    mapping.relationshipMappings = relationships(of: entity).map {
      propertyMapping($0.name, expression: old[$0.name].map(Self.destinations))
    }
    let kept = Set(pairs.map(\.source.name))
    mapping.userInfo = names(
      mapped: Set(old.keys), added: stored(entity).subtracting(old.keys),
      removed: stored(source).subtracting(kept))
    return mapping
  }

  private func removal(of entity: NSEntityDescription) -> NSEntityMapping {
    let mapping = NSEntityMapping()
    mapping.mappingType = .removeEntityMappingType
    mapping.name = "IEM_Remove_\(entity.name ?? "")"
    mapping.sourceEntityName = entity.name
    mapping.sourceEntityVersionHash = entity.versionHash
    mapping.userInfo = names(mapped: [], added: [], removed: stored(entity))
    return mapping
  }

  private func names(
    mapped: Set<String>, added: Set<String>, removed: Set<String>
  ) -> [AnyHashable: Any] {
    ["mappedProperties": mapped, "addedProperties": added, "removedProperties": removed]
  }

  private func stored(_ entity: NSEntityDescription) -> Set<String> {
    Set(ModelMatch.stored(entity).map(\.name))
  }

  private func attributes(of entity: NSEntityDescription) -> [NSPropertyDescription] {
    ModelMatch.stored(entity).filter { $0 is NSAttributeDescription }
  }

  private func relationships(of entity: NSEntityDescription) -> [NSPropertyDescription] {
    ModelMatch.stored(entity).filter { $0 is NSRelationshipDescription }
  }

  private func propertyMapping(_ name: String, expression: NSExpression?) -> NSPropertyMapping {
    let mapping = NSPropertyMapping()
    mapping.name = name
    mapping.valueExpression = expression
    return mapping
  }

  // MARK: - Expressions

  /// A fetch of all objects of a source entity, without those of subentities.
  static func fetch(_ entity: String) -> NSExpression {
    let manager = NSExpression(forVariable: NSMigrationManagerKey)
    let request = NSExpression(
      forFunction: manager,
      selectorName: "fetchRequestForSourceEntityNamed:predicateString:",
      arguments: [
        NSExpression(forConstantValue: entity), NSExpression(forConstantValue: "TRUEPREDICATE"),
      ])
    return NSFetchRequestExpression.expression(
      forFetch: request, context: NSExpression(format: "$manager.sourceContext"), countOnly: false)
  }

  private static func value(_ name: String) -> NSExpression {
    NSExpression(
      forFunction: NSExpression(forVariable: NSMigrationSourceObjectKey),
      selectorName: "valueForKey:", arguments: [NSExpression(forConstantValue: name)])
  }

  private static func destinations(_ name: String) -> NSExpression {
    NSExpression(
      forFunction: NSExpression(forVariable: NSMigrationManagerKey),
      selectorName: "destinationInstancesForSourceRelationshipNamed:sourceInstances:",
      arguments: [NSExpression(forConstantValue: name), value(name)])
  }
}

// Changes that cannot be inferred.
extension MappingInference {
  private func check(_ entity: NSEntityDescription) throws {
    let old = Dictionary(
      match.properties(of: entity).map { ($0.destination.name, $0.source) },
      uniquingKeysWith: { first, _ in first })
    for property in ModelMatch.stored(entity) {
      guard let source = old[property.name] else { continue }
      switch (source, property) {
      case (let source as NSAttributeDescription, let attribute as NSAttributeDescription):
        try check(source, attribute: attribute, entity: entity)
      case (let source as NSRelationshipDescription, let relationship as NSRelationshipDescription):
        try check(source, relationship: relationship, entity: entity)
      default:
        throw refused(
          "was \(Self.kind(source)) and is \(Self.kind(property)) now", entity: entity,
          property: property)
      }
    }
  }

  private func check(
    _ source: NSAttributeDescription, attribute: NSAttributeDescription,
    entity: NSEntityDescription
  ) throws {
    if let old = source as? NSCompositeAttributeDescription,
      let new = attribute as? NSCompositeAttributeDescription
    {
      for pair in ModelMatch.elements(of: old, new) {
        try check(pair.source, attribute: pair.destination, entity: entity)
      }
    } else if source.attributeType != attribute.attributeType,
      TypeChange(from: source.attributeType, to: attribute.attributeType) == nil
    {
      throw refused(
        "was of the type \(source.attributeType.modelName) and is of the type "
          + "\(attribute.attributeType.modelName) now, which no value follows from by itself",
        entity: entity, property: attribute)
    }
  }

  private func check(
    _ source: NSRelationshipDescription, relationship: NSRelationshipDescription,
    entity: NSEntityDescription
  ) throws {
    if source.isToMany && !relationship.isToMany {
      throw refused("was to-many and is to-one now", entity: entity, property: relationship)
    }
    guard let old = source.destinationEntity, let new = relationship.destinationEntity else {
      return
    }
    // Members of a removed entity are lost, like all its objects.
    guard let moved = match.destination(of: old) else { return }
    if moved.root !== new.root {
      throw refused(
        "led to “\(old.name ?? "")” and leads to “\(new.name ?? "")” now, which has other objects",
        entity: entity, property: relationship)
    }
  }

  /// Throws if two hierarchies are merged: keys of their objects would collide.
  private func checkHierarchies() throws {
    var roots: [ObjectIdentifier: NSEntityDescription] = [:]
    for entity in match.destination.entities {
      guard let source = match.source(of: entity) else { continue }
      let key = ObjectIdentifier(entity.root)
      if let known = roots[key], known !== source.root {
        throw refused(
          "Cannot merge multiple root entity source tables into one destination entity root table: "
            + "“\(known.name ?? "")” and “\(source.root.name ?? "")” into “\(entity.root.name ?? "")”",
          entity: entity)
      }
      roots[key] = source.root
    }
  }

  private static func kind(_ property: NSPropertyDescription) -> String {
    property is NSAttributeDescription ? "an attribute" : "a relationship"
  }

  private func refused(
    _ what: String, entity: NSEntityDescription, property: NSPropertyDescription
  ) -> NSError {
    CoreDataError.make(
      .inferredMappingModel,
      reason:
        "“\(property.name)” of the entity “\(entity.name ?? "")” \(what). Give it another name, "
        + "or make a mapping model.",
      userInfo: ["entity": entity.name ?? "", "property": property.name])
  }

  private func refused(_ reason: String, entity: NSEntityDescription) -> NSError {
    CoreDataError.make(
      .inferredMappingModel, reason: reason, userInfo: ["entity": entity.name ?? ""])
  }
}

extension NSEntityDescription {
  /// The topmost entity of the hierarchy.
  var root: NSEntityDescription { superentity?.root ?? self }
}
