import CoreData
import Foundation

/// What a program has many of: observers, contexts, members, changes. Nobody else does this work: two sizes of each show
/// whether it grows faster than it should.
extension Scenario {
  /// One object is saved while `count` observers listen to the context's notifications.
  static func observers(_ count: Int, in workspace: Workspace) throws -> Scenario {
    // In memory: the disk would hide what observers take.
    let stack = try Stack(URL(fileURLWithPath: "/dev/null"), model: ItemModel.make())
    let root = Item(context: stack.context)
    try stack.context.save()
    let names: [Notification.Name] = [
      .NSManagedObjectContextObjectsDidChange, .NSManagedObjectContextDidSave,
    ]
    let told = Told()
    let tokens = (0..<count).map { number in
      NotificationCenter.default.addObserver(
        forName: names[number % 2], object: stack.context, queue: nil
      ) { told.count += $0.userInfo?.count ?? 0 }
    }
    return .growing(.microseconds) { number in
      let duration = try ContinuousClock().measure {
        for step in 0..<10 {
          root.order = Int64(-10 * number - step - 2)
          try stack.context.save()
        }
      }
      return withExtendedLifetime(tokens) { duration / 10 }
    }
  }

  /// As many contexts have one object each; one of them saves, and the others take that over.
  static func contexts(_ count: Int, in workspace: Workspace) throws -> Scenario {
    let fixture = try Fixture(count: count, in: workspace)
    let stack = try workspace.opening("ours") { try Stack(workspace.copy(of: fixture.url)) }
    let keys = Array(fixture.keys)
    let contexts = (0..<count).map { _ in stack.backgroundContext() }
    let items = try zip(contexts, keys).map { context, key in
      context.automaticallyMergesChangesFromParent = true
      return try context.performAndWait {
        let request = NSFetchRequest<Item>(entityName: "Item")
        request.predicate = NSPredicate(format: "order = %@", 2 * (key - 2))
        return try context.fetch(request)[0]
      }
    }
    return .growing(.milliseconds) { number in
      try ContinuousClock().measure {
        try contexts[0].performAndWait {
          items[0].value = Double(number)
          try contexts[0].save()
        }
        // Each has merged when its queue has come to this.
        for (context, item) in zip(contexts, items) { context.performAndWait { _ = item.value } }
      }
    }
  }

  /// `count` objects are changed in one group, which is undone and done again.
  static func undoChanges(_ count: Int, in workspace: Workspace) throws -> Scenario {
    let fixture = try Fixture(count: count, in: workspace)
    return .growing(.milliseconds) { number in
      let stack = try workspace.opening("ours") { try Stack(fixture.url) }
      let context = stack.context
      context.undoManager = UndoManager()
      let items = try context.fetch(NSFetchRequest<Item>(entityName: "Item"))
      let duration = ContinuousClock().measure {
        for item in items { item.order += 1 }
        context.processPendingChanges()
        context.undo()
        context.redo()
      }
      try BenchmarkError.expect("Changed objects", context.updatedObjects.count, toBe: count + 1)
      try stack.close()
      return duration
    }
  }

  /// The members of a to-many relationship are read, counted and looked for.
  static func members(_ count: Int, in workspace: Workspace) throws -> Scenario {
    let fixture = try Fixture(count: count, in: workspace)
    return .growing(.milliseconds) { number in
      let stack = try workspace.opening("ours") { try Stack(fixture.url) }
      let root = try stack.context.root()
      var found = 0
      let duration = ContinuousClock().measure {
        let members = root.children
        found = members.count
        if let one = members.first, !members.contains(one) { found = 0 }
      }
      try BenchmarkError.expect("Members", found, toBe: count)
      try stack.close()
      return duration
    }
  }

  /// Ours alone, without a checksum: each run checks itself.
  static func growing(_ unit: Unit, _ run: @escaping (Int) throws -> Duration) -> Scenario {
    Scenario(
      unit: unit,
      contestants: [.ours { Outcome(duration: try run($0), checksum: Checksum()) }])
  }
}

/// Counts on the thread that saves.
private final class Told: @unchecked Sendable {
  var count = 0
}
