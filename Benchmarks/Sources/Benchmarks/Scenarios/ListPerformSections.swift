import CoreData
import CSQLite

/// The first fetch of a list with sections, grouped by a stored attribute: one section to a thousand rows.
/// First without a section cache, then with one that an earlier fetch has left; then by a name that the class
/// computes, of which the controller was promised that equal ones are neighbours. The peer is the bare query
/// for the keys in that order, which has an index; it does not look for sections. A second one does, by halving, with
/// one look-up by key after the other: the least that anybody has to do who is not told how long a section is.
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
        .ours(way: "computed") { _ in try list.perform(sectionedBy: "heading") },
        Contestant(name: "raw") { _ in try list.performRaw() },
        Contestant(name: "raw, sections too") { _ in try list.performRawSections() },
        Contestant(name: "limit") { _ in try list.performLimitSections() },
      ])
  }
}
