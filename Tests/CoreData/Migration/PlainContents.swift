import CoreDataSupport
import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

/// What is in a store, as plain values by the origins of entities and properties.
struct PlainContents {
  struct Object {
    /// What tells it apart in every version: the value of the entity's attribute `key<origin>`.
    let key: String
    let entity: Int
    var values: [Int: String] = [:]
    /// The keys of the members; sorted where they have no order.
    var members: [Int: [String]] = [:]
  }

  var objects: [Object] = []

  /// A line for each object.
  var lines: [String] {
    objects.map { object in
      let values = object.values.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
      let members = object.members.sorted { $0.key < $1.key }
        .map { "\($0.key)→\($0.value.joined(separator: ","))" }
      return "\(object.key): \((values + members).joined(separator: " "))"
    }.sorted()
  }

  // MARK: - Filling

  /// Fills an empty store with some objects of each entity.
  init(filling fixture: StoreFixture, _ model: PlainModel, _ random: inout SplitMix64) throws {
    let context = fixture.coordinator.makeContext()
    try context.performAndWait {
      var made: [(NSManagedObject, PlainModel.Entity)] = []
      for entity in model.entities where !entity.isAbstract {
        for number in 0..<Int.random(in: 0...4, using: &random) {
          let object = NSEntityDescription.insertNewObject(
            forEntityName: entity.name, into: context)
          object.setValue("\(entity.origin)-\(number)", forKey: PlainModel.keyName(entity))
          for attribute in model.attributes(of: entity) {
            let isNil = attribute.isOptional && Int.random(in: 0..<4, using: &random) == 0
            object.setValue(
              isNil ? nil : Self.value(attribute, &random), forKey: attribute.name)
          }
          made.append((object, entity))
        }
      }
      for (object, entity) in made {
        for relationship in model.relationships(of: entity) {
          Self.relate(object, relationship, made, model, &random)
        }
      }
      try context.save()
    }
    self = try PlainContents(reading: fixture, model)
  }

  private static func relate(
    _ object: NSManagedObject, _ relationship: PlainModel.Relationship,
    _ objects: [(NSManagedObject, PlainModel.Entity)], _ model: PlainModel,
    _ random: inout SplitMix64
  ) {
    let candidates = objects.filter { model.isKind($0.1, of: relationship.destination) }
      .map(\.0).shuffled(using: &random)
    let chosen = candidates.prefix(Int.random(in: 0...3, using: &random))
    if !relationship.isToMany {
      if let first = chosen.first { object.setValue(first, forKey: relationship.name) }
    } else if relationship.isOrdered {
      object.setValue(NSOrderedSet(array: Array(chosen)), forKey: relationship.name)
    } else {
      object.setValue(NSSet(array: Array(chosen)), forKey: relationship.name)
    }
  }

  private static func value(
    _ attribute: PlainModel.Attribute, _ random: inout SplitMix64
  ) -> Any {
    let number = Int.random(in: -1000...1000, using: &random)
    switch attribute.type {
    case .booleanAttributeType: return number > 0
    case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType: return number
    case .doubleAttributeType, .floatAttributeType: return Double(number) / 4
    case .decimalAttributeType: return NSDecimalNumber(value: Double(number) / 4)
    case .stringAttributeType: return "text “\(number)” it's"
    case .dateAttributeType: return Date(timeIntervalSinceReferenceDate: Double(number))
    case .binaryDataAttributeType:
      // Some are long enough for a file.
      return Data(repeating: UInt8(abs(number) % 256), count: number % 3 == 0 ? 110_000 : 20)
    case .compositeAttributeType:
      var elements: [String: Any] = ["label": "\(number)"]
      if number % 5 != 0 { elements["number"] = number }
      if attribute.isLarge { elements["extra"] = Double(number) / 2 }
      return elements
    case .UUIDAttributeType:
      return UUID(uuidString: String(format: "01234567-89AB-CDEF-0123-%012X", abs(number)))!
    case .URIAttributeType: return URL(string: "https://example.org/\(number)")!
    default: return ["list", "\(number)"] as NSArray
    }
  }

  // MARK: - Reading

  init(reading fixture: StoreFixture, _ model: PlainModel) throws {
    let context = fixture.coordinator.makeContext()
    objects = try context.performAndWait {
      try model.entities.filter { !$0.isAbstract }.flatMap { entity in
        let request = NSFetchRequest<NSManagedObject>(entityName: entity.name)
        request.includesSubentities = false
        return try context.fetch(request).map { Self.object($0, entity, model) }
      }
    }
  }

