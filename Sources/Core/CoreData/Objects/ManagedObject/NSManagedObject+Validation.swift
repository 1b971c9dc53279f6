extension NSManagedObject {
  /// Checks all rules of all properties, and throws the broken ones as one error.
  final func checkAllRules() throws {
    var errors: [any Error] = []
    func collect(_ check: () throws -> Void) {
      do { try check() } catch { errors.append(error) }
    }
    if Self.seesValidatedValues {
      askAboutAllValues(collect)
    } else {
      checkModel(collect)
    }
    if !errors.isEmpty { throw CoreDataError.combined(errors) }
  }

  /// Whether the class sees the values that a save validates.
  static var seesValidatedValues: Bool {
    !OverriddenMethods(of: self).isDisjoint(with: [.validateValue, .validateByPointer])
      || NamedMembers.validates(self)
  }

  /// Whether the class overrides validation in the form of Apple's method.
  static var validatesByPointer: Bool { OverriddenMethods(of: self).contains(.validateByPointer) }

  /// Checks the model's rules without showing values to the class.
  private func checkModel(_ collect: (() throws -> Void) -> Void) {
    for rule in layout.slotRules
    where !(rule.isPresenceAlone && readableRow.holdsPlainValue(rule.slot)) {
      collect {
        try checkSlotRules(layout.slots[rule.slot], value: modelledValue(.slot(rule.slot)))
      }
    }
    for (index, composite) in layout.composites.enumerated() where !composite.isElement {
      collect { try checkCompositeRules(composite, value: modelledValue(.composite(index))) }
    }
    for index in layout.toMany.indices where layout.toManyHasRules[index] {
      collect { try checkCounts(layout.toMany[index], members: modelledValue(.toMany(index))) }
    }
  }

  /// Shows each value to the class, which may replace it.
  private func askAboutAllValues(_ collect: (() throws -> Void) -> Void) {
    for slot in layout.ownSlots { collect { try checkValue(slot) } }
    for (index, composite) in layout.composites.enumerated() where !composite.isElement {
      collect { try checkComposite(index) }
    }
    let changed = editedRelationships()
    for index in layout.toMany.indices
    where layout.toManyHasRules[index] || changed.contains(index) {
      collect { try checkMembers(index) }
    }
  }

  private func checkValue(_ slot: Int) throws {
    let value = modelledValue(.slot(slot))
    var validated = value
    registry?.slotInQuestion = slot
    try validateValue(&validated, forKey: layout.slots[slot].name)
    if !Self.isUntouched(value, validated: validated) { replace(slot, validated: validated) }
  }

  /// Whether the value was not replaced. Compares bits, which costs little; ``replace(_:_:)``
  /// handles equal values with different bits.
  private static func isUntouched(_ value: Any?, validated: Any?) -> Bool {
    guard let value, let validated else { return value == nil && validated == nil }
    return hasSameBits(value, validated: validated)
  }

  /// Whether both values have the same bits. Values of up to three words lie inline at the start of
  /// an `Any`; the bytes behind them are undefined.
  private static func hasSameBits<T>(_ value: T, validated: Any) -> Bool {
    let size = MemoryLayout<T>.size
    guard size <= 3 * MemoryLayout<Int>.size, type(of: validated) == T.self else { return false }
    return withUnsafeBytes(of: value) { before in
      withUnsafeBytes(of: validated) { after in
        memcmp(before.baseAddress!, after.baseAddress!, size) == 0
      }
    }
  }

  /// Sets a value that validation has replaced.
  private func replace(_ slot: Int, validated: Any?) {
    let description = layout.slots[slot]
    guard case .attribute(let type) = description.kind else {
      if validated as? NSManagedObject !== destination(slot) {
        setModelledValue(validated, place: .slot(slot), tracked: true)
      }
      return
    }
    if let value = try? Value(validated, type: type, name: description.name), value == read(slot) {
      return
    }
    setModelledValue(validated, place: .slot(slot), tracked: true)
  }

  private func checkMembers(_ index: Int) throws {
    var members = modelledValue(.toMany(index))
    try validateValue(&members, forKey: layout.toMany[index].name)
  }

  /// Checks the model's rules for one property: required, and the validation predicates.
  final func checkRules(of key: String, _ value: Any?) throws {
    if let slot = registry?.slotInQuestion, layout.slots.indices.contains(slot),
      layout.slots[slot].name == key
    {
      return try checkSlotRules(layout.slots[slot], value: value)
    }
    guard let place = layout.place(of: key) else { return }
    switch place {
    case .slot(let slot): try checkSlotRules(layout.slots[slot], value: value)
    case .composite(let index): try checkCompositeRules(layout.composites[index], value: value)
    case .toMany(let index): try checkCounts(layout.toMany[index], members: value)
    case .fetched: break
    }
  }

  private func checkSlotRules(_ slot: EntityLayout.Slot, value: Any?) throws {
    guard slot.hasRules else { return }
    try checkRequired(slot.property, name: slot.name, value: value)
  }

  final func checkRequired(
    _ property: NSPropertyDescription, name: String, value: Any?
  ) throws {
    guard let value, type(of: value) != NSNull.self else {
      if property.isOptional || (property as? NSAttributeDescription)?.readsNilAsNaN == true {
        return
      }
      throw CoreDataError.validation(.validationMissingMandatoryProperty, object: self, key: name)
    }
    try checkPredicates(of: property, name, value: value)
  }

  private func checkPredicates(
    of property: NSPropertyDescription, _ name: String, value: Any
  ) throws {
    for (index, predicate) in property.validationPredicates.enumerated()
    where !predicate.evaluate(with: value) {
      let warnings = property.validationWarnings
      throw brokenRule(
        name, value: value, predicate: predicate,
        warning: warnings.indices.contains(index) ? warnings[index] : nil)
    }
  }

  /// Makes the error of a broken rule. The warning beside a predicate is a text or an error code.
  private func brokenRule(
    _ key: String, value: Any, predicate: NSPredicate, warning: Any?
  ) -> NSError {
    if let code = warning as? NSNumber {
      return CoreDataError.validation(
        CocoaError.Code(rawValue: code.intValue), object: self, key: key, value: value,
        predicate: predicate)
    }
    return CoreDataError.validation(
      .managedObjectValidation, object: self, key: key, value: value, predicate: predicate,
      text: warning as? String)
  }

  private func checkCounts(_ relationship: NSRelationshipDescription, members: Any?) throws {
    guard relationship.hasRules else { return }
    let count = Self.objects(in: members, relationship).count
    if count == 0, relationship.isOptional { return }
    // A mandatory relationship without a minimum count may be empty: clients' tests rely on it.
    if count < relationship.minCount {
      throw countError(
        .validationRelationshipLacksMinimumCount, relationship: relationship, members: members)
    }
    if relationship.maxCount > 0, count > relationship.maxCount {
      throw countError(
        .validationRelationshipExceedsMaximumCount, relationship: relationship, members: members)
    }
    if let members { try checkPredicates(of: relationship, relationship.name, value: members) }
  }

  private func countError(
    _ code: CocoaError.Code, relationship: NSRelationshipDescription, members: Any?
  ) -> NSError {
    CoreDataError.validation(code, object: self, key: relationship.name, value: members)
  }

  /// Checks the delete rule Deny: no object at the other end may still exist.
  final func checkDeleteRules() throws {
    guard layout.denies else { return }
    let errors = layout.relations
      .filter { $0.deleteRule == .denyDeleteRule && hasPresentDestination($0.place) }
      .map { denied($0.relationship) }
    if !errors.isEmpty { throw CoreDataError.combined(errors) }
  }

  private func hasPresentDestination(_ place: EntityLayout.Place) -> Bool {
    switch place {
    case .slot(let slot): destination(slot)?.lifecycle.isPresent == true
    case .toMany(let index): memberObjects(index).contains { $0.lifecycle.isPresent }
    default: false
    }
  }

  private func denied(_ relationship: NSRelationshipDescription) -> NSError {
    CoreDataError.validation(
      .validationRelationshipDeniedDelete, object: self, key: relationship.name,
      value: layout.place(of: relationship.name).flatMap(modelledValue))
  }
}
