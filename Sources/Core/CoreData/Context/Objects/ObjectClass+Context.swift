extension ObjectClass {
  /// Makes an object and inserts it into the context, if there is one.
  func make(
    _ entity: NSEntityDescription, in context: NSManagedObjectContext?
  ) -> NSManagedObject {
    if isPlain { return NSManagedObject(entity: entity, insertInto: context) }
    guard let known else { return findRegistration().make(entity, context) }
    // Sound: the registration is never released.
    return known._withUnsafeGuaranteedRef { $0.make(entity, context) }
  }
}
