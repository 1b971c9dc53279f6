/// Finds objects by their IDs: a context.
protocol ObjectSource: AnyObject {
  func object(with objectID: NSManagedObjectID) -> NSManagedObject
}
