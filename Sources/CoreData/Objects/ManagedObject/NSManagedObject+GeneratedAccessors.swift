// What the generated methods of to-many relationships call: `addToItems(_:)`, `removeFromItems(_:)`,
// and for ordered ones `insertIntoItems(_:at:)`, `replaceItems(at:with:)` and so on.

extension NSManagedObject {
  public final func managedAdd(_ value: NSManagedObject, to property: ManagedProperty) {
    relate(value, toMany(property))
  }

  public final func managedRemove(_ value: NSManagedObject, from property: ManagedProperty) {
    unrelate(value, toMany(property))
  }

  public final func managedAdd(_ values: NSSet, to property: ManagedProperty) {
    for object in objects(values, property) { relate(object, toMany(property)) }
  }

  public final func managedRemove(_ values: NSSet, from property: ManagedProperty) {
    for object in objects(values, property) { unrelate(object, toMany(property)) }
  }

  public final func managedAdd(_ values: NSOrderedSet, to property: ManagedProperty) {
    for object in objects(values, property) { relate(object, toMany(property)) }
  }

  public final func managedRemove(_ values: NSOrderedSet, from property: ManagedProperty) {
    for object in objects(values, property) { unrelate(object, toMany(property)) }
  }

  public final func managedInsert(
    _ value: NSManagedObject, into property: ManagedProperty, at index: Int
  ) {
    editOrder(property) { $0.insert(value, at: index) }
  }

  public final func managedInsert(
    _ values: [NSManagedObject], into property: ManagedProperty, at indexes: NSIndexSet
  ) {
    editOrder(property) { order in
      for (index, value) in zip(indexes, values) { order.insert(value, at: index) }
    }
  }

  public final func managedRemove(from property: ManagedProperty, at index: Int) {
    editOrder(property) { $0.remove(at: index) }
  }

  public final func managedRemove(from property: ManagedProperty, at indexes: NSIndexSet) {
    editOrder(property) { order in
      for index in indexes.reversed() { order.remove(at: index) }
    }
  }

  public final func managedReplace(
    _ property: ManagedProperty, at index: Int, with value: NSManagedObject
  ) {
    editOrder(property) { $0[index] = value }
  }

  public final func managedReplace(
    _ property: ManagedProperty, at indexes: NSIndexSet, with values: [NSManagedObject]
  ) {
    editOrder(property) { order in
      for (index, value) in zip(indexes, values) { order[index] = value }
    }
  }

  private func editOrder(
    _ property: ManagedProperty, _ edit: (inout [NSManagedObject]) -> Void
  ) {
    let index = toMany(property)
    var order = memberObjects(index)
    edit(&order)
    setMembers(order, index)
  }

  private func toMany(_ property: ManagedProperty) -> Int {
    guard let index = property.toMany(in: layout) else {
      fatalError("\(layout.entity.name ?? "").\(property.name) is no to-many relationship")
    }
    return index
  }

  private func objects(_ collection: Any, _ property: ManagedProperty) -> [NSManagedObject] {
    Self.objects(in: collection, layout.toMany[toMany(property)])
  }
}
