/// The plan for converting the rows of one entity to rows of another. Only for mappings that copy
/// properties.
struct EntityRowPlan {
  enum Source {
    case attribute(slot: Int)
    case toOne(slot: Int, mapping: String?)
  }

  /// Members that are not in a slot: those of a many-to-many or ordered relationship, or of one
  /// without an inverse.
  struct Members {
    let relationship: NSRelationshipDescription
    let source: NSRelationshipDescription
    let mapping: String?
  }

  let mapping: NSEntityMapping
  let source: EntityLayout
  let destination: EntityLayout
  /// The sources by slots of the destination; nil leaves the default.
  private(set) var sources: [Source?]
  private(set) var members: [Members] = []
  /// The source of each relationship, by name.
  private(set) var relationships:
    [String: (relationship: NSRelationshipDescription, mapping: String?)] = [:]
  /// Slots that keep their default if the source is nil, as in an inferred mapping.
  private(set) var filled: Set<Int> = []
  /// Slots that must have a value.
  let required: [Int]

  /// Returns nil for a mapping that requires objects: with other expressions, to an entity with
  /// validation rules or with derived attributes.
  init?(
    _ mapping: NSEntityMapping, from source: EntityLayout, to destination: EntityLayout,
    isInferred: Bool
  ) {
    guard !destination.isAbstract, Self.isFetch(mapping.sourceExpression, source: source),
      destination.slotRules.allSatisfy(\.isPresenceAlone),
      !destination.toManyHasRules.contains(true),
      destination.composites.allSatisfy(\.attribute.isOptional),
      !destination.slots.contains(where: {
        $0.property is NSDerivedAttributeDescription || $0.composite != nil && $0.hasRules
      })
    else { return nil }
    (self.mapping, self.source, self.destination) = (mapping, source, destination)
    required = destination.slotRules.map(\.slot)
    sources = Array(repeating: nil, count: destination.slots.count)
    for property in mapping.attributeMappings ?? [] {
      guard addAttribute(property, isInferred: isInferred) else { return nil }
    }
    for property in mapping.relationshipMappings ?? [] {
      guard addRelationship(property) else { return nil }
    }
  }

  private static func isFetch(_ expression: NSExpression?, source: EntityLayout) -> Bool {
    expression.map { $0 == MappingInference.fetch(source.entity.name ?? "") } ?? true
  }

  // MARK: - Attributes

  private mutating func addAttribute(_ property: NSPropertyMapping, isInferred: Bool) -> Bool {
    guard let expression = property.valueExpression, let name = property.name else { return true }
    guard let key = expression.sourceKey else { return false }
    let slots = destination.slots.indices.filter {
      destination.slots[$0].name == name || destination.slots[$0].name.hasPrefix("\(name).")
    }
    guard !slots.isEmpty, let old = source.entity.attributesByName[key],
      let new = destination.entity.attributesByName[name]
    else { return false }
    for slot in slots {
      let target = destination.slots[slot]
      let elements = target.name.dropFirst(name.count).split(separator: ".")
      // A new element keeps its default.
      guard let path = ModelMatch.formerPath(of: elements, old, new: new) else { continue }
      guard let index = source.slot(of: path), Self.areAlike(source.slots[index], target: target)
      else { return false }
      sources[slot] = .attribute(slot: index)
      if isInferred, target.composite == nil, !target.property.isOptional { filled.insert(slot) }
    }
    return true
  }

  private static func areAlike(_ source: EntityLayout.Slot, target: EntityLayout.Slot) -> Bool {
    guard let one = source.property as? NSAttributeDescription, source.isStored,
      let other = target.property as? NSAttributeDescription, target.isStored,
      (source.composite == nil) == (target.composite == nil)
    else { return false }
    return one.attributeType == other.attributeType
      && one.valueTransformerName == other.valueTransformerName
  }

  // MARK: - Relationships

  private mutating func addRelationship(_ property: NSPropertyMapping) -> Bool {
    guard let expression = property.valueExpression, let name = property.name else { return true }
    guard let members = expression.migratedMembers,
      let relationship = destination.entity.relationshipsByName[name],
      let old = source.entity.relationshipsByName[members.key],
      relationship.isToMany || !old.isToMany
    else { return false }
    // Transient relationships are in no store, so there is nothing to copy.
    if relationship.isTransient || old.isTransient { return true }
    relationships[name] = (old, members.mapping)
    if let slot = destination.slot(of: name) {
      guard let index = source.slot(of: members.key) else { return false }
      sources[slot] = .toOne(slot: index, mapping: members.mapping)
    } else if relationship.speaks {
      self.members.append(
        Members(relationship: relationship, source: old, mapping: members.mapping))
    }
    return true
  }
}

extension NSExpression {
  /// The relationship of the source, and the mapping whose objects count (nil for all), in a call
  /// of `destinationInstancesForSourceRelationshipNamed:` or
  /// `destinationInstancesForEntityMappingNamed:`. Nil for other expressions.
  fileprivate var migratedMembers: (key: String, mapping: String?)? {
    guard case .message(let receiver, let selector, let arguments) = content,
      case .variable(NSMigrationManagerKey) = receiver.content, arguments.count == 2,
      case .constant(let first as String) = arguments[0].content, let key = arguments[1].sourceKey
    else { return nil }
    return switch selector {
    case "destinationInstancesForSourceRelationshipNamed:sourceInstances:": (key, nil)
    case "destinationInstancesForEntityMappingNamed:sourceInstances:": (key, first)
    default: nil
    }
  }
}
