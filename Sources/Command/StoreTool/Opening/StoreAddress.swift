import CoreData

extension URL {
  private static let serverSchemes = ["postgresql://", "postgres://"]

  /// Parses the location of a store: the address of a server, `postgresql://…`, or else the path of
  /// a file. Throws usage errors.
  package init(store text: String) throws {
    guard Self.serverSchemes.contains(where: { text.lowercased().hasPrefix($0) }) else {
      if let scheme = text.prefixMatch(of: #/([A-Za-z][A-Za-z0-9+.\-]*):\/\//#)?.1,
        !FileManager.default.fileExists(atPath: text)
      {
        throw ToolError(
          .usage,
          description:
            "A store is at the path of a file or at an address such as postgresql://user@host/database; found “\(scheme)://”."
        )
      }
      self.init(fileURLWithPath: text)
      return
    }
    guard let url = URL(string: text) else {
      // Not quoted in the message: the text may contain a password.
      throw ToolError(
        .usage,
        description:
          "The address of the server cannot be read: expected postgresql://user@host/database; several hosts with ports "
          + "of their own are named as in postgresql:///database?host=one,two&port=5432,5433.")
    }
    guard NSPersistentStoreCoordinator.server(at: url) != nil else {
      throw ToolError(
        .usage,
        description:
          "This coredata knows no servers: it was built without PostgreSQL. Build it with --traits Tool,PostgreSQL."
      )
    }
    self = url
  }

  /// The location of a store for messages: a path, or an address without the password.
  package var place: String {
    if isFileURL { return path }
    return NSPersistentStoreCoordinator.server(at: self)?.storeClass.withoutSecrets(self)
      .absoluteString ?? absoluteString
  }
}
