extension StoreChanges {
  /// The saving context, for stores that use its objects. The save runs on its queue.
  package var context: NSManagedObjectContext? {
    get { saver as? NSManagedObjectContext }
    set { saver = newValue }
  }
}

extension NSManagedObjectContext: ObjectSource {}
