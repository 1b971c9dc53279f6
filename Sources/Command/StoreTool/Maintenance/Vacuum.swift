import CoreData

/// Removes the free pages of a store's file.
package struct Vacuum: Codable, Sendable {
  package let bytesBefore: Int
  package let bytesAfter: Int

  package init(_ request: StoreRequest) throws {
    do {
      try Self.check(StoreFormat(at: request.store))
      let inspector = try StoreInspector(url: request.store, isWriting: true)
      bytesBefore = Self.size(request.store)
      _ = try inspector.rows("VACUUM")
      _ = try inspector.rows("PRAGMA wal_checkpoint(TRUNCATE)")
      bytesAfter = Self.size(request.store)
    } catch { throw ToolError(error) }
  }

  /// Throws for a store without free pages of its own.
  package static func check(_ format: StoreFormat) throws {
    guard format.isFile else {
      throw ToolError(
        .usage,
        description:
          "The free space of a store on a server is the server's: it gives it back by itself (autovacuum), or when its "
          + "administrator says VACUUM FULL, as in: psql ADDRESS -c 'VACUUM FULL'.")
    }
    guard format == .sqlite else {
      throw ToolError(
        .usage, description: "Only a SQLite store has free pages; others are written whole.")
    }
  }

  private static func size(_ url: URL) -> Int {
    ["", "-wal"].map { suffix in
      // A file that does not exist has the size 0.
      let attributes = try? FileManager.default.attributesOfItem(atPath: url.path + suffix)
      return (attributes?[.size] as? NSNumber)?.intValue ?? 0
    }.reduce(0, +)
  }

  package var text: String { "\(CellText.size(bytesBefore)) → \(CellText.size(bytesAfter))" }
}
