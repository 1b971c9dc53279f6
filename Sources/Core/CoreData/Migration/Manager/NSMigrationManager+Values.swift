import Foundation

// The work of the default policy for a mapping.
extension NSMigrationManager {
  /// Makes an object of a mapping's destination entity. Throws 134140 for an entity that is not in
  /// the model.
  final func makeDestinationInstance(_ mapping: NSEntityMapping) throws -> NSManagedObject {
    guard let entity = destinationEntity(for: mapping) else {
      throw CoreDataError.make(
        .migrationMissingMappingModel,
        reason: "The mapping “\(mapping.name ?? "")” makes objects of the entity "
          + "“\(mapping.destinationEntityName ?? "")”, which the destination model does not have.")
    }
    return NSManagedObject(entity: entity, insertInto: destinationContext)
  }

  /// Evaluates property mappings for one object. Those without an expression leave the property
  /// unchanged.
  final func setValues(
    _ mappings: [NSPropertyMapping]?, of destination: NSManagedObject,
    from source: NSManagedObject?, entityMapping: NSEntityMapping,
    policy: NSEntityMigrationPolicy
  ) throws {
    for mapping in mappings ?? [] {
      guard let expression = mapping.valueExpression, let name = mapping.name else { continue }
      let value: Any?
      var former: NSAttributeDescription?
      if let key = expression.sourceKey {
        value = try source.flatMap { try KeyedValue.value(of: $0, forKey: key) }
        former = source?.entity.attributesByName[key]
      } else {
        var variables: [String: Any] = [
          NSMigrationManagerKey: self, NSMigrationDestinationObjectKey: destination,
          NSMigrationEntityMappingKey: entityMapping, NSMigrationPropertyMappingKey: mapping,
          NSMigrationEntityPolicyKey: policy,
        ]
        variables[NSMigrationSourceObjectKey] = source ?? NSNull()
        value = try expression.value(with: source, variables: variables)
      }
      try set(value, name: name, of: destination, from: former)
    }
  }

  /// Sets a property. `former` is the attribute from which the value was copied; nil for a computed
  /// value.
  private func set(
    _ value: Any?, name: String, of object: NSManagedObject, from former: NSAttributeDescription?
  ) throws {
    guard let relationship = object.entity.relationshipsByName[name] else {
      guard let attribute = object.entity.attributesByName[name] else {
        throw CoreDataError.make(
          .migration,
          reason: "A property mapping names “\(name)”, which the entity "
            + "“\(object.entity.name ?? "")” does not have.")
      }
      var value = value is NSNull ? nil : value
      // As in a migration in place: an attribute that has become mandatory keeps its default if the
      // value is nil.
      if value == nil, mappingModel.isInferred, !attribute.isOptional { return }
      if let old = former as? NSCompositeAttributeDescription,
        let new = attribute as? NSCompositeAttributeDescription
      {
        let made = Self.composite(value, old: old, new: new, onto: object.value(forKey: name))
        value = mappingModel.isInferred ? object.layout.filled(made, composite: name) : made
      }
      if mappingModel.isInferred, let former, let given = value,
        let change = TypeChange(from: former.attributeType, to: attribute.attributeType)
      {
        value = try converted(given, change: change, attribute: attribute, object: object)
      }
      try checkAcceptable(value, attribute: attribute, object: object)
      object.setValue(value, forKey: name)
      return
    }
    // An object that has left the destination hierarchy of the relationship is no longer a member.
    let members = Self.objects(value).filter { member in
      relationship.destinationEntity.map { member.entity.isKindOf(entity: $0) } ?? true
    }
    if !relationship.isToMany {
      object.setValue(members.first, forKey: name)
    } else if relationship.isOrdered {
      object.setValue(NSOrderedSet(array: members), forKey: name)
    } else {
      object.setValue(NSSet(array: members), forKey: name)
    }
  }

  /// Converts a value to the new type. Throws 134110 if it does not fit.
  private func converted(
    _ value: Any, change: TypeChange, attribute: NSAttributeDescription,
    object: NSManagedObject
  ) throws -> Any {
    if let converted = change.converted(value) { return converted }
    throw CoreDataError.make(
      .migration,
      reason:
        "A value of “\(attribute.name)” of the entity “\(object.entity.name ?? "")”, which was of the type "
        + "\(change.old.modelName), does not fit into the type \(change.new.modelName). Change it first, "
        + "keep the type, or use a mapping model.",
      userInfo: ["entity": object.entity.name ?? "", "attribute": attribute.name])
  }

  /// The value of a composite attribute in its new form: without removed elements, and with the
  /// values of the new object for new elements.
  private static func composite(
    _ value: Any?, old: NSCompositeAttributeDescription, new: NSCompositeAttributeDescription,
    onto present: Any?
  ) -> [String: Any] {
    let values = value as? [String: Any] ?? [:]
    var result = present as? [String: Any] ?? [:]
    for (source, destination) in ModelMatch.elements(of: old, new) {
      let value = values[source.name]
      if let old = source as? NSCompositeAttributeDescription,
        let new = destination as? NSCompositeAttributeDescription
      {
        result[new.name] = composite(value, old: old, new: new, onto: result[new.name])
      } else if let value,
        let change = TypeChange(from: source.attributeType, to: destination.attributeType)
      {
        result[destination.name] = change.converted(value)
      } else {
        result[destination.name] = value
      }
    }
    return result
  }

