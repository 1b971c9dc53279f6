extension NSPersistentHistoryChange {
  /// The entity to use in fetch requests for changes.
  public class func entityDescription(with context: NSManagedObjectContext) -> NSEntityDescription?
  {
    HistoryEntities.change
  }
}

extension NSPersistentHistoryTransaction {
  /// The entity to use in fetch requests for transactions.
  public class func entityDescription(with context: NSManagedObjectContext) -> NSEntityDescription?
  {
    HistoryEntities.transaction
  }
}
