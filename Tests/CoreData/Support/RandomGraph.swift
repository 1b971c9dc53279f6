import CoreDataSupport
import Foundation
import Testing

@testable import CoreData

/// Fills a store with objects of every entity, with values for every attribute and members for every
/// relationship, and says what is in it: a line per object, without what only this process knows.
struct RandomGraph {
  private var random: SplitMix64
  private var counter = 0

  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  /// The model as it is in the file, but without rules that values at random would break, and without
  /// classes and transformers that are not here.
  static func model(of package: ModelPackage) throws -> NSManagedObjectModel {
    let model = try package.currentModel()
    for entity in model.entities {
      entity.managedObjectClassName = "NSManagedObject"
      for property in entity.properties {
        property.isOptional = true
        property.setValidationPredicates([], withValidationWarnings: [])
        if let relationship = property as? NSRelationshipDescription {
          relationship.minCount = 0
          if relationship.isToMany { relationship.maxCount = 0 }
          relationship.deleteRule = .nullifyDeleteRule
        }
        if let composite = property as? NSCompositeAttributeDescription {
          composite.elements.forEach { $0.isOptional = true }
        }
        if let attribute = property as? NSAttributeDescription {
          attribute.valueTransformerName = nil
          attribute.attributeValueClassName = nil
        }
      }
    }
    return model
  }

  /// Takes away what values at random would break, without another version hash.
  static func relax(_ model: NSManagedObjectModel) {
    for entity in model.entities {
      entity.managedObjectClassName = "NSManagedObject"
      for property in entity.properties {
        property.setValidationPredicates([], withValidationWarnings: [])
        (property as? NSAttributeDescription)?.valueTransformerName = nil
        (property as? NSAttributeDescription)?.attributeValueClassName = nil
        if let relationship = property as? NSRelationshipDescription {
          let isNeeded = !(relationship.inverseRelationship?.isOptional ?? true)
          relationship.deleteRule = isNeeded ? .cascadeDeleteRule : .nullifyDeleteRule
        }
      }
    }
  }

  // MARK: - Filling

  /// Returns what the store has then.
  mutating func fill(_ coordinator: NSPersistentStoreCoordinator) throws -> [String] {
    let context = coordinator.makeContext()
    try context.performAndWait {
      var objects: [NSManagedObject] = []
      for layout in coordinator.layouts where !layout.entity.isAbstract {
        for _ in 0..<4 {
          let object = NSManagedObject(entity: layout.entity, insertInto: context)
          setAttributes(of: object)
          objects.append(object)
        }
      }
      for object in objects { relate(object, to: objects) }
      try context.save()
    }
    return try Self.contents(coordinator)
  }

  /// Edits, relates anew, deletes and adds.
  mutating func change(_ coordinator: NSPersistentStoreCoordinator) throws {
    let context = coordinator.makeContext()
    try context.performAndWait {
      let objects = try Self.objects(context, coordinator)
      for object in objects where Bool.random(using: &random) { setAttributes(of: object) }
      for object in objects where Bool.random(using: &random) { relate(object, to: objects) }
      try context.save()
      for object in objects where Int.random(in: 0..<4, using: &random) == 0 {
        context.delete(object)
      }
      try context.save()
      try add(context, coordinator)
      try context.save()
    }
  }

  /// Objects that lack what their model demands are taken back.
  private mutating func add(
    _ context: NSManagedObjectContext, _ coordinator: NSPersistentStoreCoordinator
  ) throws {
    let objects = try Self.objects(context, coordinator)
    var added: [NSManagedObject] = []
    for layout in coordinator.layouts where !layout.entity.isAbstract {
      for _ in 0..<3 {
        added.append(NSManagedObject(entity: layout.entity, insertInto: context))
      }
    }
    for object in added {
      setAttributes(of: object)
      relate(object, to: objects + added + added, isNew: true)
    }
    for _ in 0..<3 {
      for object in added where !object.isDeleted {
        do { try object.validateForInsert() } catch { context.delete(object) }
      }
      context.processPendingChanges()
    }
  }

  private mutating func setAttributes(of object: NSManagedObject) {
    for attribute in object.entity.attributesByName.values.sorted(by: { $0.name < $1.name })
    where !(attribute is NSDerivedAttributeDescription) {
      object.setValue(value(of: attribute), forKey: attribute.name)
    }
  }

  /// Each value once, for constraints; now and then none.
  mutating func value(of attribute: NSAttributeDescription) -> Any? {
    counter += 1
    if let composite = attribute as? NSCompositeAttributeDescription {
      var elements: [String: Any] = [:]
      for element in composite.elements { elements[element.name] = value(of: element) }
      return elements
    }
    if attribute.isOptional, Int.random(in: 0..<8, using: &random) == 0 { return nil }
    switch attribute.attributeType {
    case .integer16AttributeType: return counter % 32_000
    case .integer32AttributeType, .integer64AttributeType: return counter
    case .booleanAttributeType: return Bool.random(using: &random)
    case .doubleAttributeType: return Double(counter) + 0.25
    case .floatAttributeType: return Float(counter) + 0.5
    case .decimalAttributeType: return Decimal(string: "\(counter).05")
    case .dateAttributeType: return Date(timeIntervalSinceReferenceDate: Double(counter) * 1000.5)
    case .stringAttributeType: return "Text \(counter) \u{1F600} é"
    case .URIAttributeType: return URL(string: "https://example.com/\(counter)?q=a%20b")
    case .UUIDAttributeType: return UUID(uuid: uuid())
    case .binaryDataAttributeType:
      let isLarge = attribute.allowsExternalBinaryDataStorage && counter % 2 == 0
      return ExternalDataFixture.bytes(isLarge ? 120_000 : 20, seed: UInt64(counter))
    case .transformableAttributeType: return ["words": ["a", "b \(counter)"]] as NSDictionary
    default: return nil
    }
  }

