import CoreData
import Testing

@testable import CoreDataSync

/// A delete rule that does nothing, and what it leaves behind.
@Suite struct NoActionTests {
  @Test(arguments: [false, true], [false, true])
  func aRuleThatDoesNothingStopsNothing(isToMany: Bool, isOrdered: Bool) async throws {
    try await delete(isToMany: isToMany, isOrdered: isOrdered)
  }

  private func delete(isToMany: Bool, isOrdered: Bool) async throws {
    let parent = Draft.entity("Parent", [Draft.text("name")])
    let child = Draft.entity("Child", [Draft.text("name")])
    Draft.join(
      Draft.end(
        parent, "children", to: child, max: isToMany ? 0 : 1, .noActionDeleteRule,
        isOrdered: isToMany && isOrdered),
      Draft.end(child, "parent", to: parent, max: 1))
    let devices = try Devices(Draft.model([parent, child]))
    try devices.a.edit { context in
      let parent = context.insert("Parent", ["name": "p"])
      context.insert("Child", ["name": "c", "parent": parent])
    }
    try await devices.settleWholly()
    try devices.a.edit { try $0.delete($0.find("Parent", "name", "p")) }
    try await devices.settleWholly()
    try devices.b.edit { $0.insert("Child", ["name": "of b"]) }
    try devices.a.edit { $0.insert("Child", ["name": "of a"]) }
    try await devices.settleWholly()
    try devices.expect("Child", "name", ["c", "of a", "of b"])
    try devices.expect("Parent", "name", [])
  }
}
