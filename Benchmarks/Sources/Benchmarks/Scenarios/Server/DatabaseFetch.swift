import CoreData

/// Every row of a PostgreSQL store as an object of a class, and every value of each read once, over a Unix socket.
extension Scenario {
  static func databaseFetch(_ count: Int) throws -> Scenario {
    let url = try DatabaseServer.newSchema()
    let stack = try DatabaseStack(url)
    let rows = ItemValues.make(count: count)
    let root = Item(context: stack.context)
    root.order = -1
    for row in rows {
      let item = Item(context: stack.context)
      item.set(row)
      item.parent = root
    }
    try stack.context.save()
    stack.context.reset()
    let raw = try RawDatabase(url)
    return Scenario(
      unit: .milliseconds,
      contestants: [
        .ours { _ in
          stack.context.reset()
          _ = try stack.context.root()
          return try measured {
            try stack.context.fetch(Item.allChildren)
          } reading: { item, sum in
            sum.add(item.title)
            sum.add(item.order)
            sum.add(item.date?.timeIntervalSinceReferenceDate ?? 0)
            sum.add(item.value)
          }
        },
        Contestant(name: "libpq") { _ in
          try measured {
            try raw.allChildren()
          } reading: { item, sum in
            sum.add(item.title)
            sum.add(item.order)
            sum.add(item.date?.timeIntervalSinceReferenceDate ?? 0)
            sum.add(item.value)
          }
        },
      ])
  }

  private static func measured<Object>(
    _ fetch: () throws -> [Object], reading read: (Object, inout Checksum) -> Void
  ) throws -> Outcome {
    var checksum = Checksum()
    var items: [Object] = []
    let duration = try ContinuousClock().measure {
      items = try fetch()
      for item in items {
        checksum.addRow()
        read(item, &checksum)
      }
    }
    return Outcome(duration: duration, checksum: checksum)
  }
}