  /// Throws 134110 for a value that the attribute cannot hold; setting it would trap.
  private func checkAcceptable(
    _ value: Any?, attribute: NSAttributeDescription, object: NSManagedObject
  ) throws {
    do {
      switch object.layout.place(of: attribute.name) {
      case .composite(let index): _ = try object.layout.slotValues(of: value, composite: index)
      default: _ = try Value(value, type: attribute.attributeType, name: attribute.name)
      }
    } catch let error as UnacceptableValue {
      throw CoreDataError.make(
        .migration,
        reason: "A mapping of the entity “\(object.entity.name ?? "")” makes a value of the type "
          + "\(error.given) for “\(error.name)”, where \(error.expected) is expected. Give it an "
          + "expression, or a policy, that makes one.",
        userInfo: ["entity": object.entity.name ?? "", "property": attribute.name])
    }
  }

  /// The objects in a collection, or a single object.
  static func objects(_ value: Any?) -> [NSManagedObject] {
    switch value {
    case let object as NSManagedObject: [object]
    case let array as [NSManagedObject]: array
    case let set as NSOrderedSet: set.array.compactMap { $0 as? NSManagedObject }
    case let set as NSSet: set.allObjects.compactMap { $0 as? NSManagedObject }
    case let set as Set<NSManagedObject>: Array(set)
    case let array as [Any]: array.compactMap { $0 as? NSManagedObject }
    case let array as NSArray: array.compactMap { $0 as? NSManagedObject }
    default: []
    }
  }
}

extension NSExpression {
  /// The key of `$source.key` or `FUNCTION($source, "valueForKey:", "key")`, the form of nearly all
  /// expressions; nil for others.
  var sourceKey: String? {
    switch content {
    case .keyPath(let path, let operand?)
    where !path.contains(".") && !path.hasPrefix("@") && operand.isSource:
      return path
    case .message(let receiver, "valueForKey:", let arguments) where receiver.isSource:
      guard case .constant(let key as String)? = arguments.first?.content else { return nil }
      return key
    default: return nil
    }
  }

  private var isSource: Bool {
    if case .variable(NSMigrationSourceObjectKey) = content { true } else { false }
  }
}

// Messages to the manager in expressions.
extension NSMigrationManager: PredicateMessageReceiver {
  package final func answer(selector: String, arguments: [Any?]) throws -> Any? {
    let first = arguments.first as? String
    let rest = arguments.dropFirst().first ?? nil
    switch selector {
    case "sourceContext": return sourceContext
    case "destinationContext": return destinationContext
    case "sourceModel": return sourceModel
    case "destinationModel": return destinationModel
    case "currentEntityMapping": return currentEntityMapping
    case "userInfo": return userInfo
    case "fetchRequestForSourceEntityNamed:predicateString:":
      return fetchRequest(forSourceEntityNamed: first ?? "", predicateString: rest as? String)
    case "destinationInstancesForEntityMappingNamed:sourceInstances:":
      return destinationInstances(
        forEntityMappingName: first ?? "", sourceInstances: Self.objects(rest))
    case "sourceInstancesForEntityMappingNamed:destinationInstances:":
      return sourceInstances(
        forEntityMappingName: first ?? "", destinationInstances: Self.objects(rest))
    case "destinationInstancesForSourceRelationshipNamed:sourceInstances:":
      return destinationInstances(of: Self.objects(rest))
    default: return try value(forSelector: selector, arguments: arguments)
    }
  }

  /// A request for the objects of a source entity, without those of subentities, which have
  /// mappings of their own.
  private func fetchRequest(
    forSourceEntityNamed name: String, predicateString: String?
  ) -> NSFetchRequest<NSManagedObject> {
    let request = NSFetchRequest<NSManagedObject>(entityName: name)
    request.includesSubentities = false
    if let predicateString, predicateString != "TRUEPREDICATE" {
      request.predicate = NSPredicate(format: predicateString)
    }
    return request
  }
}

// Keys of the manager in expressions, such as `$manager.sourceContext`.
extension NSMigrationManager: KeyValueCodable {
  /// The value of a property of the manager by its name. Traps for other keys.
  public final func value(forKey key: String) -> Any? {
    switch key {
    case "sourceContext": sourceContext
    case "destinationContext": destinationContext
    case "sourceModel": sourceModel
    case "destinationModel": destinationModel
    case "mappingModel": mappingModel
    case "currentEntityMapping": currentEntityMapping
    case "migrationProgress": migrationProgress
    case "userInfo": userInfo
    default: value(forUndefinedKey: key)
    }
  }

  /// Sets `userInfo`. Traps for other keys.
  public final func setValue(_ value: Any?, forKey key: String) {
    guard key == "userInfo" else { return setValue(value, forUndefinedKey: key) }
    userInfo = value as? [AnyHashable: Any]
  }
}
