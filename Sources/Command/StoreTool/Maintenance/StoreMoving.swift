import CoreData

/// Copies all objects of a store into a new one, possibly of another type: from a file to a server,
/// or back.
package struct StoreMoving: Codable, Sendable {
  package let source: String
  package let destination: String
  package let format: StoreFormat
  package let objects: Int

  /// Copies the objects; the source is not changed. Throws if the destination exists already.
  package init(_ request: StoreRequest, into destination: URL) throws {
    do {
      let opened = try OpenedStore(request)
      source = opened.place
      self.destination = destination.place
      format = StoreFormat(ofNew: destination)
      objects = try ObjectPages(store: opened).count()
      guard opened.origin != .guessed else {
        throw ToolError(
          .usage,
          description:
            "The store keeps no model of itself, and a guessed one is not enough to make another store by: name the real "
            + "one with --model.")
      }
      _ = try opened.coordinator.migratePersistentStore(
        opened.store, to: destination, withType: format.storeType)
      for store in opened.coordinator.persistentStores { try opened.coordinator.remove(store) }
    } catch { throw Self.told(error, destination: destination) }
  }

  private static func told(_ error: any Error, destination: URL) -> ToolError {
    let told = ToolError(error)
    guard (error as NSError).code == CocoaError.Code.fileWriteFileExists.rawValue else {
      return told
    }
    return ToolError(
      .cannotCreate,
      description:
        "There is something at \(destination.place) already; name another place, or remove it.")
  }

  package var text: String {
    "Moved \(objects == 1 ? "1 object" : "\(objects) objects") from \(source) to \(destination), a store of "
      + "\(format.rawValue). The first one stays as it was; histories do not move."
  }
}
