import CoreDataSupport
import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

/// Counts and sums over relationships of an entity with itself, where objects are members of themselves: triggers,
/// batches and migrations leave what counting anew says.
@Suite struct SelfMembershipTests {
  enum Shape: CaseIterable {
    case oneToMany, ordered, ofSubentity, withoutInverse
    case manyToMany, orderedManyToMany, selfInverse

    var isOrdered: Bool { self == .ordered || self == .orderedManyToMany }
  }

  enum Way: CaseIterable { case columnsAdded, tableRebuilt, rows, objects }

  // MARK: - Model

  /// `names` are plain attributes, so that versions differ.
  private static func model(_ shape: Shape, _ names: [String] = ["old"]) -> NSManagedObjectModel {
    let (thing, node) = (ModelPart.entity("Thing"), ModelPart.entity("Node"))
    let members = ModelPart.relationship(
      "members", to: node, maxCount: 0, isOrdered: shape.isOrdered)
    var back: NSRelationshipDescription?
    switch shape {
    case .oneToMany, .ordered, .ofSubentity:
      back = ModelPart.relationship("owner", to: node, maxCount: 1)
    case .manyToMany, .orderedManyToMany:
      back = ModelPart.relationship("owners", to: node, maxCount: 0)
    case .selfInverse: members.inverseRelationship = members
    case .withoutInverse: break
    }
    if let back { ModelPart.connect(members, back) }
    node.properties =
      [ModelPart.attribute("weight", .integer64AttributeType), members]
      + names.map { ModelPart.attribute($0, .stringAttributeType) }
      + [derived("count", "members.@count"), derived("sum", "members.weight.@sum")]
      + (back.map { [$0] } ?? [])
    if shape == .ofSubentity { thing.subentities = [node] }
    let model = NSManagedObjectModel()
    model.entities = [thing, node]
    return model
  }

  private static func derived(
    _ name: String, _ expression: String
  ) -> NSDerivedAttributeDescription {
    let attribute = NSDerivedAttributeDescription()
    attribute.name = name
    attribute.attributeType = .integer64AttributeType
    attribute.isOptional = true
    attribute.derivationExpression = NSExpression(format: expression)
    return attribute
  }

  // MARK: - Objects

  private struct Store {
    let shape: Shape
    let fixture: StoreFixture
    let context: NSManagedObjectContext

    init(_ shape: Shape, _ fixture: StoreFixture) {
      (self.shape, self.fixture) = (shape, fixture)
      context = NSManagedObjectContext(.privateQueue)
      context.persistentStoreCoordinator = fixture.coordinator
    }

    func nodes() throws -> [NSManagedObject] {
      let request = NSFetchRequest<NSManagedObject>(entityName: "Node")
      request.sortDescriptors = [NSSortDescriptor(key: "weight", ascending: true)]
      return try context.fetch(request)
    }

    static func members(_ node: NSManagedObject) -> [NSManagedObject] {
      let value = node.value(forKey: "members")
      return ((value as? NSOrderedSet)?.array ?? (value as? NSSet)?.allObjects ?? [])
        .compactMap { $0 as? NSManagedObject }
    }

    func set(_ members: [NSManagedObject], of node: NSManagedObject) {
      node.setValue(
        shape.isOrdered ? NSOrderedSet(array: members) : NSSet(array: members), forKey: "members")
    }

    /// A save of some new objects, some changes and a deletion; half of the members are the object itself.
    func edit(_ random: inout SplitMix64) throws {
      var nodes = try nodes()
      if !nodes.isEmpty, Bool.random(using: &random) {
        context.delete(nodes.remove(at: Int.random(in: nodes.indices, using: &random)))
      }
      for _ in 0..<Int.random(in: 0...3, using: &random) {
        nodes.append(NSEntityDescription.insertNewObject(forEntityName: "Node", into: context))
      }
      for node in nodes where node.isInserted || Bool.random(using: &random) {
        if Bool.random(using: &random) {
          node.setValue(Int.random(in: 1...1000, using: &random), forKey: "weight")
        }
        var members = nodes.filter { _ in Int.random(in: 0..<3, using: &random) == 0 }
        if Bool.random(using: &random), !members.contains(node) { members.append(node) }
        if Int.random(in: 0..<3, using: &random) > 0 { set(members, of: node) }
      }
      try context.save()
      context.refreshAllObjects()
    }