  private mutating func uuid() -> uuid_t {
    var uuid = UUID().uuid
    let (high, low) = (random.next(), random.next())
    withUnsafeMutableBytes(of: &uuid) {
      $0.storeBytes(of: high, as: UInt64.self)
      $0.storeBytes(of: low, toByteOffset: 8, as: UInt64.self)
    }
    return uuid
  }

  private mutating func relate(
    _ object: NSManagedObject, to objects: [NSManagedObject], isNew: Bool = false
  ) {
    for relationship in object.entity.relationshipsByName.values.sorted(by: { $0.name < $1.name })
    where !relationship.isTransient {
      guard let destination = relationship.destinationEntity else { continue }
      let candidates = objects.filter {
        !$0.isDeleted && $0.entity.isKindOf(entity: destination)
          && !isTaken($0, relationship, by: object)
      }
      guard relationship.isToMany else {
        let isKept = !relationship.isOptional && candidates.isEmpty
        if isKept || !isNew && isNeeded(relationship.inverseRelationship) { continue }
        object.setValue(candidates.randomElement(using: &random), forKey: relationship.name)
        continue
      }
      if isNeeded(relationship.inverseRelationship) { continue }
      let members = candidates.filter { _ in Bool.random(using: &random) }
        .shuffled(using: &random)
      object.setValue(
        relationship.isOrdered ? NSOrderedSet(array: members) as Any : NSSet(array: members),
        forKey: relationship.name)
    }
  }

  /// Whether an object has another partner already, which would be left without the one that it needs.
  private func isTaken(
    _ object: NSManagedObject, _ relationship: NSRelationshipDescription, by other: NSManagedObject
  ) -> Bool {
    guard !relationship.isOptional, !relationship.isToMany,
      let inverse = relationship.inverseRelationship, !inverse.isToMany,
      let partner = object.value(forKey: inverse.name) as? NSManagedObject
    else { return false }
    return partner !== other
  }

  /// Whether an object that loses its place in the inverse would break a rule.
  private func isNeeded(_ inverse: NSRelationshipDescription?) -> Bool {
    inverse.map { !$0.isOptional } ?? false
  }

  // MARK: - What is there

  private static func objects(
    _ context: NSManagedObjectContext, _ coordinator: NSPersistentStoreCoordinator
  ) throws -> [NSManagedObject] {
    try coordinator.layouts.flatMap { layout in
      let request = NSFetchRequest<NSManagedObject>(entityName: layout.entity.name ?? "")
      request.includesSubentities = false
      return try context.fetch(request).sorted { $0.objectID.packed.key < $1.objectID.packed.key }
    }
  }

  /// - Parameter byRank: Whether an object's name has its place among the keys of its entity, in place of the
  ///   key itself, which stores of different types give differently.
  static func contents(
    _ coordinator: NSPersistentStoreCoordinator, byRank: Bool = false
  ) throws -> [String] {
    let context = coordinator.makeContext()
    return try context.performAndWait {
      let objects = try objects(context, coordinator)
      let names = names(objects, byRank: byRank)
      return objects.map { object in
        let properties = object.entity.properties.filter { !$0.isTransient }
          .sorted { $0.name < $1.name }
        let values = properties.map { property in
          "\(property.name)=\(text(object.value(forKey: property.name), names))"
        }
        return "\(names[object] ?? "?") \(values.joined(separator: " "))"
      }
    }
  }

  private static func names(
    _ objects: [NSManagedObject], byRank: Bool
  ) -> [NSManagedObject: String] {
    var names: [NSManagedObject: String] = [:]
    var counts: [String: Int] = [:]
    for object in objects.sorted(by: { $0.objectID.packed.key < $1.objectID.packed.key }) {
      let entity = object.entity.name ?? ""
      counts[entity, default: 0] += 1
      names[object] = "\(entity)/\(byRank ? counts[entity] ?? 0 : Int(object.objectID.packed.key))"
    }
    return names
  }

  static func text(_ value: Any?, _ names: [NSManagedObject: String]) -> String {
    func name(_ member: Any) -> String? { (member as? NSManagedObject).flatMap { names[$0] } }
    return switch value {
    case nil: "nil"
    case let object as NSManagedObject: names[object] ?? "?"
    case let members as NSOrderedSet:
      "[\(members.array.compactMap(name).joined(separator: ","))]"
    case let members as NSSet:
      "{\(members.allObjects.compactMap(name).sorted().joined(separator: ","))}"
    case let date as Date: "\(date.timeIntervalSinceReferenceDate)"
    case let data as Data: "\(data.count) bytes \(data.hashValue)"
    case let elements as [String: Any]:
      elements.sorted { $0.key < $1.key }.map { "\($0.key): (\(text($0.value, names)))" }
        .joined(separator: ", ")
    case let value?: "\(value)"
    }
  }
}
