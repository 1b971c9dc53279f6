import CoreDataSupport
import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

/// The column beside a relationship that says of which entity the other object is: there once the other object may be
/// of several entities, so it comes and goes with parents and subentities.
struct EntityColumnTests {
  /// Where the objects that a node leads to are, and who is above and below them.
  struct Form: CustomTestStringConvertible {
    var leadsToItself: Bool
    var hasParent: Bool
    var hasSubentity: Bool
    /// By an inverse that is to-one too, to-many, or by none.
    var inverse: Inverse

    enum Inverse: CaseIterable { case toOne, toMany, none }

    var testDescription: String {
      "\(leadsToItself ? "itself" : "another"), \(hasParent ? "parent" : "root"), "
        + "\(hasSubentity ? "subentity" : "leaf"), \(inverse)"
    }
  }

  private static let both = [false, true]

  static let changes: [(Form, Form)] = both.flatMap { leadsToItself in
    Form.Inverse.allCases.flatMap { inverse in
      let forms = both.flatMap { hasParent in
        both.map { hasSubentity in
          Form(
            leadsToItself: leadsToItself, hasParent: hasParent, hasSubentity: hasSubentity,
            inverse: inverse)
        }
      }
      return forms.flatMap { old in
        forms.filter { $0.testDescription != old.testDescription }.map { (old, $0) }
      }
    }
  }

  private func model(_ form: Form) -> NSManagedObjectModel {
    let node = NSEntityDescription()
    node.name = "Node"
    let target = form.leadsToItself ? node : NSEntityDescription()
    if !form.leadsToItself { target.name = "Target" }
    let next = NSRelationshipDescription()
    (next.name, next.maxCount, next.destinationEntity) = ("next", 1, target)
    let back = NSRelationshipDescription()
    (back.name, back.destinationEntity) = ("back", node)
    back.maxCount = form.inverse == .toOne ? 1 : 0
    node.properties = [next]
    if form.inverse != .none {
      (next.inverseRelationship, back.inverseRelationship) = (back, next)
      target.properties.append(back)
    }
    var entities = form.leadsToItself ? [node] : [node, target]
    if form.hasSubentity {
      let sub = NSEntityDescription()
      sub.name = "Sub"
      target.subentities = [sub]
      entities.append(sub)
    }
    if form.hasParent {
      let parent = NSEntityDescription()
      parent.name = "Above"
      parent.subentities = [target]
      entities.append(parent)
    }
    let model = NSManagedObjectModel()
    model.entities = entities
    return model
  }

  /// Three nodes, each of which leads to one object but the last.
  private func fill(_ url: URL, _ form: Form) throws {
    let fixture = try StoreFixture(model(form), at: url)
    let context = fixture.coordinator.makeContext()
    try context.performAndWait {
      func make(_ name: String) -> NSManagedObject {
        NSEntityDescription.insertNewObject(forEntityName: name, into: context)
      }
      let nodes = (0..<3).map { _ in make("Node") }
      let others = form.leadsToItself ? [nodes[1], nodes[2]] : [make("Target"), make("Target")]
      for (node, other) in zip(nodes, others) { node.setValue(other, forKey: "next") }
      try context.save()
    }
    try fixture.close()
  }

  /// How many nodes lead somewhere.
  private func led(_ url: URL, _ form: Form) throws -> Int {
    let fixture = try StoreFixture(model(form), at: url, options: VersionFolder.migrating)
    let context = fixture.coordinator.makeContext()
    let count = try context.performAndWait {
      try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Node")).count {
        ($0.value(forKey: "next") as? NSManagedObject)?.entity.name
          == (form.leadsToItself ? "Node" : "Target")
      }
    }
    try fixture.close()
    return count
  }

  @Test(arguments: Sample.of(changes))
  func theColumnSaysWhatTheOtherObjectIs(_ old: Form, _ new: Form) throws {
    let url = try StoreFixture.makeFolder().appendingPathComponent("Store.sqlite")
    try fill(url, old)
    #expect(try led(url, new) == 2)
    let checked = try StoreChecker.checkRows(url)
    #expect(checked.status == 0, "\(checked.text)")
  }
}
