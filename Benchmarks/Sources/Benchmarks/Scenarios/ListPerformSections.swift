import CoreData
import RawSQLite

/// The first fetch of a list with sections, grouped by a stored attribute: one section to a thousand rows.
/// First without a section cache, then with one that an earlier fetch has left. The peer is the bare query
/// for the keys in that order, which has an index; it does not look for sections.
extension Scenario {
  static func listPerformSections(_ count: Int, in workspace: Workspace) throws -> Scenario {
    let keys = ["title", "order"]
    let store = try Fixture(count: count, indexedBy: keys, in: workspace).url
    let sections = max(10, count / 1000)
    try RawConnection(store).execute(
      """
      UPDATE ZITEM
      SET ZTITLE = printf('Section %06d', MAX(ZORDER, 0) * \(sections) / \(2 * count))
      """)
    let list = OrderedList(store: store, keys: keys, sections: sections, workspace: workspace)
    let cacheName = "benchmarks"
    return Scenario(
      unit: .milliseconds,
      contestants: [
        .ours { _ in try list.perform() },
        .ours(way: "cached") { _ in try list.perform(cacheName: cacheName) },
        Contestant(name: "raw") { _ in try list.performRaw() },
      ])
  }
}