    func expectRight(_ comment: String) throws -> Int {
      context.reset()
      var selfMembers = 0
      for node in try nodes() {
        let members = Self.members(node)
        if members.contains(node) { selfMembers += 1 }
        let sum = members.reduce(0) { $0 + (($1.value(forKey: "weight") as? Int) ?? 0) }
        #expect(node.value(forKey: "count") as? Int == members.count, "\(comment): count")
        #expect(node.value(forKey: "sum") as? Int == sum, "\(comment): sum")
      }
      return selfMembers
    }
  }

  @Test(arguments: Shape.allCases)
  func whatIsItsOwnMemberIsCountedOnce(_ shape: Shape) throws {
    let fixture = try StoreFixture(Self.model(shape))
    let store = Store(shape, fixture)
    try store.context.performAndWait {
      let node = NSEntityDescription.insertNewObject(forEntityName: "Node", into: store.context)
      node.setValue(5, forKey: "weight")
      store.set([node], of: node)
      try store.context.save()
      store.context.refreshAllObjects()
      #expect(node.value(forKey: "count") as? Int == 1)
      #expect(node.value(forKey: "sum") as? Int == 5)
      node.setValue(7, forKey: "weight")
      try store.context.save()
      store.context.refreshAllObjects()
      #expect(node.value(forKey: "sum") as? Int == 7)
      store.set([], of: node)
      try store.context.save()
      store.context.refreshAllObjects()
      #expect(node.value(forKey: "count") as? Int == 0)
      #expect(node.value(forKey: "sum") as? Int == 0)
    }
  }

  @Test(arguments: Shape.allCases)
  func savesLeaveWhatCountingSays(_ shape: Shape) throws {
    for seed in 1...UInt64(8) {
      var random = SplitMix64(seed: seed)
      let store = Store(shape, try StoreFixture(Self.model(shape)))
      try store.context.performAndWait {
        var selfMembers = 0
        for step in 1...8 {
          try store.edit(&random)
          selfMembers += try store.expectRight("\(shape), seed \(seed), save \(step)")
        }
        #expect(selfMembers > 0)
      }
    }
  }

  @Test(arguments: Shape.allCases)
  func batchesLeaveWhatCountingSays(_ shape: Shape) throws {
    for seed in 1...UInt64(4) {
      var random = SplitMix64(seed: seed)
      let store = Store(shape, try StoreFixture(Self.model(shape)))
      try store.context.performAndWait {
        let rows = (1...5).map { ["weight": $0] as [String: Any] }
        _ = try store.context.execute(NSBatchInsertRequest(entityName: "Node", objects: rows))
        _ = try store.expectRight("\(shape), seed \(seed), inserted")
        for _ in 1...3 { try store.edit(&random) }
        let update = NSBatchUpdateRequest(entityName: "Node")
        update.predicate = NSPredicate(format: "weight > 2")
        update.propertiesToUpdate = ["weight": NSExpression(format: "weight + 10")]
        _ = try store.context.execute(update)
        _ = try store.expectRight("\(shape), seed \(seed), updated")
        let deletion = NSFetchRequest<NSManagedObject>(entityName: "Node")
        deletion.predicate = NSPredicate(format: "count > 1")
        _ = try store.context.execute(NSBatchDeleteRequest(fetchRequest: deletion))
        _ = try store.expectRight("\(shape), seed \(seed), deleted")
      }
    }
  }

  @Test(arguments: Shape.allCases, Way.allCases)
  func migrationsLeaveWhatCountingSays(_ shape: Shape, _ way: Way) throws {
    var random = SplitMix64(seed: 3)
    let old = Self.model(shape, ["old"])
    let fixture = try StoreFixture(old)
    let store = Store(shape, fixture)
    try store.context.performAndWait { for _ in 1...6 { try store.edit(&random) } }
    try fixture.close()
    let new = Self.model(shape, way == .columnsAdded ? ["new", "old"] : ["new"])
    if way == .rows || way == .objects {
      let mapping = try NSMappingModel.inferredMappingModel(
        forSourceModel: old, destinationModel: new)
      if way == .objects {
        for entity in mapping.entityMappings {
          entity.entityMigrationPolicyClassName = NSStringFromClass(PlainPolicy.self)
        }
      }
      try StoreMigration(
        url: fixture.url, type: NSSQLiteStoreType, configuration: nil, options: [:],
        destination: new, route: .init(source: old, mapping: mapping, leavesPlace: true)
      ).run()
    }
    let after = Store(
      shape, try StoreFixture(new, at: fixture.url, options: VersionFolder.migrating))
    try after.context.performAndWait {
      #expect(try after.expectRight("\(shape), \(way)") > 0)
      for step in 1...4 {
        try after.edit(&random)
        _ = try after.expectRight("\(shape), \(way), save \(step)")
      }
    }
  }
}
