import CoreData

/// Fetched objects are given one parent, and that is saved: from the children's side, one by one, and
/// from the parent's, as a whole set. Nobody else does this work: two sizes show how it grows. Every run
/// gets a new copy of the store.
extension Scenario {
  static func relate(_ count: Int, in workspace: Workspace) throws -> Scenario {
    let fixture = try Fixture(count: count, in: workspace)
    try RawConnection(fixture.url).execute("UPDATE ZITEM SET ZPARENT = NULL")
    func run(_ relate: @escaping (Item, [Item]) -> Void) -> (Int) throws -> Outcome {
      workspace.onCopies(of: fixture.url) { try relateAndSave(count, $0, $1, relate) }
    }
    return Scenario(
      unit: .milliseconds,
      contestants: [
        .ours(run: run { parent, children in for child in children { child.parent = parent } }),
        .ours(way: "set", run: run { $0.setValue(Set<NSManagedObject>($1), forKey: "children") }),
      ])
  }

  private static func relateAndSave(
    _ count: Int, _ store: URL, _ workspace: Workspace, _ relate: (Item, [Item]) -> Void
  ) throws -> Duration {
    let stack = try workspace.opening("ours") { try Stack(store) }
    let root = try stack.context.root()
    let request = NSFetchRequest<Item>(entityName: "Item")
    request.predicate = NSPredicate(format: "SELF != %@", root)
    let children = try stack.context.fetch(request)
    let duration = try ContinuousClock().measure {
      relate(root, children)
      try stack.context.save()
    }
    try stack.close()
    let related = try RawConnection(store).number("SELECT COUNT(*) FROM ZITEM WHERE ZPARENT = 1")
    try BenchmarkError.expect("Children in the store", Int(related), toBe: count)
    return duration
  }
}
