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
  ///
  /// The first peer writes the row and no more. The second one leaves the mark by which a save whose answer is lost is
  /// found again, as each save of a store does: the same statements, each sent by itself.
  static func databaseSave() throws -> Scenario {
    let ours = try DatabaseStack(try DatabaseServer.newSchema())
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
        try .rawSaves("libpq", isMarked: false, saves),
        try .rawSaves("libpq, marked too", isMarked: true, saves),
      ])
  }
}

extension Contestant {
  fileprivate static func rawSaves(
    _ name: String, isMarked: Bool,
    _ saves: @escaping (Int, DatabaseStack, (ItemValues, Int64) throws -> Void) throws -> Outcome
  ) throws -> Contestant {
    let stack = try DatabaseStack(try DatabaseServer.newSchema())
    let raw = try RawDatabase(stack.url)
    try raw.prepare(
      "insert",
      "INSERT INTO \"Item\" (_key, _version, _entity, \"order\", date, value, title) "
        + "VALUES ($1, 1, 1, $2, $3, $4, $5)")
    try raw.prepare(
      "mark",
      "INSERT INTO _coredata_savers AS t (saver, save, time) VALUES ($1, $2, now()) "
        + "ON CONFLICT (saver) DO UPDATE SET save = $2 / (t.save >= 0)::integer, time = now()")
    let saver = [UInt8](repeating: 7, count: 16)
    return Contestant(name: name) { number in
      try saves(number, stack) { row, key in
        try raw.execute("BEGIN")
        try raw.run(
          "insert",
          [
            [UInt8](key), [UInt8](row.order), [UInt8](Int64((row.date + 366 * 86400) * 1e6)),
            [UInt8](row.value.bitPattern), Array(row.title.utf8),
          ])
        if isMarked { try raw.run("mark", [saver, [UInt8](key)]) }
        try raw.execute("COMMIT")
      }
    }
  }
}
