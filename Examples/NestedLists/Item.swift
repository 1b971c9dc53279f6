import CoreData

/// One entry of a list, which is a list itself.
#if canImport(ObjectiveC)
  @objc(Item)
#endif
public class Item: NSManagedObject {
  @NSManaged public var title: String?
  /// The place among the siblings, from 0.
  @NSManaged public var order: Int64
  @NSManaged public var parent: Item?
  @NSManaged public var children: Set<Item>

  public class func fetchRequest() -> NSFetchRequest<Item> {
    NSFetchRequest<Item>(entityName: "Item")
  }

  /// A new item at the end of a list.
  ///
  /// - Parameter last: the one that was at the end, as far as it is known: an undo may have left places empty, and then
  ///   its place is greater than the list is long.
  @discardableResult
  public static func insertItem(
    title: String, parent: Item, after last: Item? = nil, in context: NSManagedObjectContext
  ) -> Item {
    let order = max(Int64(parent.numberOfChildren), last.map { $0.order + 1 } ?? 0)
    let item = Item(context: context)
    item.title = title
    item.parent = parent
    item.order = order
    return item
  }

  /// How many items the list has. Counting makes no objects of them.
  public var numberOfChildren: Int { mutableSetValue(forKey: "children").count }

  /// The list's items in their order.
  public var childrenRequest: NSFetchRequest<Item> {
    let request = Item.fetchRequest()
    request.predicate = NSPredicate(format: "parent = %@", self)
    request.sortDescriptors = [NSSortDescriptor(key: "order", ascending: true)]
    return request
  }

  /// What a controller shows the list's items with.
  public func childrenController() -> NSFetchedResultsController<Item>? {
    managedObjectContext.map {
      NSFetchedResultsController(
        fetchRequest: childrenRequest, managedObjectContext: $0, sectionNameKeyPath: nil,
        cacheName: nil)
    }
  }

  public override func prepareForDeletion() {
    super.prepareForDeletion()
    // With the whole list gone there is nobody left to move up.
    guard let parent, !parent.isDeleted else { return }
    for sibling in parent.children(after: order) where sibling !== self { sibling.order -= 1 }
  }

  /// The items behind a place.
  func children(after place: Int64) -> [Item] {
    children(NSPredicate(format: "parent = %@ AND order > %lld", self, place))
  }

  private func children(_ predicate: NSPredicate) -> [Item] {
    let request = childrenRequest
    request.predicate = predicate
    return items(of: request)
  }

  /// The items from a place on, all of them for a count of 0.
  func children(from place: Int, count: Int) -> [Item] {
    let request = childrenRequest
    (request.fetchOffset, request.fetchLimit) = (place, count)
    return items(of: request)
  }

  private func items(of request: NSFetchRequest<Item>) -> [Item] {
    // Neither a deletion nor a move can report an error. When the store cannot be read the siblings
    // keep their numbers, and the save that follows says what is wrong.
    return (try? managedObjectContext?.fetch(request)) ?? []
  }
}
