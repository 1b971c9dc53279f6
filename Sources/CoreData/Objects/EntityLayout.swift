import Synchronization

/// The frozen shape of an entity's objects: where each property lives.
///
/// Attributes and to-one relationships have a *slot* in the row; to-many relationships have a place
/// in the object's table of members. Both are numbered with the superclass's properties first, so
/// that a number found on an entity holds for its subentities too. Within one entity's own
/// properties the order is by name. Made once per entity when its model is frozen; immutable and
/// shared by every thread from then on.
package final class EntityLayout: @unchecked Sendable {
  /// A slot of the row.
  package struct Slot {
    package let name: String
    package let property: NSPropertyDescription
    package let kind: Kind
    /// Whether the model demands anything of the value.
    let hasRules: Bool

    init(property: NSPropertyDescription, kind: Kind) {
      name = property.name
      self.property = property
      self.kind = kind
      hasRules = !property.isOptional || !property.validationPredicates.isEmpty
    }
  }

  package enum Kind: Equatable {
    case attribute(NSAttributeType)
    case toOne
  }

  /// Where a property's values are kept.
  package enum Place: Equatable {
    case slot(Int)
    case toMany(Int)
    case fetched(Int)
  }

  package let entity: NSEntityDescription
  /// 1… by a depth-first walk: roots by name, case-insensitively, each followed by its subentities
  /// (the numbering that a fresh store gets as `Z_ENT`).
  package let number: Int
  /// The number of the root of this entity's inheritance tree: objects of one tree share their keys.
  package let rootNumber: Int
  package let slots: [Slot]
  package let toMany: [NSRelationshipDescription]
  package let fetched: [NSFetchedPropertyDescription]
  /// What transient attributes hold after a read: slot and default, for those that have one.
  let transientDefaults: [(slot: Int, value: Value)]
  let transientSlots: [Int]
  /// What a new object's slots hold.
  let defaults: [Value]
  /// Makes objects of the entity's class; found when the first one is needed.
  let objectClass: ObjectClass
  /// Distinguishes layouts in the caches of ``ManagedProperty``; never 0.
  package let serial: UInt32
  private let places: [String: Place]

  package func place(of name: String) -> Place? { places[name] }

  package func slot(of name: String) -> Int? {
    if case .slot(let index) = places[name] { index } else { nil }
  }

  package func relationship(toMany index: Int) -> NSRelationshipDescription { toMany[index] }

  /// The slot of a to-one relationship that this object's row has for `relationship`.
  package func slot(of relationship: NSRelationshipDescription) -> Int? {
    slot(of: relationship.name)
  }

  init(entity: NSEntityDescription, number: Int, rootNumber: Int) {
    var slots: [Slot] = []
    var toMany: [NSRelationshipDescription] = []
    var fetched: [NSFetchedPropertyDescription] = []
    var places: [String: Place] = [:]
    for property in Self.properties(of: entity) {
      switch property {
      case let attribute as NSAttributeDescription:
        places[property.name] = .slot(slots.count)
        let kind = Kind.attribute(attribute.attributeType)
        slots.append(Slot(property: property, kind: kind))
      case let relationship as NSRelationshipDescription where relationship.isToMany:
        places[property.name] = .toMany(toMany.count)
        toMany.append(relationship)
      case is NSRelationshipDescription:
        places[property.name] = .slot(slots.count)
        slots.append(Slot(property: property, kind: .toOne))
      case let property as NSFetchedPropertyDescription:
        places[property.name] = .fetched(fetched.count)
        fetched.append(property)
      default:
        break
      }
    }
    self.entity = entity
    self.number = number
    self.rootNumber = rootNumber
    self.slots = slots
    self.toMany = toMany
    self.fetched = fetched
    self.places = places
    transientSlots = slots.indices.filter { slots[$0].property.isTransient }
    let defaults = slots.map(\.defaultValue)
    self.defaults = defaults
    transientDefaults = transientSlots.filter { !defaults[$0].isNull }.map { ($0, defaults[$0]) }
    objectClass = ObjectClass(entity: entity)
    serial = Self.nextSerial.wrappingAdd(1, ordering: .relaxed).newValue
  }

  private static let nextSerial = Atomic<UInt32>(0)

  /// Own and inherited properties, the root's first.
  private static func properties(of entity: NSEntityDescription) -> [NSPropertyDescription] {
    let inherited = entity.superentity.map(properties(of:)) ?? []
    let inheritedNames = Set(inherited.map(\.name))
    let own = entity.propertiesByName.values.filter { !inheritedNames.contains($0.name) }
    return inherited + own.sorted { $0.name < $1.name }
  }
}

extension EntityLayout.Slot {
  /// The model's default; null for relationships and for attributes without one.
  var defaultValue: Value {
    guard case .attribute(let type) = kind, let attribute = property as? NSAttributeDescription
    else { return .null }
    return (try? Value(attribute.defaultValue, type: type, name: name)) ?? .null
  }

  /// Whether a store keeps this slot.
  package var isStored: Bool { !property.isTransient }
}
