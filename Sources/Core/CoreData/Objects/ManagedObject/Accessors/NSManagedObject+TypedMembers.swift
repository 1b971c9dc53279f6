// The implementation of generated to-many accessors that return Swift's collections.

extension NSManagedObject {
  /// The members of a to-many relationship as a Swift set.
  public final func managedMembers<Member: NSManagedObject>(
    _ property: ManagedProperty
  ) -> Set<Member> {
    let objects: [Member] = members(property)
    return Set(objects)
  }

  /// The members of an ordered relationship as an array, in order.
  public final func managedMembers<Member: NSManagedObject>(
    _ property: ManagedProperty
  ) -> [Member] {
    members(property)
  }

  private final func members<Member: NSManagedObject>(_ property: ManagedProperty) -> [Member] {
    let place = place(property)
    if recordedAccess(place, key: property.name) != nil { return [] }
    guard case .toMany(let index) = place else { return managedValue(property, as: [Member].self) }
    return memberObjects(index).map { object in
      if type(of: object) == Member.self { return unsafeDowncast(object, to: Member.self) }
      guard let member = object as? Member else {
        fatalError(wrongType(property, type: Member.self, value: object))
      }
      return member
    }
  }
}
