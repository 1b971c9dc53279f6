import CoreData

/// A root is deleted with its subtree, which the delete rule reaches level by level; the deletion is
/// undone, and done again. Nobody else does this work: two sizes show how it grows.
extension Scenario {
  static func undoDelete(_ count: Int, in workspace: Workspace) throws -> Scenario {
    let fixture = try Fixture(count: count, in: workspace)
    // Ten children to a parent: key 234 is a child of key 23.
    try RawConnection(fixture.url).execute(
      "UPDATE ZITEM SET ZPARENT = MAX(1, Z_PK / 10) WHERE Z_PK > 1")
    return Scenario(
      unit: .milliseconds,
      contestants: [.ours { _ in try deleteUndoRedo(fixture, workspace) }])
  }

  private static func deleteUndoRedo(
    _ fixture: Fixture, _ workspace: Workspace
  ) throws -> Outcome {
    let stack = try workspace.opening("ours") { try Stack(fixture.url) }
    let context = stack.context
    context.undoManager = UndoManager()
    let root = try context.root()
    var gone: [Int] = []
    let duration = ContinuousClock().measure {
      context.delete(root)
      context.processPendingChanges()
      gone.append(context.deletedObjects.count)
      context.undo()
      gone.append(context.deletedObjects.count)
      context.redo()
      gone.append(context.deletedObjects.count)
    }
    let all = fixture.rows.count + 1
    for (found, expected) in zip(gone, [all, 0, all]) {
      try BenchmarkError.expect("Deleted objects", found, toBe: expected)
    }
    try stack.close()
    return Outcome(duration: duration, checksum: Checksum())
  }
}
