import CoreData
import Synchronization

/// What a fleet of servers asks of one store, beside plain SQL by libpq.
extension Scenario {
  /// `IN` of a thousand numbers, of a column without an index.
  static func databaseMembership(_ count: Int) throws -> Scenario {
    let stack = try filled(owners: 1, members: count)
    let raw = try RawDatabase(stack.url)
    let values = (0..<1000).map { $0 * 3 }
    let list = values.map(String.init).joined(separator: ",")
    return Scenario(
      unit: .milliseconds,
      contestants: [
        .ours { _ in
          let request = NSFetchRequest<Item>(entityName: "Item")
          request.predicate = NSPredicate(format: "order IN %@", values)
          return try counted { try stack.context.count(for: request) }
        },
        Contestant(name: "libpq") { _ in
          try counted {
            try raw.number(
              "SELECT count(*) FROM \"Item\" WHERE \"order\" = ANY('{\(list)}'::bigint[])")
          }
        },
      ])
  }

  /// The titles of the members of many objects, whose relationship nobody has read ahead.
  static func databaseMembers(_ owners: Int) throws -> Scenario {
    let stack = try filled(owners: owners, members: owners * 100)
    let raw = try RawDatabase(stack.url)
    return Scenario(
      unit: .milliseconds,
      contestants: [
        .ours { _ in
          stack.context.reset()
          return try counted {
            let request = NSFetchRequest<Item>(entityName: "Item")
            request.predicate = NSPredicate(format: "parent == nil")
            return try stack.context.fetch(request).reduce(0) { sum, owner in
              let members = owner.value(forKey: "children") as? Set<Item> ?? []
              return sum + members.reduce(0) { $0 + ($1.title?.utf8.count ?? 0) }
            }
          }
        },
        Contestant(name: "libpq") { _ in
          try counted {
            try raw.numbers("SELECT _key FROM \"Item\" WHERE parent IS NULL").reduce(0) {
              try $0
                + raw.numbers("SELECT octet_length(title) FROM \"Item\" WHERE parent = \($1)")
                .reduce(0, +)
            }
          }
        },
      ])
  }

  /// A batch update of all rows while eight others save some of them.
  static func databaseBatchBesideWriters(_ count: Int) throws -> Scenario {
    let stack = try filled(owners: 1, members: count)
    let raw = try RawDatabase(stack.url)
    func besideWriters(_ body: () throws -> Int) throws -> Outcome {
      let isOver = Atomic(false)
      let group = DispatchGroup()
      for _ in 0..<8 {
        let writer = try Handed(RawDatabase(stack.url))
        group.enter()
        Thread.detachNewThread {
          defer { group.leave() }
          while !isOver.load(ordering: .relaxed) {
            // One row for each transaction, as a saver has it.
            try? writer.value.execute(
              "UPDATE \"Item\" SET value = value, _version = _version + 1 "
                + "WHERE \"order\" = \(Int.random(in: 0..<count)) AND parent IS NOT NULL")
          }
        }
      }
      defer {
        isOver.store(true, ordering: .relaxed)
        group.wait()
      }
      return try counted(body)
    }
    return Scenario(
      unit: .milliseconds,
      contestants: [
        .ours { number in
          let update = NSBatchUpdateRequest(entityName: "Item")
          update.propertiesToUpdate = ["value": Double(number)]
          update.resultType = .updatedObjectsCountResultType
          return try besideWriters {
            (try stack.context.execute(update) as? NSBatchUpdateResult)?.result as? Int ?? 0
          }
        },
        Contestant(name: "libpq") { number in
          try besideWriters {
            try raw.execute("UPDATE \"Item\" SET value = \(number), _version = _version + 1")
            return count + 1
          }
        },
      ])
  }

  /// The longest that anything else had to wait while so many tasks each asked for a count.
  static func databaseHeartbeat(_ count: Int) throws -> Scenario {
    let stack = try filled(owners: 1, members: 100)
    let container = NSPersistentContainer(name: "Item", managedObjectModel: ItemModel.make())
    let description = NSPersistentStoreDescription(url: stack.url)
    description.type = NSPersistentStore.StoreType.postgreSQL.rawValue
    container.persistentStoreDescriptions = [description]
    container.loadPersistentStores { _, _ in }
    let queues = try (0..<8).map { number in
      (DispatchQueue(label: "libpq \(number)"), try Handed(RawDatabase(stack.url)))
    }
    return Scenario(
      unit: .milliseconds,
      contestants: [
        .ours { _ in
          try beating(count) { _ in
            try await container.performBackgroundTask { context in
              try context.count(for: NSFetchRequest<Item>(entityName: "Item"))
            }
          }
        },
        Contestant(name: "libpq") { _ in
          try beating(count) { number in
            let (queue, raw) = queues[number % queues.count]
            return try await withCheckedThrowingContinuation { continuation in
              queue.async {
                continuation.resume(
                  with: Result { try raw.value.number("SELECT count(*) FROM \"Item\"") })
              }
            }
          }
        },
      ])
  }

  // MARK: - Helpers

  private static func filled(owners: Int, members: Int) throws -> DatabaseStack {
    let stack = try DatabaseStack(try DatabaseServer.newSchema())
    let parents = (0..<owners).map { number in
      let parent = Item(context: stack.context)
      parent.order = Int64(-1 - number)
      return parent
    }
    for (number, row) in ItemValues.make(count: members).enumerated() {
      let item = Item(context: stack.context)
      item.set(row)
      item.order = Int64(number)
      item.parent = parents[number % owners]
    }
    try stack.context.save()
    stack.context.reset()
    return stack
  }

  private static func counted(_ body: () throws -> Int) throws -> Outcome {
    var checksum = Checksum()
    let duration = try ContinuousClock().measure { checksum.add(try body()) }
    return Outcome(duration: duration, checksum: checksum)
  }

  private static func beating(
    _ count: Int, _ body: @escaping @Sendable (Int) async throws -> Int
  ) throws -> Outcome {
    let pulse = Pulse()
    let isOver = DispatchSemaphore(value: 0)
    Task.detached {
      let heart = Task.detached {
        var last = ContinuousClock.now
        while !Task.isCancelled {
          try? await Task.sleep(for: .milliseconds(5))
          let now = ContinuousClock.now
          pulse.longest.withLock { $0 = max($0, now - last) }
          last = now
        }
      }
      await withTaskGroup(of: Int.self) { group in
        for number in 0..<count { group.addTask { (try? await body(number)) ?? 0 } }
        for await found in group { pulse.sum.withLock { $0 += found } }
      }
      heart.cancel()
      isOver.signal()
    }
    isOver.wait()
    var checksum = Checksum()
    checksum.add(pulse.sum.withLock { $0 })
    return Outcome(duration: pulse.longest.withLock { $0 }, checksum: checksum)
  }

  private final class Pulse: Sendable {
    /// The longest time between two beats.
    let longest = Mutex(Duration.zero)
    let sum = Mutex(0)
  }

  /// Sendable: used by one thread at a time.
  private struct Handed: @unchecked Sendable {
    let value: RawDatabase

    init(_ value: RawDatabase) { self.value = value }
  }
}
