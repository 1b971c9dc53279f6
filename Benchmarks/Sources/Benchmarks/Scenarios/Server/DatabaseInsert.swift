import CoreData

/// New rows of a PostgreSQL store from values that lie ready, in one transaction, to the end of the commit; libpq
/// copies them into a table of the same form. What a store then holds is counted.
extension Scenario {
  static func databaseInsert(_ count: Int) throws -> Scenario {
    let rows = ItemValues.make(count: count)
    return Scenario(
      unit: .milliseconds,
      contestants: [
        .ours { _ in
          let stack = try DatabaseStack(try DatabaseServer.newSchema())
          let duration = try ContinuousClock().measure {
            for row in rows { Item(context: stack.context).set(row) }
            try stack.context.save()
          }
          return Outcome(duration: duration, checksum: try stack.checksum())
        },
        Contestant(name: "libpq COPY") { _ in
          let stack = try DatabaseStack(try DatabaseServer.newSchema())
          let raw = try RawDatabase(stack.url)
          let duration = try ContinuousClock().measure {
            try raw.execute("BEGIN")
            try raw.copy(rows, startingAt: 1)
            try raw.execute("COMMIT")
          }
          return Outcome(duration: duration, checksum: try stack.checksum())
        },
      ])
  }

  /// One new object, saved by itself: the mean time of a hundred such saves, each on the disk.
  static func databaseSave() throws -> Scenario {
    let ours = try DatabaseStack(try DatabaseServer.newSchema())
    let other = try DatabaseStack(try DatabaseServer.newSchema())
    let raw = try RawDatabase(other.url)
    try raw.prepare(
      "insert",
      "INSERT INTO \"Item\" (_key, _version, _entity, \"order\", date, value, title) "
        + "VALUES ($1, 1, 1, $2, $3, $4, $5)")
    func saves(
      _ number: Int, _ stack: DatabaseStack, _ save: (ItemValues, Int64) throws -> Void
    ) throws -> Outcome {
      let rows = (0..<100).map { ItemValues(number * 100 + $0) }
      let duration = try ContinuousClock().measure {
        for (place, row) in rows.enumerated() {
          try save(row, Int64(number * rows.count + place + 1))
        }
      }
      return Outcome(duration: duration / rows.count, checksum: try stack.checksum())
    }
    return Scenario(
      unit: .microseconds,
      contestants: [
        .ours { number in
          try saves(number, ours) { row, _ in
            Item(context: ours.context).set(row)
            try ours.context.save()
          }
        },
        Contestant(name: "libpq") { number in
          try saves(number, other) { row, key in
            try raw.execute("BEGIN")
            try raw.run(
              "insert",
              [
                [UInt8](key), [UInt8](row.order), [UInt8](Int64((row.date + 366 * 86400) * 1e6)),
                [UInt8](row.value.bitPattern), Array(row.title.utf8),
              ])
            try raw.execute("COMMIT")
          }
        },
      ])
  }
}
