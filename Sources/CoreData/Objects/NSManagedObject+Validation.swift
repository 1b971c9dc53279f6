extension NSManagedObject {
  /// Every broken rule of every property, in one error.
  final func checkAllRules() throws {
    var errors: [any Error] = []
    func collect(_ check: () throws -> Void) {
      do { try check() } catch { errors.append(error) }
    }
    for slot in layout.slots.indices {
      collect { try checkValue(slot) }
    }
    for (index, relationship) in layout.toMany.enumerated() where relationship.countIsLimited {
      collect { try checkCounts(relationship, index) }
    }
    if !errors.isEmpty { throw CoreDataError.combined(errors) }
  }

  private func checkValue(_ slot: Int) throws {
    var value = modelledValue(.slot(slot))
    registry?.slotInQuestion = slot
    try validateValue(&value, forKey: layout.slots[slot].name)
  }

  /// The rules that the model has for one property: required, and the validation predicates.
  final func checkRules(of key: String, _ value: Any?) throws {
    if let slot = registry?.slotInQuestion, layout.slots.indices.contains(slot),
      layout.slots[slot].name == key
    {
      return try checkSlotRules(layout.slots[slot], value)
    }
    guard let place = layout.place(of: key) else { return }
    switch place {
    case .slot(let slot): try checkSlotRules(layout.slots[slot], value)
    case .toMany(let index): try checkCounts(layout.toMany[index], index)
    case .fetched: break
    }
  }

  private func checkSlotRules(_ slot: EntityLayout.Slot, _ value: Any?) throws {
    guard slot.hasRules else { return }
    guard let value, type(of: value) != NSNull.self else {
      if slot.property.isOptional { return }
      throw CoreDataError.validation(
        .validationMissingMandatoryProperty, object: self, key: slot.name)
    }
    let property = slot.property
    for (index, predicate) in property.validationPredicates.enumerated()
    where !predicate.evaluate(with: value) {
      let warnings = property.validationWarnings
      throw brokenRule(
        slot.name, value, predicate, warnings.indices.contains(index) ? warnings[index] : nil)
    }
  }

  /// The warning beside a predicate is either a text or the number of an error code.
  private func brokenRule(
    _ key: String, _ value: Any, _ predicate: NSPredicate, _ warning: Any?
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

  private func checkCounts(_ relationship: NSRelationshipDescription, _ index: Int) throws {
    guard relationship.countIsLimited else { return }
    let isRequired = !relationship.isOptional
    let count = readMembers(index).count
    if count == 0, !isRequired { return }
    if count < max(relationship.minCount, isRequired ? 1 : 0) {
      throw countError(.validationRelationshipLacksMinimumCount, relationship, index)
    }
    if relationship.maxCount > 0, count > relationship.maxCount {
      throw countError(.validationRelationshipExceedsMaximumCount, relationship, index)
    }
  }

  private func countError(
    _ code: CocoaError.Code, _ relationship: NSRelationshipDescription, _ index: Int
  ) -> NSError {
    CoreDataError.validation(
      code, object: self, key: relationship.name, value: modelledValue(.toMany(index)))
  }

  /// Deny: no object that is still alive may be at the other end.
  final func checkDeleteRules() throws {
    var errors: [any Error] = []
    for (slot, description) in layout.slots.enumerated() {
      guard let relationship = description.property as? NSRelationshipDescription,
        relationship.deleteRule == .denyDeleteRule
      else { continue }
      if destination(slot)?.lifecycle.isPresent == true { errors.append(denied(relationship)) }
    }
    for (index, relationship) in layout.toMany.enumerated()
    where relationship.deleteRule == .denyDeleteRule {
      if memberObjects(index).contains(where: { $0.lifecycle.isPresent }) {
        errors.append(denied(relationship))
      }
    }
    if !errors.isEmpty { throw CoreDataError.combined(errors) }
  }

  private func denied(_ relationship: NSRelationshipDescription) -> NSError {
    CoreDataError.validation(
      .validationRelationshipDeniedDelete, object: self, key: relationship.name,
      value: layout.place(of: relationship.name).flatMap(modelledValue))
  }
}

extension NSRelationshipDescription {
  fileprivate var countIsLimited: Bool { !isOptional || minCount > 0 || maxCount > 1 }
}
