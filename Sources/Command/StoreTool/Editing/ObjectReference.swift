import CoreData

extension OpenedStore {
  /// The object ID of `Entity/p7` or of a whole URI. Throws a usage error for anything else.
  package func identity(_ text: String) throws -> NSManagedObjectID {
    let parts = text.split(separator: "/").suffix(2)
    guard let name = parts.first, let key = parts.last, parts.count == 2, key.first == "p",
      Int64(key.dropFirst()) != nil
    else {
      throw ToolError(
        .usage, description: "“\(text)” names no object: expected ENTITY/pKEY, such as Book/p7.")
    }
    let entity = try entity(named: String(name))
    let uri = NSManagedObjectID.uri(
      metadata[NSStoreUUIDKey] as? String ?? "", entityName: entity.name ?? "",
      reference: String(key))
    guard let found = coordinator.managedObjectID(forURIRepresentation: uri)
    else { throw ToolError(.usage, description: "“\(text)” names no object of this store.") }
    return found
  }

  /// The object of a name. Throws ``ToolError`` with the status 65 if it does not exist.
  package func object(_ text: String, in context: NSManagedObjectContext) throws -> NSManagedObject
  {
    let identity = try identity(text)
    do { return try context.existingObject(with: identity) } catch {
      throw ToolError(.badData, description: "There is no object \(text) in the store.")
    }
  }
}
