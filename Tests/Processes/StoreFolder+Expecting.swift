import Foundation
import Testing

@testable import StoreWriter

extension StoreFolder {
  /// The files that were there are there and the same; a log may have a beginning that nobody will read.
  func expectUntouched(_ before: [String: Data], _ comment: Comment) throws {
    let now = try files()
    for (path, data) in before where !path.hasSuffix("-wal") {
      #expect(now[path] == data, "\(comment): \(path) has changed")
    }
  }

  func expectNoLeftovers(_ comment: Comment) throws {
    #expect(try leftovers() == [], comment)
  }

  /// SQLite's own opinion, and whether every file of external data has a row and the other way round.
  func expectSound(_ comment: Comment) throws {
    let store = WrittenStore(in: folder, name: "Store.sqlite")
    #expect(try store.rows("PRAGMA integrity_check") == ["ok"], comment)
    #expect(
      try store.number("SELECT COUNT(*) FROM sqlite_master WHERE name LIKE 'Z_OLD%'") == 0, comment)
    let named = try store.number(
      "SELECT COUNT(*) FROM ZNOTE WHERE hex(substr(ZPHOTO, 1, 1)) = '02'")
    let files = folder.appendingPathComponent(".Store_SUPPORT/_EXTERNAL_DATA")
    let names = try FileManager.default.contentsOfDirectory(atPath: files.path)
    #expect(names.count == named, "\(comment): \(names.count) files for \(named) values")
  }
}
