import Synchronization

/// The immutable layout of an entity's objects: the place of each property.
///
/// Attributes and to-one relationships have a *slot* in the row; to-many relationships have an
/// index in the object's table of members. Both are numbered with the superclass's properties
/// first, so that a number of an entity is valid for its subentities. An entity's own properties
/// are ordered by name. Made once per entity when its model is frozen.
///
/// Sendable: immutable once `join(_:)` has run, before other threads see it; `observability` is
/// atomic; `answersAnyName` is set by its maker.
///
/// A composite attribute has no slot of its own. Each of its elements has one, named by its key
/// path, in the order of ``NSCompositeAttributeDescription/elements``; nested elements are inserted
/// in place:
///
///     location: lat, lon, address: city
///
///     slots        location.lat │ location.lon │ location.address.city
///     composites   location ├────────────────────────────────────────┤
///                  location.address              ├───────────────────┤
///
/// To a store these are ordinary slots, with the element as ``Slot/property``. Two composites may
/// have elements of the same name, so a slot is named by ``Slot/name``. A composite whose elements
/// are all nil is nil.
package final class EntityLayout: @unchecked Sendable {
  /// A slot of the row.
  package struct Slot {
    /// The property's name; for an element of a composite attribute, its key path.
    package let name: String
    package let property: NSPropertyDescription
    package let kind: Kind
    /// The index in ``EntityLayout/composites`` of the outermost composite attribute that contains
    /// this element; nil for other slots.
    package let composite: Int?
    /// Whether a store keeps this slot.
    package let isStored: Bool
    /// Whether a save refuses an object without a value; of an element of a composite attribute, an
    /// object whose composite has others. The store computes derived attributes afterwards.
    package var isMandatory: Bool {
      isStored && !property.isOptional && !(property is NSDerivedAttributeDescription)
    }
    /// Whether the model has validation rules for the value.
    let hasRules: Bool
    /// The value in a new object's row.
    package let defaultValue: Value
  }

  package enum Kind: Equatable {
    case attribute(NSAttributeType)
    case toOne
  }

  /// The location of a property's values.
  package enum Place: Equatable {
    case slot(Int)
    case composite(Int)
    case toMany(Int)
    case fetched(Int)
  }

  /// A composite attribute, or a composite element of one.
  package struct Composite {
    /// The key path of the composite; its name if it is no element.
    package let path: String
    package let attribute: NSCompositeAttributeDescription
    /// The slots of all elements, including those of nested composites.
    package let slots: Range<Int>
    /// The direct elements.
    package let elements: [(name: String, place: Place)]
  }

  package let entity: NSEntityDescription
  /// Whether this is the layout of a probe's entity, whose only slot stands for a property of any
  /// name. Set by its maker.
  var answersAnyName = false
  /// Unretained `entity`. Sound: `entity` keeps it alive.
  let uncountedEntity: Unmanaged<NSEntityDescription>
  /// Numbered from 1 by a depth-first walk: roots by name, case-insensitively, each followed by its
  /// subentities. A new store uses the number as `Z_ENT`.
  package let number: Int
  /// The number of the root of the inheritance tree, whose objects share their keys.
  package let rootNumber: Int
  package let slots: [Slot]
  /// Composite attributes, each followed by the composites nested in it.
  package let composites: [Composite]
  package let toMany: [NSRelationshipDescription]
  /// Whether the model has validation rules for the members, by to-many number.
  let toManyHasRules: [Bool]
  package let fetched: [NSFetchedPropertyDescription]
  /// The values of transient attributes after a read: slot and default, for those with a default.
  let transientDefaults: [(slot: Int, value: Value)]
  let transientSlots: [Int]
  let hasTransientSlots: Bool
  let storedSlots: [Int]
  /// One bit for each stored slot; nil if there are more slots than bits.
  let storedSlotBits: UInt64?
  /// The values of a new object's slots.
  package let defaults: [Value]
  /// The slots that are validated individually: all but the elements of composite attributes.
  let ownSlots: [Int]
  /// Whether the model has any validation rules for the entity's objects.
  let hasRules: Bool
  /// The slots with validation rules, except those of composite attributes, and whether the only
  /// rule is that the value is not nil.
  let slotRules: [(slot: Int, isPresenceAlone: Bool)]
  /// Whether only subentities have objects.
  let isAbstract: Bool
  /// Whether objects of other entities share keys with this entity's.
  let isInTree: Bool
  /// The format of the entity's rows; never freed.
  var format: UnsafePointer<RowFormat> { madeFormat.unsafelyUnwrapped }
  // Set only by the last step of `init`.
  private var madeFormat: UnsafePointer<RowFormat>?
  /// By slot; nil for attributes.
  private(set) var slotRelations: [Relation?] = []
  /// By the number of the to-many relationship.
  private(set) var toManyRelations: [Relation] = []
  /// All relations, to-one before to-many.
  private(set) var relations: [Relation] = []
  /// Whether a relationship has the delete rule Deny.
  private(set) var denies = false
  /// Makes objects of the entity's class, which is looked up for the first object.
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

  /// The slot of a to-one relationship in the rows of this entity.
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
    madeFormat = RowFormat.make(self, kinds: slots.map(\.kind))
  }

  /// Adds the relations to the other layouts of the model: the last step of making them. Called
  /// once, before other threads see the layout.
  func join(_ layouts: [ObjectIdentifier: EntityLayout]) {
    slotRelations = slots.enumerated().map { slot, description in
      guard let relationship = description.property as? NSRelationshipDescription else {
        return nil
      }
      return Relation(relationship, place: .slot(slot), layouts: layouts)
    }
    toManyRelations = toMany.enumerated().map { Relation($1, place: .toMany($0), layouts: layouts) }
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
