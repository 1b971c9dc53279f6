// The implementation of generated to-many methods: `addToItems(_:)`, `removeFromItems(_:)`, and for
// ordered relationships `insertIntoItems(_:at:)`, `replaceItems(at:with:)` and so on. All of them
// also update the inverse relationship.

extension NSManagedObject {
  /// Adds a member.
  public final func managedAdd(_ value: NSManagedObject, to property: ManagedProperty) {
    relate(value, index: toMany(property))
  }

  /// Removes a member.
  public final func managedRemove(_ value: NSManagedObject, from property: ManagedProperty) {
    unrelate(value, index: toMany(property))
  }

  /// Adds the objects of a set.
  public final func managedAdd(_ values: NSSet, to property: ManagedProperty) {
    add(objects(values, property: property), property: property)
  }

  /// Removes the objects of a set.
  public final func managedRemove(_ values: NSSet, from property: ManagedProperty) {
    remove(objects(values, property: property), property: property)
  }

  /// Adds the objects of an ordered set.
  public final func managedAdd(_ values: NSOrderedSet, to property: ManagedProperty) {
    add(objects(values, property: property), property: property)
  }

  /// Removes the objects of an ordered set.
  public final func managedRemove(_ values: NSOrderedSet, from property: ManagedProperty) {
    remove(objects(values, property: property), property: property)
  }

  /// Adds the objects of a Swift set or array.
  public final func managedAdd<Members: Sequence>(_ values: Members, to property: ManagedProperty)
  where Members.Element: NSManagedObject {
    add(Array(values), property: property)
  }

  /// Removes the objects of a Swift set or array.
  public final func managedRemove<Members: Sequence>(
    _ values: Members, from property: ManagedProperty
  ) where Members.Element: NSManagedObject {
    remove(Array(values), property: property)
  }

  /// Inserts a member at an index of an ordered relationship; one that is a member already keeps
  /// its place.
  public final func managedInsert(
    _ value: NSManagedObject, into property: ManagedProperty, at index: Int
  ) {
    editOrder(property) { if !$0.contains(value) { $0.insert(value, at: index) } }
  }

  /// Inserts members at ascending indexes of an ordered relationship, each counted after the
  /// insertions before it; those that are members already keep their places.
  public final func managedInsert(
    _ values: [NSManagedObject], into property: ManagedProperty, at indexes: NSIndexSet
  ) {
    editOrder(property) { order in
      var members = Set(order)
      var passed = 0
      for (index, value) in zip(indexes, values) {
        guard members.insert(value).inserted else {
          passed += 1
          continue
        }
        order.insert(value, at: index - passed)
      }
    }
  }

  /// Removes the member at an index of an ordered relationship.
  public final func managedRemove(from property: ManagedProperty, at index: Int) {
    editOrder(property) { $0.remove(at: index) }
  }

  /// Removes the members at indexes of an ordered relationship.
  public final func managedRemove(from property: ManagedProperty, at indexes: NSIndexSet) {
    editOrder(property) { order in
      for index in indexes.reversed() { order.remove(at: index) }
    }
  }

  /// Replaces the member at an index of an ordered relationship; a value that is a member already
  /// moves.
  public final func managedReplace(
    _ property: ManagedProperty, at index: Int, with value: NSManagedObject
  ) {
    editOrder(property) { $0.replace(at: [index], with: [value]) }
  }

  /// Replaces the members at indexes of an ordered relationship; values that are members already
  /// move.
  public final func managedReplace(
    _ property: ManagedProperty, at indexes: NSIndexSet, with values: [NSManagedObject]
  ) {
    editOrder(property) { $0.replace(at: Array(indexes), with: values) }
  }

  // Overloads with `IndexSet` and `NSArray`.

  /// Inserts members at ascending indexes of an ordered relationship, each counted after the
  /// insertions before it.
  public final func managedInsert(
    _ values: [NSManagedObject], into property: ManagedProperty, at indexes: IndexSet
  ) {
    managedInsert(values, into: property, at: indexes as NSIndexSet)
  }

  /// Removes the members at indexes of an ordered relationship.
  public final func managedRemove(from property: ManagedProperty, at indexes: IndexSet) {
    managedRemove(from: property, at: indexes as NSIndexSet)
  }

  /// Replaces the members at indexes of an ordered relationship.
  public final func managedReplace(
    _ property: ManagedProperty, at indexes: IndexSet, with values: [NSManagedObject]
  ) {
    managedReplace(property, at: indexes as NSIndexSet, with: values)
  }

  /// Inserts members at ascending indexes of an ordered relationship, each counted after the
  /// insertions before it.
  public final func managedInsert(
    _ values: NSArray, into property: ManagedProperty, at indexes: NSIndexSet
  ) {
    managedInsert(objects(values, property: property), into: property, at: indexes)
  }

  /// Replaces the members at indexes of an ordered relationship.
  public final func managedReplace(
    _ property: ManagedProperty, at indexes: NSIndexSet, with values: NSArray
  ) {
    managedReplace(property, at: indexes, with: objects(values, property: property))
  }

  private func editOrder(
    _ property: ManagedProperty, edit: (inout [NSManagedObject]) -> Void
  ) {
    let index = toMany(property)
    var order = memberObjects(index)
    edit(&order)
    editMembers(order, index: index)
  }

  private func add(_ objects: [NSManagedObject], property: ManagedProperty) {
    let index = toMany(property)
    joining(objects, index: index) { for object in objects { relate(object, index: index) } }
  }

  private func remove(_ objects: [NSManagedObject], property: ManagedProperty) {
    let index = toMany(property)
    leaving(objects, index: index) { for object in objects { unrelate(object, index: index) } }
  }

  private func toMany(_ property: ManagedProperty) -> Int {
    guard let index = property.toMany(in: layout) else {
      fatalError("\(layout.entity.name ?? "").\(property.name) is no to-many relationship")
    }
    return index
  }

  private func objects(_ collection: Any, property: ManagedProperty) -> [NSManagedObject] {
    Self.objects(in: collection, layout.toMany[toMany(property)])
  }
}

extension [NSManagedObject] {
  /// Replaces members at places; values that were elsewhere leave those places, since each is a
  /// member once.
  fileprivate mutating func replace(at places: [Int], with values: [NSManagedObject]) {
    for (place, value) in zip(places, values) { self[place] = value }
    let moved = Set(values)
    let taken = Set(places)
    var seen: Set<NSManagedObject> = []
    self = enumerated().filter { place, member in
      !moved.contains(member) || (taken.contains(place) && seen.insert(member).inserted)
    }.map(\.element)
  }

  /// The members without repetitions, each at its first place.
  var withoutRepetitions: [NSManagedObject] {
    var seen: Set<NSManagedObject> = []
    return filter { seen.insert($0).inserted }
  }
}
