import Foundation

/// What a schema of a server has, as the server tells: columns with their types, indexes without their names, entities by
/// name where they have numbers, which a migrated store keeps.
struct ServerSchema {
  let lines: Set<String>

  init(_ url: URL) throws {
    let text = try Self.run(
      url,
      """
      SELECT format('%s.%s %s %s', table_name, column_name, data_type, collation_name)
      FROM information_schema.columns WHERE table_schema = current_schema()
      UNION ALL SELECT format('%s %s', tablename, regexp_replace(
        regexp_replace(indexdef, 'INDEX (".*?"|[^ ]*) ON', 'INDEX ON'), ' ON [^.]*\\.', ' ON '))
      FROM pg_indexes WHERE schemaname = current_schema()
      UNION ALL SELECT 'sequence ' || sequencename FROM pg_sequences
      WHERE schemaname = current_schema()
      """)
    let numbers = try Self.run(url, "SELECT number, name FROM _coredata_entities")
    let names = Dictionary(
      uniqueKeysWithValues: numbers.split(separator: "\n").map { line in
        let parts = line.split(separator: "|")
        return (String(parts[0]), String(parts[1]))
      })
    lines = Set(text.split(separator: "\n").map { Self.plain(String($0), names) })
  }

  private static func plain(_ line: String, _ names: [String: String]) -> String {
    let named = line.replacing(/\(_entity = (?:ANY \(ARRAY\[)?([\d, ]+)\]?\)?\)/) { match in
      match.1.split(separator: ", ").map { names[String($0)] ?? String($0) }.sorted()
        .joined(separator: ", ")
    }
    // Which side of a join is the key, and which has the second index, goes by the order of the entities.
    guard let join = named.firstMatch(of: /\(((?:from|to)\d+, (?:from|to)\d+)\)/) else {
      return named
    }
    let columns = join.1.split(separator: ", ").sorted().joined(separator: ", ")
    return named.replacing(join.0, with: "(\(columns))").replacing("UNIQUE ", with: "")
  }

  static func drop(_ url: URL) throws {
    _ = try run(
      url,
      "DO $$ BEGIN EXECUTE format('DROP SCHEMA %I CASCADE', current_schema()); END $$")
  }

  private static func run(_ url: URL, _ sql: String) throws -> String {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/psql")
    process.arguments = [
      url.absoluteString, "--no-psqlrc", "-Atq", "-v", "ON_ERROR_STOP=1", "-c", sql,
    ]
    process.standardOutput = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    struct Failed: Error { let status: Int32 }
    guard process.terminationStatus == 0 else { throw Failed(status: process.terminationStatus) }
    return String(decoding: data, as: UTF8.self)
  }
}
