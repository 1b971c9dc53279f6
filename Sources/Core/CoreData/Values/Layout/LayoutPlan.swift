/// Assigns places to the properties of an entity, one after the other.
///
/// Used by the initializer of ``EntityLayout``.
struct LayoutPlan {
  private(set) var slots: [EntityLayout.Slot] = []
  private(set) var composites: [EntityLayout.Composite] = []
  private(set) var toMany: [NSRelationshipDescription] = []
  private(set) var fetched: [NSFetchedPropertyDescription] = []
  private(set) var places: [String: EntityLayout.Place] = [:]

  mutating func add(_ property: NSPropertyDescription) {
    switch property {
    case let attribute as NSAttributeDescription:
      let element = Element(
        path: property.name, isTransient: property.isTransient, outermost: nil,
        value: attribute.defaultValue)
      add(attribute, element: element)
    case let relationship as NSRelationshipDescription where relationship.isToMany:
      places[property.name] = .toMany(toMany.count)
      toMany.append(relationship)
    case is NSRelationshipDescription:
      places[property.name] = .slot(slots.count)
      slots.append(.init(toOne: property))
    case let property as NSFetchedPropertyDescription:
      places[property.name] = .fetched(fetched.count)
      fetched.append(property)
    default: break
    }
  }

  /// An attribute with the properties that it inherits from the composites around it.
  fileprivate struct Element {
    let path: String
    let isTransient: Bool
    let outermost: Int?
    /// The default value.
    let value: Any?
  }

  @discardableResult
  private mutating func add(
    _ attribute: NSAttributeDescription, element: Element
  ) -> EntityLayout.Place {
    if let composite = attribute as? NSCompositeAttributeDescription {
      return add(composite, element: element)
    }
    let place = EntityLayout.Place.slot(slots.count)
    places[element.path] = place
    slots.append(.init(attribute, element: element))
    return place
  }

  /// Adds a composite before its nested composites, and its elements once they have places.
  private mutating func add(
    _ composite: NSCompositeAttributeDescription, element: Element
  ) -> EntityLayout.Place {
    let index = composites.count
    let first = slots.count
    places[element.path] = .composite(index)
    composites.append(
      .init(path: element.path, attribute: composite, slots: first..<first, elements: []))
    let defaults = element.value as? [String: Any]
    let elements = composite.elements.map { attribute in
      let part = Element(
        path: "\(element.path).\(attribute.name)",
        isTransient: element.isTransient || attribute.isTransient,
        outermost: element.outermost ?? index,
        value: defaults?[attribute.name] ?? attribute.defaultValue)
      return (name: attribute.name, place: add(attribute, element: part))
    }
    composites[index] = .init(
      path: element.path, attribute: composite, slots: first..<slots.count, elements: elements)
    return .composite(index)
  }
}

extension EntityLayout.Slot {
  fileprivate init(toOne relationship: NSPropertyDescription) {
    self.init(
      name: relationship.name, property: relationship, kind: .toOne, composite: nil,
      isStored: !relationship.isTransient, hasRules: relationship.hasRules, defaultValue: .null)
  }

  /// A default of another type than the attribute's counts as none, as in Apple's models.
  fileprivate init(_ attribute: NSAttributeDescription, element: LayoutPlan.Element) {
    let type = attribute.attributeType
    self.init(
      name: element.path, property: attribute, kind: .attribute(type),
      composite: element.outermost, isStored: !element.isTransient, hasRules: attribute.hasRules,
      defaultValue: (try? Value(element.value, type: type, name: attribute.name)) ?? .null)
  }
}

extension EntityLayout.Slot {
  /// The slot of an attribute with another default.
  func with(defaultValue: Any) -> EntityLayout.Slot {
    guard case .attribute(let type) = kind else { return self }
    return .init(
      name: name, property: property, kind: kind, composite: composite, isStored: isStored,
      hasRules: hasRules,
      defaultValue: (try? Value(defaultValue, type: type, name: name)) ?? .null)
  }
}

extension NSPropertyDescription {
  /// Whether the model has validation rules for the value.
  fileprivate var hasRules: Bool { !isOptional || !validationPredicates.isEmpty }
}
