import CoreData

/// The type of a store: of a file, detected from its first bytes, or of a server.
package enum StoreFormat: String, Codable, Sendable {
  case sqlite = "SQLite"
  case xml = "XML"
  case binary = "Binary"
  case postgreSQL = "PostgreSQL"

  package var isFile: Bool { self != .postgreSQL }

  package var storeType: String {
    switch self {
    case .sqlite: NSSQLiteStoreType
    case .xml: NSXMLStoreType
    case .binary: NSBinaryStoreType
    case .postgreSQL: rawValue
    }
  }

  /// Detects the type. Throws an error that describes the actual content.
  package init(at url: URL) throws {
    if let server = NSPersistentStoreCoordinator.server(at: url) {
      do {
        let options = StoreOptions([NSPersistentStoreTimeoutOption: OpenedStore.timeout])
        guard try server.storeClass.hasStore(at: url, options: options) else {
          throw ToolError(
            .noInput,
            description:
              "There is no store at \(url.place): the database has none in that schema. A schema is named by "
              + "?options=-csearch_path%3DNAME; “coredata migrate STORE --into ADDRESS” makes a store there."
          )
        }
      } catch { throw ToolError(error) }
      self = .postgreSQL
      return
    }
    let head = try Self.head(of: url)
    if head.starts(with: Data("SQLite format 3\0".utf8)) {
      self = .sqlite
    } else if head.starts(with: Data("OCDBINARY".utf8)) {
      self = .binary
    } else if Self.isXML(head) {
      self = .xml
    } else {
      throw ToolError(
        .badData,
        description:
          "\(url.path) is no store of Core Data: expected a SQLite database, an XML store or a binary store, "
          + "found \(Self.guess(head, url: url)). It was left as it is.")
    }
  }

  private static func head(of url: URL) throws -> Data {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) else {
      throw ToolError(.noInput, description: "There is no file at \(url.path).")
    }
    if isFolder.boolValue {
      let isModel = ["momd", "xcdatamodeld", "xcdatamodel"].contains(url.pathExtension)
      throw ToolError(
        .badData,
        description: isModel
          ? "\(url.path) is a model, where a store was expected; try “coredata model show”."
          : "\(url.path) is a folder, where the file of a store was expected.")
    }
    guard let file = FileHandle(forReadingAtPath: url.path) else {
      throw ToolError(
        .noPermission, description: "\(url.path) may not be read; check its permissions.")
    }
    defer { try? file.close() }  // Read only: there is nothing to lose.
    let head = try file.read(upToCount: 4096) ?? Data()
    if head.isEmpty {
      throw ToolError(
        .badData,
        description:
          "\(url.path) is empty: expected a store, found 0 bytes. Perhaps the copy was broken off, or nothing was "
          + "saved yet.")
    }
    return head
  }

  private static func isXML(_ head: Data) -> Bool {
    let text = String(decoding: head.prefix(1024), as: UTF8.self)
    return text.contains("<database") || text.hasPrefix("<?xml") && text.contains("database")
  }

  private static func guess(_ head: Data, url: URL) -> String {
    if head.starts(with: Data("bplist00".utf8)) {
      return
        "a binary property list. If it is a compiled model, try “coredata model show”; a binary store of Apple's is an "
        + "archive of private classes that only Apple's framework reads: let it migrate to SQLite there"
    }
    let magics: [([UInt8], String)] = [
      ([0x50, 0x4B, 3, 4], "a ZIP archive; unpack it first"),
      ([0x1F, 0x8B], "a gzip file; unpack it first"),
      (Array("%PDF".utf8), "a PDF"), (Array("<?xml".utf8), "XML of another kind"),
      (Array("{".utf8), "JSON, it seems"),
    ]
    if let found = magics.first(where: { head.starts(with: $0.0) }) { return found.1 }
    if url.path.hasSuffix("-wal") || url.path.hasSuffix("-shm") {
      return "a part of a SQLite database; name the file without -wal or -shm"
    }
    if isRandom(head) {
      return
        "bytes without any pattern: it may be encrypted. Decrypt it with the key of its application (SQLCipher and "
        + "file encryption look like this) and try again"
    }
    return "bytes of another format"
  }

  /// Whether bytes look encrypted or compressed: such bytes have nearly eight bits of information
  /// each.
  private static func isRandom(_ head: Data) -> Bool {
    guard head.count >= 512 else { return false }
    var counts = [Int](repeating: 0, count: 256)
    for byte in head { counts[Int(byte)] += 1 }
    let total = Double(head.count)
    let bits = counts.filter { $0 > 0 }.reduce(0) { sum, count in
      sum - Double(count) / total * log2(Double(count) / total)
    }
    return bits > (head.count >= 4096 ? 7.8 : 7.4)
  }
}
