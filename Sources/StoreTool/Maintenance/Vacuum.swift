import CoreData

/// Gives the free pages of a store's file back.
package struct Vacuum: Codable, Sendable {
  package let bytesBefore: Int
  package let bytesAfter: Int

  package init(_ request: StoreRequest) throws {
    do {
      guard try StoreFormat(ofFileAt: request.store) == .sqlite else {
        throw ToolError(.usage, "Only a SQLite store has free pages; others are written whole.")
      }
      let inspector = try StoreInspector(url: request.store, isWriting: true)
      bytesBefore = Self.size(request.store)
      _ = try inspector.rows("VACUUM")
      _ = try inspector.rows("PRAGMA wal_checkpoint(TRUNCATE)")
      bytesAfter = Self.size(request.store)
    } catch { throw ToolError(error) }
  }

  private static func size(_ url: URL) -> Int {
    ["", "-wal"].map { suffix in
      // A file that is not there has no size.
      let attributes = try? FileManager.default.attributesOfItem(atPath: url.path + suffix)
      return (attributes?[.size] as? NSNumber)?.intValue ?? 0
    }.reduce(0, +)
  }

  package var text: String { "\(CellText.size(bytesBefore)) → \(CellText.size(bytesAfter))" }
}
