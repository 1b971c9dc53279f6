import CoreData

/// An entry of a list, which is a list itself.
#if canImport(ObjectiveC)
  @objc(Item)
#endif
public class Item: NSManagedObject {
  /// The text of the entry.
  @NSManaged public var title: String?
  /// The position among the siblings, from 0.
  @NSManaged public var order: Int64
  /// The list that contains the item; nil for the root.
  @NSManaged public var parent: Item?
  /// The items of the list, unordered.
  @NSManaged public var children: Set<Item>
  /// The last move of the item within its list by the user, as opposed to positions that follow
  /// from the moves of others.
  var lastMove: Move?

  /// A request for all items.
  public class func fetchRequest() -> NSFetchRequest<Item> {
    NSFetchRequest<Item>(entityName: "Item")
  }

  /// Inserts an item at the end of a list.
  ///
  /// - Parameter last: the last item of the list, if known. After an undo, positions may have gaps,
  ///   and its order may exceed the number of items.
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

  /// The number of items in the list. Counting creates no objects.
  public var numberOfChildren: Int { mutableSetValue(forKey: "children").count }

  /// A request for the list's items in their order.
  public var childrenRequest: NSFetchRequest<Item> {
    let request = Item.fetchRequest()
    request.predicate = NSPredicate(format: "parent = %@", self)
    // Devices that sync may each give a place at the same time: the order is the same on all.
    request.sortDescriptors = [
      NSSortDescriptor(key: "order", ascending: true),
      NSSortDescriptor(key: "title", ascending: true),
    ]
    return request
  }

  /// A fetched results controller for the list's items; nil for an item without a context.
  public func childrenController() -> NSFetchedResultsController<Item>? {
    managedObjectContext.map {
      NSFetchedResultsController(
        fetchRequest: childrenRequest, managedObjectContext: $0, sectionNameKeyPath: nil,
        cacheName: nil)
    }
  }

  public override func prepareForDeletion() {
    super.prepareForDeletion()
    // If the whole list is deleted, no sibling is left to renumber.
    guard let parent, !parent.isDeleted else { return }
    for sibling in parent.children(after: order) where sibling !== self { sibling.order -= 1 }
  }

  /// The items after a position.
  func children(after place: Int64) -> [Item] {
    children(NSPredicate(format: "parent = %@ AND order > %lld", self, place))
  }

  private func children(_ predicate: NSPredicate) -> [Item] {
    let request = childrenRequest
    request.predicate = predicate
    return items(of: request)
  }

  /// The items from a position on; all of them if `count` is 0.
  func children(from place: Int, count: Int) -> [Item] {
    let request = childrenRequest
    (request.fetchOffset, request.fetchLimit) = (place, count)
    return items(of: request)
  }

  private func items(of request: NSFetchRequest<Item>) -> [Item] {
    // Deletions and moves cannot report errors. If the store cannot be read, the siblings keep
    // their numbers, and the save that follows reports the error.
    return (try? managedObjectContext?.fetch(request)) ?? []
  }
}
