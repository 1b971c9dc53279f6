import CoreData
import CoreDataSupport
import TestSupport
import Testing

@testable import CoreDataSync

/// A delete rule that does nothing, and what it leaves behind.
@Suite struct NoActionTests {
  @Test(arguments: Sample.of([false, true], [false, true]))
  func aRuleThatDoesNothingStopsNothing(isToMany: Bool, isOrdered: Bool) async throws {
    try await delete(isToMany: isToMany, isOrdered: isOrdered)
  }

  private func delete(isToMany: Bool, isOrdered: Bool) async throws {
    let parent = ModelPart.entity("Parent", [ModelPart.attribute("name")])
    let child = ModelPart.entity("Child", [ModelPart.attribute("name")])
    ModelPart.connect(
      ModelPart.end(
        parent, "children", to: child, maxCount: isToMany ? 0 : 1, rule: .noActionDeleteRule,
        isOrdered: isToMany && isOrdered),
      ModelPart.end(child, "parent", to: parent, maxCount: 1))
    let devices = try Devices(ModelPart.model([parent, child]))
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