  private static func object(
    _ object: NSManagedObject, _ entity: PlainModel.Entity, _ model: PlainModel
  ) -> Object {
    var found = Object(key: key(of: object, model), entity: entity.origin)
    for attribute in model.attributes(of: entity) {
      found.values[attribute.origin] = text(object.value(forKey: attribute.name))
    }
    for parent in model.chain(entity) where parent.derivesKey && model.hasDerivations {
      let derived = object.value(forKey: PlainModel.derivedName(parent)) as? String
      let key = object.value(forKey: PlainModel.keyName(parent)) as? String
      #expect(derived == key, "\(found.key): derived")
    }
    for parent in model.chain(entity) {
      guard let counted = model.counted(parent) else { continue }
      let members = object.value(forKey: counted.name)
      let count = (members as? NSOrderedSet)?.count ?? (members as? NSSet)?.count
      #expect(
        object.value(forKey: PlainModel.countName(parent)) as? Int == count,
        "\(found.key): counted \(counted.name)")
    }
    for relationship in model.relationships(of: entity) {
      let value = object.value(forKey: relationship.name)
      let members =
        (value as? NSManagedObject).map { [$0] } ?? (value as? NSOrderedSet)?.array
        ?? (value as? NSSet)?.allObjects ?? []
      let keys = members.compactMap { ($0 as? NSManagedObject).map { key(of: $0, model) } }
      found.members[relationship.origin] =
        relationship.isOrdered && relationship.isToMany ? keys : keys.sorted()
    }
    return found
  }

  private static func key(of object: NSManagedObject, _ model: PlainModel) -> String {
    guard let entity = model.entities.first(where: { $0.name == object.entity.name }) else {
      return "?"
    }
    return object.value(forKey: PlainModel.keyName(entity)) as? String ?? "?"
  }

  static func text(_ value: Any?) -> String {
    switch value {
    case nil: "nil"
    case let data as Data: "data(\(data.count): \(data.prefix(4).base64EncodedString()))"
    case let composite as [String: Any]:
      composite.filter { !($0.value is NSNull) }.map { "\($0.key): \($0.value)" }.sorted()
        .joined(separator: "; ")
    case let date as Date: "date(\(date.timeIntervalSinceReferenceDate))"
    case let array as NSArray: "\(array.map { "\($0)" })"
    case let value?: "\(value)"
    }
  }

  // MARK: - What a migration should leave

  func migrated(from old: PlainModel, to new: PlainModel) -> PlainContents {
    var result = self
    result.objects = objects.compactMap { object in
      guard let entity = new[object.entity], let before = old[object.entity] else { return nil }
      var moved = Object(key: object.key, entity: object.entity)
      for attribute in new.attributes(of: entity) {
        let value = object.values[attribute.origin]
        let standard = attribute.hasDefault ? PlainModel.defaultValue(attribute.type) : nil
        let isMissing = value == nil || (value == "nil" && !attribute.isOptional)
        moved.values[attribute.origin] =
          isMissing ? Self.text(standard) : value.map { Self.kept(of: $0, attribute) }
      }
      for relationship in new.relationships(of: entity) {
        let source = old.relationships(of: before).first { $0.origin == relationship.origin }
        let kept = (object.members[relationship.origin] ?? []).filter { key in
          let origin = Int(key.prefix { $0 != "-" }) ?? 0
          return new[origin].map { new.isKind($0, of: relationship.destination) } ?? false
        }
        let isOrdered = relationship.isOrdered && relationship.isToMany
        let wasOrdered = (source?.isOrdered ?? false) && (source?.isToMany ?? false)
        // Without an order before there is none to be kept, only one to be had.
        moved.members[relationship.origin] = isOrdered && wasOrdered ? kept : kept.sorted()
      }
      return moved
    }
    return result
  }

  /// What is left of a composite value that has an element less.
  private static func kept(of value: String, _ attribute: PlainModel.Attribute) -> String {
    guard attribute.type == .compositeAttributeType, !attribute.isLarge else { return value }
    return value.components(separatedBy: "; ").filter { !$0.hasPrefix("extra: ") }
      .joined(separator: "; ")
  }

  /// The same after code between two stages, which marks all keys.
  var marked: PlainContents {
    var result = self
    result.objects = objects.map { object in
      var marked = Object(key: object.key + "*", entity: object.entity)
      marked.values = object.values
      marked.members = object.members.mapValues { $0.map { $0 + "*" } }
      return marked
    }
    return result
  }

  /// The same without the order of relationships that had none before.
  func withoutNewOrder(from old: PlainModel, to new: PlainModel) -> PlainContents {
    var result = self
    let ordered = Set(
      old.entities.flatMap(\.relationships).filter { $0.isOrdered && $0.isToMany }.map(\.origin))
    for index in result.objects.indices {
      for (origin, members) in result.objects[index].members where !ordered.contains(origin) {
        result.objects[index].members[origin] = members.sorted()
      }
    }
    return result
  }
}
