import CoreData

/// A large import in batches, as `import` has it for files: into a PostgreSQL store, by COPY of libpq into a table of the
/// same form, and, to compare, into a SQLite store of ours.
extension Scenario {
  static func databaseImport(_ count: Int, in workspace: Workspace) throws -> Scenario {
    let rows = ItemValues.make(count: count)
    let work = ItemImport(count: count) { rows[$0] }
    let empty = try Fixture.emptyStore(in: workspace)
    return Scenario(
      unit: .milliseconds,
      contestants: [
        .ours { _ in
          let stack = try DatabaseStack(try DatabaseServer.newSchema())
          let duration = try ContinuousClock().measure { try work.run(into: stack.context) }
          return Outcome(duration: duration, checksum: try stack.countChecksum())
        },
        Contestant(name: "libpq COPY") { _ in
          let stack = try DatabaseStack(try DatabaseServer.newSchema())
          let raw = try RawDatabase(stack.url)
          let duration = try ContinuousClock().measure { try work.run(into: raw) }
          return Outcome(duration: duration, checksum: try stack.countChecksum())
        },
        Contestant(name: "ours on SQLite") { _ in
          let store = try workspace.copy(of: empty)
          defer { workspace.delete(store) }
          let stack = try Stack(store)
          let duration = try ContinuousClock().measure { try work.run(into: stack.context) }
          let checksum = try stack.context.countChecksum()
          try stack.close()
          return Outcome(duration: duration, checksum: checksum)
        },
      ])
  }

  static func databaseImportMemory(_ count: Int) throws -> Scenario {
    func run(_ work: MemoryWork) -> (Int) throws -> Outcome {
      { _ in
        // Made here, so that what making it takes does not count.
        let url = try DatabaseServer.newSchema()
        _ = try DatabaseStack(url)
        return try MemoryProbe.measure(work, on: url, count: count)
      }
    }
    return Scenario(
      unit: .megabytes,
      contestants: [
        .ours(run: run(.importServer)), Contestant(name: "libpq COPY", run: run(.copyServer)),
      ])
  }
}

extension MemoryWork {
  static var importServer: MemoryWork {
    MemoryWork(name: "import into a server, ours") { store, count, begin in
      let stack = try DatabaseStack(store)
      _ = try stack.context.count(for: NSFetchRequest<Item>(entityName: "Item"))
      begin()
      try ItemImport(count: count, row: ItemValues.init).run(into: stack.context)
      return try stack.countChecksum()
    }
  }

  static var copyServer: MemoryWork {
    MemoryWork(name: "import into a server, raw") { store, count, begin in
      let raw = try RawDatabase(store)
      begin()
      try ItemImport(count: count, row: ItemValues.init).run(into: raw)
      return try DatabaseStack(store).countChecksum()
    }
  }
}

extension ItemImport {
  fileprivate func run(into raw: RawDatabase) throws {
    for batch in batches {
      try raw.execute("BEGIN")
      try raw.copy(batch.map(row), startingAt: Int64(batch.lowerBound + 1))
      try raw.execute("COMMIT")
    }
  }
}

extension DatabaseStack {
  fileprivate func countChecksum() throws -> Checksum { try context.countChecksum() }
}

extension NSManagedObjectContext {
  /// Of how many items there are, and of the numbers of the last ones.
  fileprivate func countChecksum() throws -> Checksum {
    var checksum = Checksum()
    let request = NSFetchRequest<Item>(entityName: "Item")
    checksum.add(Int64(try count(for: request)))
    request.sortDescriptors = [NSSortDescriptor(key: "order", ascending: false)]
    request.fetchLimit = 100
    for item in try fetch(request) {
      checksum.add(item.title)
      checksum.add(item.order)
      checksum.add(item.value)
    }
    reset()
    return checksum
  }
}
