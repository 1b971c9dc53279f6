import CoreData

extension URL {
  private static let serverSchemes = ["postgresql://", "postgres://"]

  /// Where a store is, as it is typed: the address of a server, `postgresql://…`, else the path of a file.
  package init(store text: String) throws {
    guard Self.serverSchemes.contains(where: { text.lowercased().hasPrefix($0) }) else {
      if let scheme = text.prefixMatch(of: #/([A-Za-z][A-Za-z0-9+.\-]*):\/\//#)?.1,
        !FileManager.default.fileExists(atPath: text)
      {
        throw ToolError(
          .usage,
          "A store is at the path of a file or at an address such as postgresql://user@host/database; found “\(scheme)://”."
        )
      }
      self.init(fileURLWithPath: text)
      return
    }
    guard let url = URL(string: text) else {
      // It may have a password.
      throw ToolError(
        .usage,
        "The address of the server cannot be read: expected postgresql://user@host/database; several hosts with ports "
          + "of their own are named as in postgresql:///database?host=one,two&port=5432,5433.")
    }
    guard NSPersistentStoreCoordinator.server(at: url) != nil else {
      throw ToolError(
        .usage,
        "This coredata knows no servers: it was built without PostgreSQL. Build it with --traits Tool,PostgreSQL."
      )
    }
    self = url
  }

  /// As people are told where a store is: a path, or an address without its password.
  package var place: String {
    if isFileURL { return path }
    return NSPersistentStoreCoordinator.server(at: self)?.storeClass.withoutSecrets(self)
      .absoluteString ?? absoluteString
  }
}
