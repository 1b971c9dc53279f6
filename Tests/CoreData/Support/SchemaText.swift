import Foundation

/// The statements of a store's schema without what is free: the order of the columns of a table, quotes.
struct SchemaText {
  let statements: Set<String>

  init(_ url: URL) throws {
    statements = Set(
      try PlainSQL(url: url).schema.filter { !$0.contains("sqlite_") }.map { statement in
        let plain = statement.replacingOccurrences(of: "\"", with: "")
        guard plain.hasPrefix("CREATE TABLE Z"), let open = plain.firstIndex(of: "(") else {
          return plain
        }
        let columns = plain[open...].dropFirst().dropLast().split(separator: ",")
          .map { $0.trimmingCharacters(in: .whitespaces) }
        return plain[..<open] + columns.sorted().joined(separator: ", ")
      })
  }
}
