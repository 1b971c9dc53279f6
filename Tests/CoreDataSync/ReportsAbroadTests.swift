import CoreData
import CoreDataSupport
import Synchronization
import Testing
import TestSupport

@testable import CoreDataSync

/// What users reported of other synchronisers: relationships, deletions and order.
@Suite struct ReportsAbroadTests {
  /// Owners with a name, and pets of one owner that others may walk.
  private static func pets() -> NSManagedObjectModel {
    let person = ModelPart.entity("Person", [ModelPart.attribute("name")])
    let pet = ModelPart.entity("Pet", [ModelPart.attribute("name")])
    ModelPart.connect(
      ModelPart.end(person, "pets", to: pet, isOrdered: true),
      ModelPart.end(pet, "owner", to: person, maxCount: 1)
    )
    ModelPart.connect(
      ModelPart.end(person, "walks", to: pet), ModelPart.end(pet, "walkers", to: person))
    return ModelPart.model([person, pet])
  }

  /// https://github.com/caiyue1993/IceCream/issues/238, with pages of every size.
  @Test(arguments: Sample.of([1, 2, 5, 1000]))
  func petsComeBackToTheirOwners(pageLimit: Int) async throws {
    let devices = try Devices(Self.pets(), others: [])
    try devices.a.edit { context in
      for person in 0..<6 {
        let owner = context.insert("Person", ["name": "\(person)"])
        for pet in 0..<person {
          context.insert("Pet", ["name": "\(person)\(pet)", "owner": owner])
        }
      }
    }
    try await devices.settleWholly()
    let again = try Phone(devices.cloud, model: Self.pets(), configuration: .init(zone: "zone"))
    again.pageLimit = pageLimit
    for _ in 0..<2 { try await again.sync() }
    try again.read { (context) throws in
      for person in 0..<6 {
        #expect(
          try context.find("Person", "name", "\(person)").names("pets")
            == (0..<person).map { "\(person)\($0)" })
      }
    }
    #expect(again.engine.status.toSend == 0)
    #expect(again.line.pushes.isEmpty)
  }

  /// https://github.com/3lvis/SwiftSync/issues/283
  @Test func twoRelationshipsToOneEntityAreTwo() async throws {
    let devices = try Devices(Self.pets())
    try devices.a.edit { context in
      let people = ["p", "q"].map { context.insert("Person", ["name": $0]) }
      context.insert("Pet", ["name": "owned", "owner": people[0]])
      context.insert("Pet", ["name": "walked", "walkers": Set(people)])
    }
    try await devices.settleWholly()
    try devices.b.edit { context in
      let p = try context.find("Person", "name", "p")
      try context.find("Pet", "name", "walked").setValue(p, forKey: "owner")
      try context.find("Pet", "name", "walked").mutableSetValue(forKey: "walkers").remove(p)
    }
    try await devices.settleWholly()
    for phone in devices.phones {
      try phone.read { context in
        let p = try context.find("Person", "name", "p")
        #expect(p.names("pets").sorted() == ["owned", "walked"])
        #expect(p.names("walks").isEmpty)
        #expect(try context.find("Pet", "name", "walked").names("walkers") == ["q"])
        #expect(try context.find("Pet", "name", "owned").names("walkers").isEmpty)
      }
    }
  }

  private static func keyed(_ rule: NSDeleteRule = .cascadeDeleteRule) -> NSManagedObjectModel {
    let parent = ModelPart.entity(
      "A", [ModelPart.attribute("name"), ModelPart.attribute("id", .UUIDAttributeType)])
    let child = ModelPart.entity(
      "B", [ModelPart.attribute("name"), ModelPart.attribute("id", .UUIDAttributeType)])
    for entity in [parent, child] {
      entity.userInfo = [SyncConfiguration.Annotation.identity: "id"]
    }
    ModelPart.connect(
      ModelPart.end(parent, "children", to: child, rule: rule, isOrdered: true),
      ModelPart.end(child, "parent", to: parent, maxCount: 1))
    return ModelPart.model([parent, child])
  }

  /// https://github.com/mentrena/SyncKit/issues/106
  @Test(arguments: [false, true])
  func aChildThatIsMadeAgainAndAgainHangsOnItsParent(isSyncedBetween: Bool) async throws {
    let devices = try Devices(Self.keyed())
    let (parentID, id) = (UUID(), UUID())
    try devices.a.edit { context in
      let parent = context.insert("A", ["name": "a", "id": parentID])
      context.insert("B", ["name": "0", "id": id, "parent": parent])
    }
    try await devices.settle()
    for number in 1...5 {
      try devices.a.edit { try $0.delete($0.find("B", "name", "\(number - 1)")) }
      if isSyncedBetween { try await devices.a.sync() }
      try devices.a.edit { context in
        let parent = try context.find("A", "name", "a")
        context.insert("B", ["name": "\(number)", "id": id, "parent": parent])
      }
      try await devices.a.restart()
      if isSyncedBetween { try await devices.settle() }
    }
    try await devices.settleWholly()
    try devices.expect("B", "name", ["5"])
    for phone in devices.phones {
      #expect(try phone.read { try $0.find("A", "name", "a").names("children") } == ["5"])
    }
  }

  /// https://github.com/realm/realm-js/pull/3449
  @Test(arguments: [false, true])
  func cyclesOfOneKeyOnTwoDevicesEndTheSame(endsWithDeletion: Bool) async throws {
    let devices = try Devices(Self.keyed())
    let id = UUID()
    func cycle(_ phone: Phone, _ name: String) throws {
      try phone.edit { context in for object in try context.all("B") { context.delete(object) } }
      try phone.edit { $0.insert("B", ["name": name, "id": id]) }
    }
    for round in 0..<4 {
      try cycle(devices.a, "a\(round)")
      try cycle(devices.b, "b\(round)")
      try cycle(devices.a, "A\(round)")
      if round % 2 == 0 { try await devices.a.sync() }
      try await devices.b.sync()
    }
    if endsWithDeletion {
      try await devices.settle()
      try devices.b.edit { context in for one in try context.all("B") { context.delete(one) } }
    }
    try await devices.settleWholly()
    #expect(try devices.a.count("B") == (endsWithDeletion ? 0 : 1))
    try devices.expect("B", "name", try devices.a.values("B", "name"))
  }

  /// https://github.com/realm/realm-core/issues/6191: three reorder one list many times, offline;
  /// members come and go meanwhile.
  @Test(arguments: Sample.of(0..<6))
  func aListThatAllReorderIsOneList(seed: UInt64) async throws {
    var random = SplitMix64(seed: seed &+ 1)
    let model = Self.pets()
    let devices = try Devices(model, others: [model, model])
    try devices.a.edit { context in
      let owner = context.insert("Person", ["name": "p"])
      for pet in 0..<7 { context.insert("Pet", ["name": "\(pet)", "owner": owner]) }
    }
    try await devices.settle()
    for round in 0..<3 {
      for (index, phone) in devices.phones.enumerated() {
        for step in 0..<4 {
          try phone.edit { context in
            let owner = try context.find("Person", "name", "p")
            let pets = owner.mutableOrderedSetValue(forKey: "pets")
            switch Int.random(in: 0..<6, using: &random) {
            case 0:
              let pet = context.insert("Pet", ["name": "\(round)\(index)\(step)"])
              pets.insert(pet, at: Int.random(in: 0...pets.count, using: &random))
            case 1 where pets.count > 4:
              pets.removeObject(at: Int.random(in: 0..<pets.count, using: &random))
            default:
              let from = Int.random(in: 0..<pets.count, using: &random)
              let to = Int.random(in: 0..<pets.count, using: &random)
              pets.moveObjects(at: IndexSet(integer: from), to: to)
            }
          }
        }
      }
      if round == 1 { try await devices.phones[2].sync() }
    }
    try await devices.settleWholly()
    let rows = try devices.phones.map { phone in
      try phone.read { try $0.find("Person", "name", "p").names("pets") }
    }
    #expect(rows[0] == rows[1] && rows[1] == rows[2])
    #expect(Set(rows[0]).count == rows[0].count)
    let third = try await devices.newcomer(model)
    #expect(try third.read { try $0.find("Person", "name", "p").names("pets") } == rows[0])
  }

  private static func orders(_ rule: NSDeleteRule) -> NSManagedObjectModel {
    let order = ModelPart.entity(
      "Order", [ModelPart.attribute("name"), ModelPart.attribute("state")])
    let detail = ModelPart.entity("Detail", [ModelPart.attribute("name")])
    ModelPart.connect(
      ModelPart.end(order, "details", to: detail, rule: rule),
      ModelPart.end(detail, "order", to: order, maxCount: 1, isOptional: false))
    return ModelPart.model([order, detail])
  }

  /// https://github.com/powersync-ja/powersync.dart/issues/414
  @Test func childrenStayWhenTheirParentIsEdited() async throws {
    let devices = try Devices(Self.orders(.cascadeDeleteRule))
    devices.b.pageLimit = 1
    try devices.a.edit { context in
      let order = context.insert("Order", ["name": "o"])
      for name in ["1", "2", "3"] { context.insert("Detail", ["name": name, "order": order]) }
    }
    try await devices.settle()
    for state in ["packed", "sent"] {
      try devices.a.edit { try $0.find("Order", "name", "o").setValue(state, forKey: "state") }
      try await devices.settleWholly()
      try devices.expect("Detail", "name", ["1", "2", "3"])
      try devices.expect("Order", "state", [state])
    }
  }

  /// https://github.com/Mimetis/Dotmim.Sync/issues/156
  @Test(
    arguments: Sample.of(
      [NSDeleteRule.denyDeleteRule, .noActionDeleteRule, .cascadeDeleteRule], [1, 500]))
  func anOrderAndItsDetailsGoInOneSave(rule: NSDeleteRule, pageLimit: Int) async throws {
    let devices = try Devices(Self.orders(rule))
    devices.b.pageLimit = pageLimit
    try devices.a.edit { context in
      for order in ["o", "p"] {
        let object = context.insert("Order", ["name": order])
        for name in ["1", "2"] {
          context.insert("Detail", ["name": order + name, "order": object])
        }
      }
    }
    try await devices.settle()
    try devices.a.edit { context in
      for name in ["o1", "o2"] { try context.delete(context.find("Detail", "name", name)) }
      context.processPendingChanges()
      try context.delete(context.find("Order", "name", "o"))
    }
    try await devices.settleWholly()
    try devices.expect("Order", "name", ["p"])
    try devices.expect("Detail", "name", ["p1", "p2"])
  }

  /// https://github.com/Mimetis/Dotmim.Sync/issues/711
  @Test func whoMayOnlyReadSeesDeletions() async throws {
    let devices = try Devices(Self.orders(.cascadeDeleteRule))
    devices.b.line.readOnly = ["Order", "Detail"]
    try devices.a.edit { context in
      for name in ["o", "p"] {
        let order = context.insert("Order", ["name": name])
        context.insert("Detail", ["name": name, "order": order])
      }
    }
    try await devices.settleWholly()
    try devices.a.edit { try $0.delete($0.find("Order", "name", "o")) }
    try await devices.settleWholly()
    try devices.expect("Order", "name", ["p"])
    try devices.expect("Detail", "name", ["p"])
    // What they delete themselves comes back with its details.
    try devices.b.edit { try $0.delete($0.find("Order", "name", "p")) }
    try await devices.settleWholly()
    try devices.expect("Order", "name", ["p"])
    try devices.expect("Detail", "name", ["p"])
  }

  /// https://github.com/submersion-app/submersion/issues/1950
  @Test(arguments: [false, true])
  func aPlanSurvivesTheDiveThatItWasMadeOf(isTurned: Bool) async throws {
    let dive = ModelPart.entity("Dive", [ModelPart.attribute("name")])
    let plan = ModelPart.entity("Plan", [ModelPart.attribute("name")])
    for name in ["source", "linked"] { ModelPart.end(plan, name, to: dive, maxCount: 1) }
    let devices = try Devices(ModelPart.model([dive, plan]))
    try devices.a.edit { context in
      let dives = ["d", "e"].map { context.insert("Dive", ["name": $0]) }
      context.insert("Plan", ["name": "p", "source": dives[0], "linked": dives[1]])
    }
    try await devices.settle()
    try devices.a.edit { context in
      let d = try context.find("Dive", "name", "d")
      d.setValue("edited", forKey: "name")
      context.insert("Plan", ["name": "q", "source": d, "linked": d])
      try context.find("Plan", "name", "p").setValue(d, forKey: "linked")
    }
    try devices.b.edit { context in
      try context.find("Plan", "name", "p").setValue(nil, forKey: "source")
      try context.delete(context.find("Dive", "name", "d"))
    }
    for phone in isTurned ? devices.phones.reversed() : devices.phones { try await phone.sync() }
    try await devices.settleWholly()
    try devices.expect("Dive", "name", ["e"])
    try devices.expect("Plan", "name", ["p", "q"])
    for phone in devices.phones {
      try phone.read { context in
        for plan in try context.all("Plan") {
          #expect(plan.value(forKey: "source") == nil && plan.value(forKey: "linked") == nil)
        }
      }
    }
    #expect(devices.a.engine.status.losses.contains { $0.value == .text("edited") })
  }

  /// https://github.com/mentrena/SyncKit/issues/51
  @Test(arguments: [false, true])
  func anObjectWithTwoParentsGoesWithEither(isMovedMeanwhile: Bool) async throws {
    let state = ModelPart.entity("State", [ModelPart.attribute("name")])
    let person = ModelPart.entity("Person", [ModelPart.attribute("name")])
    let address = ModelPart.entity("Address", [ModelPart.attribute("name")])
    for (entity, name) in [(state, "state"), (person, "person")] {
      ModelPart.connect(
        ModelPart.end(entity, "addresses", to: address, rule: .cascadeDeleteRule),
        ModelPart.end(address, name, to: entity, maxCount: 1))
    }
    let devices = try Devices(ModelPart.model([state, person, address]))
    try devices.a.edit { context in
      let states = ["s", "t"].map { context.insert("State", ["name": $0]) }
      let people = ["p", "q"].map { context.insert("Person", ["name": $0]) }
      for (x, state) in states.enumerated() {
        for (y, person) in people.enumerated() {
          context.insert("Address", ["name": "\(x)\(y)", "state": state, "person": person])
        }
      }
    }
    try await devices.settle()
    try devices.a.edit { try $0.delete($0.find("State", "name", "s")) }
    try devices.b.edit { context in
      if isMovedMeanwhile {
        try context.find("Address", "name", "01")
          .setValue(context.find("State", "name", "t"), forKey: "state")
      }
      try context.delete(context.find("Person", "name", "p"))
    }
    try await devices.settleWholly()
    try devices.expect("Address", "name", isMovedMeanwhile ? ["01", "11"] : ["11"])
  }

  /// https://github.com/mentrena/SyncKit/issues/189
  @Test func theFirstChildIsNoConflictOfItsParent() async throws {
    let devices = try Devices(Self.orders(.cascadeDeleteRule))
    try devices.a.edit { $0.insert("Order", ["name": "o"]) }
    try await devices.settle()
    try devices.a.edit { context in
      context.insert("Detail", ["name": "1", "order": try context.find("Order", "name", "o")])
    }
    try devices.b.edit { try $0.find("Order", "name", "o").setValue("of b", forKey: "state") }
    try await devices.settleWholly()
    try devices.expect("Order", "state", ["of b"])
    try devices.expect("Detail", "name", ["1"])
    #expect(devices.phones.allSatisfy { $0.engine.status.lossCount == 0 })
  }

  /// https://github.com/3lvis/SwiftSync/issues/447
  @Test func whatTwoRelationshipsLeadToIsThereOnce() async throws {
    let site = ModelPart.entity("Site", [ModelPart.attribute("name")])
    let category = ModelPart.entity("Category", [ModelPart.attribute("name")])
    let tag = ModelPart.entity("Tag", [ModelPart.attribute("name")])
    tag.uniquenessConstraints = [["name"]]
    ModelPart.connect(
      ModelPart.end(site, "tags", to: tag, isOrdered: true), ModelPart.end(tag, "sites", to: site))
    ModelPart.connect(
      ModelPart.end(category, "tag", to: tag, maxCount: 1),
      ModelPart.end(tag, "categories", to: category))
    let devices = try Devices(ModelPart.model([site, category, tag]))
    try devices.a.edit { context in
      let tag = context.insert("Tag", ["name": "10"])
      context.insert("Site", ["name": "a", "tags": NSOrderedSet(object: tag)])
    }
    try devices.b.edit { context in
      let tag = context.insert("Tag", ["name": "10"])
      context.insert("Category", ["name": "b", "tag": tag])
    }
    try await devices.settleWholly()
    try devices.expect("Tag", "name", ["10"])
    for phone in devices.phones {
      try phone.read { context in
        let tag = try context.find("Tag", "name", "10")
        #expect(tag.names("sites") == ["a"] && tag.names("categories") == ["b"])
      }
    }
  }

  /// https://stackoverflow.com/questions/66380409: pages in which a transfer comes before either of
  /// its accounts. It is never seen without them.
  @Test(arguments: [1, 2, 3])
  func aTransferIsNeverWithoutItsAccounts(pageLimit: Int) async throws {
    let account = ModelPart.entity("Account", [ModelPart.attribute("name")])
    let transfer = ModelPart.entity("Transfer", [ModelPart.attribute("name")])
    for (end, inverse) in [("source", "paid"), ("target", "received")] {
      ModelPart.connect(
        ModelPart.end(transfer, end, to: account, maxCount: 1, isOptional: false),
        ModelPart.end(account, inverse, to: transfer, rule: .denyDeleteRule))
    }
    let devices = try Devices(ModelPart.model([account, transfer]))
    let b = devices.b
    b.pageLimit = pageLimit
    devices.a.pushLimit = 2
    try devices.a.edit { context in
      let accounts = (0..<4).map { context.insert("Account", ["name": "\($0)"]) }
      for number in 0..<12 {
        context.insert(
          "Transfer",
          [
            "name": "\(10 + number)", "source": accounts[number % 4],
            "target": accounts[(number + 1) % 4],
          ])
      }
    }
    b.onStep = { [unowned b] _ in
      let orphans = try b.read { context in
        try context.all("Transfer").filter {
          $0.value(forKey: "source") == nil || $0.value(forKey: "target") == nil
        }.count
      }
      #expect(orphans == 0)
    }
    try await devices.settleWholly()
    #expect(try b.count("Transfer") == 12)
    // Whoever deletes an account that somebody pays into has it back.
    try devices.a.edit { context in
      for transfer in try context.all("Transfer") { context.delete(transfer) }
      context.processPendingChanges()
      try context.delete(context.find("Account", "name", "0"))
    }
    try b.edit { context in
      context.insert(
        "Transfer",
        [
          "name": "late", "source": try context.find("Account", "name", "0"),
          "target": try context.find("Account", "name", "1"),
        ])
    }
    try await devices.settleWholly()
    try devices.expect("Transfer", "name", ["late"])
    try devices.expect("Account", "name", ["0", "1", "2", "3"])
  }
}
