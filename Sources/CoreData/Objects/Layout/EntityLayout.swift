import Synchronization

/// The frozen shape of an entity's objects: where each property lives.
///
/// Attributes and to-one relationships have a *slot* in the row; to-many relationships have a place
/// in the object's table of members. Both are numbered with the superclass's properties first, so
/// that a number found on an entity holds for its subentities too. Within one entity's own
/// properties the order is by name. Made once per entity when its model is frozen; immutable and
/// shared by every thread from then on.
///
/// A composite attribute has no slot of its own: each of its elements has one, named by its key path,
/// side by side in the order of ``NSCompositeAttributeDescription/elements``, nested ones in place:
///
///     location: lat, lon, address: city     slots     location.lat │ location.lon │ location.address.city
///                                           composites   location ├─────────────────────────────────────┤
///                                                        location.address             ├────────────────┤
///
/// To a store these are slots like all others, with the element as their ``Slot/property``; two
/// composites may have elements of the same names, so a slot's name is its ``Slot/name``. A composite
/// whose elements are all nil is nil.
package final class EntityLayout: @unchecked Sendable {
  /// A slot of the row.
  package struct Slot {
    /// The property's name; for an element of a composite attribute the key path that leads to it.
    package let name: String
    package let property: NSPropertyDescription
    package let kind: Kind
    /// The number of the attribute among ``EntityLayout/composites`` that this is an element of, the
    /// outermost one; nil for every other slot.
    package let composite: Int?
    /// Whether a store keeps this slot.
    package let isStored: Bool
    /// Whether the model demands anything of the value.
    let hasRules: Bool
    /// The value in a new object's row.
    package let defaultValue: Value
  }

  package enum Kind: Equatable {
    case attribute(NSAttributeType)
    case toOne
  }

  /// Where a property's values are kept.
  package enum Place: Equatable {
    case slot(Int)
    case composite(Int)
    case toMany(Int)
    case fetched(Int)
  }

  /// A composite attribute, or a composite element of one.
  package struct Composite {
    /// The key path that leads to it; its name when it is no element itself.
    package let path: String
    package let attribute: NSCompositeAttributeDescription
    /// All its elements, those of nested composites among them.
    package let slots: Range<Int>
    /// Its own elements.
    package let elements: [(name: String, place: Place)]
  }

  package let entity: NSEntityDescription
  /// Whether this is the layout of a probe's entity, whose one slot stands for a property of any name. Set
  /// by its maker.
  var answersAnyName = false
  /// The same, without a reference of its own.
  let uncountedEntity: Unmanaged<NSEntityDescription>
  /// 1… by a depth-first walk: roots by name, case-insensitively, each followed by its subentities
  /// (the numbering that a fresh store gets as `Z_ENT`).
  package let number: Int
  /// The number of the root of this entity's inheritance tree: objects of one tree share their keys.
  package let rootNumber: Int
  package let slots: [Slot]
  /// Composite attributes, each followed by the composites nested in it.
  package let composites: [Composite]
  package let toMany: [NSRelationshipDescription]
  /// Whether the model demands anything of the members.
  let toManyHasRules: [Bool]
  package let fetched: [NSFetchedPropertyDescription]
  /// What transient attributes hold after a read: slot and default, for those that have one.
  let transientDefaults: [(slot: Int, value: Value)]
  let transientSlots: [Int]
  let hasTransientSlots: Bool
  let storedSlots: [Int]
  /// A bit for each of them; nil where there are more slots than bits.
  let storedSlotBits: UInt64?
  /// What a new object's slots hold.
  package let defaults: [Value]
  /// The slots that are validated one by one: all but the elements of composite attributes.
  let ownSlots: [Int]
  /// Whether the model demands anything at all of an object's values.
  let hasRules: Bool
  /// The slots of which the model demands anything, without those of composite attributes, and whether it is
  /// no more than that there be a value.
  let slotRules: [(slot: Int, isPresenceAlone: Bool)]
  /// Whether it has no objects of its own, only those of its subentities.
  let isAbstract: Bool
  /// Whether objects of other entities share keys with this one's.
  let isInTree: Bool
  /// How rows keep the slots.
  var format: UnsafePointer<RowFormat> { madeFormat.unsafelyUnwrapped }
  // Set by `init` alone, as its last step.
  private var madeFormat: UnsafePointer<RowFormat>?
  /// By slot; nil for attributes.
  private(set) var slotRelations: [Relation?] = []
  /// By the number of the to-many relationship.
  private(set) var toManyRelations: [Relation] = []
  /// All of them, to-one before to-many.
  private(set) var relations: [Relation] = []
  /// Whether some relationship forbids that its object be deleted.
  private(set) var denies = false
  /// Makes objects of the entity's class; found when the first one is needed.
  let objectClass: ObjectClass
  /// Distinguishes layouts in the caches of ``ManagedProperty``; never 0.
  package let serial: UInt32
  private let places: [String: Place]
  /// Whether objects are `Observable`. Written once, read for each object that is made.
  private let observability = Atomic<UInt8>(Observability.unknown.rawValue)

  enum Observability: UInt8 { case unknown, observable, none }

  @inline(__always)
  var objectObservability: Observability {
    get { Observability(rawValue: observability.load(ordering: .relaxed)) ?? .unknown }
    set { observability.store(newValue.rawValue, ordering: .relaxed) }
  }

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
    var plan = LayoutPlan()
    for property in Self.properties(of: entity) { plan.add(property) }
    let slots = plan.slots
    self.entity = entity
    uncountedEntity = .passUnretained(entity)
    self.number = number
    self.rootNumber = rootNumber
    self.slots = slots
    composites = plan.composites
    toMany = plan.toMany
    toManyHasRules = plan.toMany.map(\.hasRules)
    fetched = plan.fetched
    places = plan.places
    transientSlots = slots.indices.filter { !slots[$0].isStored }
    hasTransientSlots = !transientSlots.isEmpty
    storedSlots = slots.indices.filter { slots[$0].isStored }
    storedSlotBits =
      slots.count > 64 ? nil : storedSlots.reduce(0) { bits, slot in bits | 1 << UInt64(slot) }
    let defaults = slots.map(\.defaultValue)
    self.defaults = defaults
    transientDefaults = transientSlots.filter { !defaults[$0].isNull }.map { ($0, defaults[$0]) }
    objectClass = ObjectClass(entity: entity)
    serial = Self.nextSerial.wrappingAdd(1, ordering: .relaxed).newValue
    let ownSlots = slots.indices.filter { slots[$0].composite == nil }
    self.ownSlots = ownSlots
    slotRules = ownSlots.filter { slots[$0].hasRules }.map {
      ($0, slots[$0].property.validationPredicates.isEmpty)
    }
    hasRules = !slotRules.isEmpty || !plan.composites.isEmpty || toManyHasRules.contains(true)
    isAbstract = entity.isAbstract
    isInTree = entity.superentity != nil || !entity.subentities.isEmpty
    madeFormat = RowFormat.make(self, slots.map(\.kind))
  }

  /// The last step of making the layouts of a model: they know each other. Called once, before anybody else
  /// sees this layout.
  func join(_ layouts: [ObjectIdentifier: EntityLayout]) {
    slotRelations = slots.enumerated().map { slot, description in
      guard let relationship = description.property as? NSRelationshipDescription else {
        return nil
      }
      return Relation(relationship, .slot(slot), layouts)
    }
    toManyRelations = toMany.enumerated().map { Relation($1, .toMany($0), layouts) }
    relations = slotRelations.compactMap { $0 } + toManyRelations
    denies = relations.contains { $0.deleteRule == .denyDeleteRule }
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
