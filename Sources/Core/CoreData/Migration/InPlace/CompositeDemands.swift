/// The requirements of the new model for composite attributes of existing rows:
///
///     a mandatory composite    one of its elements has a value
///     a mandatory element      it has a value if an element of its composite has one
///
/// As for plain attributes, a value that is newly required and missing gets its default: an element
/// its own, a composite those of all its elements. A value that is still missing then is an error.
struct CompositeDemands {
  let entity: EntityMigration

  private var layout: EntityLayout { entity.new.layout }

  private typealias Composite = EntityLayout.Composite

  // MARK: - Demands

  var demands: [MandatoryValues.Demand] {
    layout.composites.flatMap { composite -> [MandatoryValues.Demand] in
      let slots = stored(composite.slots)
      let elements = composite.elements.compactMap {
        element(of: composite, slots, place: $0.place)
      }
      guard !composite.isElement, isDemanded(composite), !slots.isEmpty else { return elements }
      return [demand(composite, slots: slots)] + elements
    }
  }

  private func demand(
    _ composite: Composite, slots: [Int], of companions: [Int]? = nil
  ) -> MandatoryValues.Demand {
    .init(
      name: composite.path, property: composite.attribute, slots: slots, companions: companions,
      entity: entity)
  }

  private func element(
    of composite: Composite, _ companions: [Int], place: EntityLayout.Place
  ) -> MandatoryValues.Demand? {
    switch place {
    case .slot(let index):
      let slot = layout.slots[index]
      guard !slot.property.isOptional, entity.new.columns[index] != nil,
        slot.defaultValue.isNull, wasOptional(index) || mayAppear(composite)
      else { return nil }
      return .init(
        name: slot.name, property: slot.property, slots: [index], companions: companions,
        entity: entity)
    case .composite(let index):
      let nested = layout.composites[index]
      let slots = stored(nested.slots)
      guard !nested.attribute.isOptional, !slots.isEmpty,
        isDemanded(nested) || mayAppear(composite)
      else { return nil }
      return demand(nested, slots: slots, of: companions)
    default: return nil
    }
  }

  /// Returns whether a value is newly required: the old attribute was optional, or elements that
  /// had the value are removed.
  private func isDemanded(_ composite: Composite) -> Bool {
    guard !composite.attribute.isOptional else { return false }
    guard let old = oldComposite(composite), !old.attribute.isOptional else { return true }
    return old.slots.count > composite.slots.filter { oldSlot($0) != nil }.count
  }

  /// Returns whether a composite that was nil may get a value, from defaults.
  private func mayAppear(_ composite: Composite) -> Bool {
    let isRequired = layout.composites.contains {
      isDemanded($0) && $0.slots.overlaps(composite.slots)
    }
    return composite.slots.contains {
      !layout.slots[$0].defaultValue.isNull
        && (isRequired || oldSlot($0) == nil && !joinsValue($0))
    }
  }

  /// Returns whether a slot is a new element of an existing composite whose value otherwise stays:
  /// see ``NSCompositeAttributeDescription/newElementValues``.
  func joinsValue(_ slot: Int) -> Bool {
    guard let index = layout.slots[slot].composite, oldSlot(slot) == nil else { return false }
    let outermost = layout.composites[index]
    return outermost.attribute.isSwiftValue && oldComposite(outermost) != nil
  }

  // MARK: - Defaults

  /// The slots that get a default, with SQL for their values. `values` has SQL for the values
  /// without defaults, `standard` returns SQL for the default of a slot, and `literal` SQL for a
  /// given value of a slot.
  func filled(
    _ values: [Int: SQLFragment], standard: (Int) throws -> SQLFragment?,
    literal: (Int, Any) throws -> SQLFragment?
  ) throws -> [Int: SQLFragment] {
    var filled: [Int: SQLFragment] = [:]
    func anyValue(_ composite: Composite) -> SQLFragment {
      let some = composite.slots.compactMap { slot in
        values[slot].map { "(\($0)) IS NOT NULL" as SQLFragment }
      }
      return some.isEmpty ? .no : "(\(some.joined(separator: " OR ")))"
    }
    func joined(
      _ slot: Int, _ isNew: SQLFragment?, _ composite: Composite, _ name: String,
      _ given: [String: Any]?
    ) throws -> SQLFragment? {
      var cases: [SQLFragment] = []
      if let isNew,
        let value = try standard(slot) ?? given?[name].flatMap({ try literal(slot, $0) })
      {
        cases.append("WHEN \(isNew) THEN \(value)")
      }
      if let new = composite.attribute.newElementValues?[name], let value = try literal(slot, new) {
        cases.append("WHEN \(anyValue(composite)) THEN \(value)")
      }
      return cases.isEmpty ? nil : "CASE \(cases.joined(separator: " ")) END"
    }
    // `isNew` is the condition for all elements to get their defaults, `isThere` the condition for
    // the composite to have a value. `given` has the values for elements without a default in the
    // first case.
    func fill(
      _ composite: Composite, isNew: SQLFragment?, isThere: SQLFragment,
      given: [String: Any]? = nil
    ) throws {
      for (name, place) in composite.elements {
        switch place {
        case .slot(let slot) where joinsValue(slot):
          filled[slot] = try joined(slot, isNew, composite, name, given)
        case .slot(let slot):
          var conditions = [isNew].compactMap(\.self)
          if !layout.slots[slot].property.isOptional, oldSlot(slot) != nil,
            wasOptional(slot) || mayAppear(composite)
          {
            conditions.append(isThere)
          }
          guard let value = values[slot], !conditions.isEmpty, let standard = try standard(slot)
          else { continue }
          filled[slot] = """
            CASE WHEN (\(value)) IS NULL AND (\(conditions.joined(separator: " OR "))) \
            THEN \(standard) ELSE \(value) END
            """
        case .composite(let index):
          let nested = layout.composites[index]
          let some = anyValue(nested)
          let isMissing: SQLFragment? =
            isDemanded(nested) || !nested.attribute.isOptional && mayAppear(composite)
            ? "(\(isThere) AND NOT \(some))" : nil
          let reasons = [isNew, isMissing].compactMap(\.self)
          let values = (given ?? composite.attribute.newElementValues)?[name] as? [String: Any]
          try fill(
            nested, isNew: reasons.isEmpty ? nil : "(\(reasons.joined(separator: " OR ")))",
            isThere: some, given: oldComposite(nested) == nil ? values : nil)
        default: break
        }
      }
    }
    for composite in layout.composites where !composite.isElement {
      let some = anyValue(composite)
      if isDemanded(composite) {
        try fill(composite, isNew: "NOT \(some)", isThere: .yes)
      } else {
        try fill(composite, isNew: nil, isThere: some)
      }
    }
    return filled
  }

  // MARK: - Old schema

  private func oldSlot(_ slot: Int) -> EntityLayout.Slot? {
    entity.oldSlot(layout.slots[slot])?.slot
  }

  private func wasOptional(_ slot: Int) -> Bool { oldSlot(slot)?.property.isOptional ?? true }

  private func oldComposite(_ composite: Composite) -> Composite? {
    guard let old = entity.old?.layout, let path = entity.oldPath(composite.path),
      case .composite(let index) = old.place(of: path)
    else { return nil }
    return old.composites[index]
  }

  private func stored(_ slots: Range<Int>) -> [Int] {
    slots.filter { entity.new.columns[$0] != nil }
  }
}
