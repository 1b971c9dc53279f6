import CoreData
import CoreDataSupport
import SyncSupport
import TestSupport
import Testing

@testable import CoreDataSync

/// Ordered relationships that two and three devices sort, fill and empty.
@Suite struct ListsTests {
  private static func model(isRequired: Bool = false) -> NSManagedObjectModel {
    let list = ModelPart.entity("List", [ModelPart.attribute("name")])
    let item = ModelPart.entity("Item", [ModelPart.attribute("name"), ModelPart.attribute("note")])
    ModelPart.connect(
      ModelPart.end(list, "items", to: item, rule: .cascadeDeleteRule, isOrdered: true),
      ModelPart.end(item, "list", to: list, maxCount: 1, isOptional: !isRequired))
    return ModelPart.model([list, item])
  }

  private static func devices(_ count: Int = 2, items: Int = 5) async throws -> Devices {
    let model = model()
    let devices = try Devices(model, others: Array(repeating: model, count: count - 1))
    try devices.a.edit { context in
      let list = context.insert("List", ["name": "l"])
      for number in 0..<items {
        context.insert("Item", ["name": "\(number)", "list": list])
      }
      context.insert("List", ["name": "m"])
    }
    try await devices.settle()
    return devices
  }

  private static func row(_ phone: Phone, _ list: String = "l") throws -> [String] {
    try phone.read { try $0.find("List", "name", list).names("items") }
  }

  private static func sort(
    _ phone: Phone, _ list: String = "l", _ body: (NSMutableOrderedSet) throws -> Void
  ) throws {
    try phone.edit { context in
      try body(context.find("List", "name", list).mutableOrderedSetValue(forKey: "items"))
    }
  }

  private static func expectSame(_ devices: Devices, _ list: String = "l") throws -> [String] {
    let rows = try devices.phones.map { try row($0, list) }
    for row in rows.dropFirst() { #expect(row == rows[0]) }
    return rows[0]
  }

  /// What is sent of a long list that grows by one is a few bytes, at either end of it.
  @Test(arguments: [true, false]) func whatIsSentOfALongListIsShort(atEnd: Bool) async throws {
    let devices = try await Self.devices(items: 1_500)
    let line = devices.a.line
    func places() -> [String] {
      line.pushes.flatMap(\.records).flatMap { record in
        record.registers.values.compactMap { register in
          if case .position(_, let key) = register.value { key } else { nil }
        }
      }
    }
    #expect(places().count == 1_500)
    #expect(places().map(\.count).max() ?? 0 <= 8)
    for number in 0..<40 {
      try devices.a.edit { context in
        let item = context.insert("Item", ["name": "new \(number)"])
        let items = try context.find("List", "name", "l").mutableOrderedSetValue(forKey: "items")
        items.insert(item, at: atEnd ? items.count : 0)
      }
      try await devices.a.sync()
    }
    #expect(places().count == 1_540)
    #expect(places().map(\.count).max() ?? 0 <= 8)
    try await devices.settle()
    _ = try Self.expectSame(devices)
  }

  /// What another device has done to a list before the undo of its deletion.
  enum Meanwhile: CaseIterable { case nothing, addition, edit, move, rename, deletion }

  /// An undo of a deletion that everybody has seen brings back what it was, with what others have
  /// done without having seen it.
  @Test(
    arguments: Sample.of(
      Meanwhile.allCases, [(true, true), (true, false), (false, true), (false, false)]))
  func theUndoOfADeletionIsTheSameList(
    what: Meanwhile, when: (isSentBefore: Bool, isSeenBefore: Bool)
  ) async throws {
    let model = Self.model()
    let devices = try Devices(model, others: [model, model])
    let (a, b) = (devices.a, devices.b)
    try a.edit { context in
      let list = context.insert("List", ["name": "l"])
      for number in 0..<3 { context.insert("Item", ["name": "\(number)", "list": list]) }
      context.insert("List", ["name": "m"])
    }
    try await devices.settle()
    let context = a.coordinator.makeContext()
    context.transactionAuthor = "app"
    let manager = UndoManager()
    func save(_ body: (NSManagedObjectContext) throws -> Void) throws {
      devices.cloud.now += 10_000
      try context.performAndWait {
        try body(context)
        context.processPendingChanges()
        try context.save()
      }
    }
    context.performAndWait { context.undoManager = manager }
    try save { context in
      let list = try context.find("List", "name", "l")
      #expect(list.names("items") == ["0", "1", "2"])
      context.delete(list)
    }
    if when.isSentBefore { try await a.sync() }
    try b.edit { context in
      let list = try context.find("List", "name", "l")
      let item = try context.find("Item", "name", "1")
      switch what {
      case .nothing: break
      case .addition: context.insert("Item", ["name": "new", "list": list])
      case .edit: item.setValue("edited", forKey: "note")
      case .move: item.setValue(try context.find("List", "name", "m"), forKey: "list")
      case .rename: list.setValue("renamed", forKey: "name")
      case .deletion: context.delete(item)
      }
    }
    if when.isSeenBefore { try await devices.settle() }
    try save { _ in context.undo() }
    try await devices.settleWholly()
    for phone in devices.phones {
      try phone.read { context in
        let list = try context.all("List").first {
          ["l", "renamed"].contains($0.value(forKey: "name") as? String)
        }
        #expect(list?.value(forKey: "name") as? String == (what == .rename ? "renamed" : "l"))
        // What had been taken out, as this device knows, the undo puts in again.
        let isOut = [.move, .deletion].contains(what) && !when.isSeenBefore
        let wanted = isOut ? ["0", "2"] : ["0", "1", "2"] + (what == .addition ? ["new"] : [])
        let found = list?.names("items")
        #expect((what == .move ? found?.sorted() : found) == wanted)
        #expect(try context.all("Item").count == wanted.count + (isOut && what == .move ? 1 : 0))
        let edited = try context.all("Item").compactMap { $0.value(forKey: "note") as? String }
        #expect(edited == (what == .edit ? ["edited"] : []))
      }
    }
  }

  /// Where two or three devices put something into one list while they are apart.
  enum Where: CaseIterable { case beginning, middle, end }

  /// What several devices put in one place stands there one device after the other, whether it was
  /// saved at once or one by one, typed downwards or each before the last one.
  @Test(
    arguments: Sample.of(
      Where.allCases.flatMap { place in [0, 2, 5].map { (place, $0) } },
      [(2, true), (2, false), (3, true), (3, false)]))
  func whatSeveralPutInOnePlaceIsNotMixed(
    list: (place: Where, items: Int), apart: (devices: Int, isAtOnce: Bool)
  ) async throws {
    let (place, items) = list
    let devices = try await Self.devices(apart.devices, items: items)
    let before = try Self.row(devices.a)
    let names = ["a", "b", "c"].prefix(apart.devices).map { name in (0..<4).map { "\(name)\($0)" } }
    for (phone, names) in zip(devices.phones, names) {
      for part in apart.isAtOnce ? [names] : names.map({ [$0] }) {
        try phone.edit { context in
          let new = part.map { context.insert("Item", ["name": $0]) }
          let list = try context.find("List", "name", "l").mutableOrderedSetValue(forKey: "items")
          let own = list.array.filter { item in
            names.contains((item as? NSManagedObject)?.value(forKey: "name") as? String ?? "")
          }
          let index =
            switch place {
            case .beginning: 0
            case .middle: items / 2 + own.count
            case .end: list.count
            }
          list.insert(new, at: IndexSet(integersIn: index..<index + new.count))
        }
        // The engine sees what was saved, and cannot send it.
        phone.line.isOffline = true
        await #expect(throws: SyncTransportError.self) { try await phone.sync() }
        phone.line.isOffline = false
      }
    }
    try await devices.settle()
    try await devices.settle()
    let row = try Self.expectSame(devices)
    #expect(row.filter(before.contains) == before)
    for names in names {
      let isUp = place == .beginning && !apart.isAtOnce
      let wanted = isUp ? names.reversed() : names
      let first = try #require(row.firstIndex(of: wanted[0]))
      #expect(Array(row[first...].prefix(4)) == wanted, "\(row)")
    }
  }

  /// One sorts the list the other way round, the other adds at the beginning, in the middle and at
  /// the end: nothing is lost, and what one alone has done holds.
  @Test(arguments: [false, true])
  func aListThatIsTurnedWhileItGrows(isTurned: Bool) async throws {
    let devices = try await Self.devices()
    let (a, b) = (devices.a, devices.b)
    try Self.sort(a) { list in
      let turned = list.array.sorted {
        (($0 as? NSManagedObject)?.value(forKey: "name") as? String ?? "")
          > (($1 as? NSManagedObject)?.value(forKey: "name") as? String ?? "")
      }
      list.removeAllObjects()
      list.addObjects(from: turned)
    }
    #expect(try Self.row(a) == ["4", "3", "2", "1", "0"])
    try b.edit { context in
      let list = try context.find("List", "name", "l").mutableOrderedSetValue(forKey: "items")
      for (name, place) in [("first", 0), ("middle", 3), ("last", 7)] {
        list.insert(context.insert("Item", ["name": name]), at: place)
      }
    }
    for phone in isTurned ? [b, a] : [a, b] { try await phone.sync() }
    try await devices.settleWholly()
    let row = try Self.expectSame(devices)
    #expect(row.count == 8 && Set(row).count == 8, "\(row)")
    #expect(row.filter { Int($0) != nil } == ["4", "3", "2", "1", "0"], "\(row)")
  }

  /// One moves an item to the top, the other edits it, and a third takes another out: all three
  /// edits hold.
  @Test(arguments: [[0, 1, 2], [2, 1, 0], [1, 0, 2]])
  func aMoveAnEditAndARemovalHold(order: [Int]) async throws {
    let devices = try await Self.devices(3)
    try Self.sort(devices.a) { $0.moveObjects(at: IndexSet(integer: 3), to: 0) }
    try devices.b.edit { try $0.find("Item", "name", "3").setValue("edited", forKey: "note") }
    try Self.sort(devices.phones[2]) { $0.removeObject(at: 1) }
    for index in order { try await devices.phones[index].sync() }
    try await devices.settleWholly()
    #expect(try Self.expectSame(devices) == ["3", "0", "2", "4"])
    try devices.expect("Item", "name", ["0", "1", "2", "3", "4"])
    try devices.expect("Item", "note", ["edited", "nil", "nil", "nil", "nil"])
  }

  /// Two move the same item within the list: it is there once, at one of the two places.
  @Test(arguments: [2, 3])
  func anItemThatAllMoveIsThereOnce(count: Int) async throws {
    let devices = try await Self.devices(count, items: 6)
    for (index, phone) in devices.phones.enumerated() {
      try Self.sort(phone) { $0.moveObjects(at: IndexSet(integer: 5), to: index * 2) }
    }
    try await devices.settleWholly()
    let row = try Self.expectSame(devices)
    #expect(row.filter { $0 != "5" } == ["0", "1", "2", "3", "4"], "\(row)")
    #expect(row.firstIndex(of: "5") == (count - 1) * 2, "the last move counts: \(row)")
  }

  /// The time of a move is that of its save, not of the cycle in which it is read: an older move that
  /// is sent later loses.
  @Test(arguments: Sample.of([0, 3_600], [false, true]))
  func anOlderMoveThatIsSentLaterLoses(seconds: Int64, isRestarted: Bool) async throws {
    let devices = try await Self.devices(2, items: 6)
    let (a, b) = (devices.a, devices.b)
    try Self.sort(a) { $0.moveObjects(at: IndexSet(integer: 5), to: 0) }
    devices.cloud.now += seconds * 1000
    try Self.sort(b) { $0.moveObjects(at: IndexSet(integer: 5), to: 2) }
    try await b.sync()
    devices.cloud.now += seconds * 1000
    if isRestarted { try await a.restart() }
    try await a.sync()
    try await devices.settleWholly()
    let row = try Self.expectSame(devices)
    #expect(row == ["0", "1", "5", "2", "3", "4"])
  }

  /// An item is moved to another list at a place, and meanwhile moved within the old one: it is in
  /// the other list, at that place.
  @Test(arguments: Sample.of([false, true], [false, true]))
  func aMoveToAnotherListAtAPlace(moverIsFirst: Bool, moverIsLater: Bool) async throws {
    let devices = try await Self.devices()
    let (a, b) = (devices.a, devices.b)
    try a.edit { context in
      let list = try context.find("List", "name", "m")
      for name in ["x", "y"] { context.insert("Item", ["name": name, "list": list]) }
    }
    try await devices.settle()
    func move() throws {
      try a.edit { context in
        let item = try context.find("Item", "name", "2")
        try context.find("List", "name", "m").mutableOrderedSetValue(forKey: "items")
          .insert(item, at: 1)
      }
    }
    if !moverIsLater { try move() }
    try Self.sort(b) { $0.moveObjects(at: IndexSet(integer: 2), to: 0) }
    if moverIsLater { try move() }
    for phone in moverIsFirst ? [a, b] : [b, a] { try await phone.sync() }
    try await devices.settleWholly()
    #expect(try Self.expectSame(devices, "m").sorted() == ["2", "x", "y"])
    #expect(try Self.expectSame(devices) == ["0", "1", "3", "4"])
    if moverIsLater { #expect(try Self.row(a, "m") == ["x", "2", "y"]) }
  }

  /// An item that is taken out and put in again elsewhere in one save, and in two.
  @Test(arguments: [false, true])
  func whatIsTakenOutAndPutBackIsMoved(inOneSave: Bool) async throws {
    let devices = try await Self.devices()
    if inOneSave {
      try Self.sort(devices.a) { list in
        let item = list.object(at: 0)
        list.removeObject(at: 0)
        list.insert(item, at: 4)
      }
    } else {
      try Self.sort(devices.a) { $0.removeObject(at: 0) }
      try devices.a.edit { context in
        let item = try context.find("Item", "name", "0")
        try context.find("List", "name", "l").mutableOrderedSetValue(forKey: "items").add(item)
      }
    }
    try Self.sort(devices.b) { $0.moveObjects(at: IndexSet(integer: 3), to: 1) }
    try await devices.settleWholly()
    #expect(try Self.expectSame(devices) == ["3", "1", "2", "4", "0"])
  }

  /// Both insert many at one place, again and again: no item is lost, each one's own keep their
  /// order among themselves, and keys do not grow without end.
  @Test(arguments: [0, 3])
  func manyInsertionsAtOnePlace(place: Int) async throws {
    let devices = try await Self.devices(2, items: 3)
    for round in 0..<15 {
      for (name, phone) in zip(["a", "b"], devices.phones) {
        try phone.edit { context in
          let list = try context.find("List", "name", "l").mutableOrderedSetValue(forKey: "items")
          let item = context.insert("Item", ["name": "\(name)\(10 + round)"])
          list.insert(item, at: place == 0 ? 0 : list.count)
        }
      }
      if round % 3 == 0 { try await devices.settle() }
    }
    try await devices.settleWholly()
    let row = try Self.expectSame(devices)
    #expect(Set(row).count == 33 && row.count == 33)
    for name in ["a", "b"] {
      let own = row.filter { $0.hasPrefix(name) }
      #expect(own == (place == 0 ? own.sorted().reversed() : own.sorted()), "\(own)")
    }
  }

  /// One empties the list, the other sorts it and adds: what was added is in it, the rest is out.
  @Test(arguments: [false, true])
  func aListThatIsEmptiedWhileItIsSorted(emptierIsFirst: Bool) async throws {
    let devices = try await Self.devices()
    let (a, b) = (devices.a, devices.b)
    try b.edit { context in
      let list = try context.find("List", "name", "l").mutableOrderedSetValue(forKey: "items")
      list.moveObjects(at: IndexSet(integer: 4), to: 0)
      list.insert(context.insert("Item", ["name": "new"]), at: 2)
    }
    try Self.sort(a) { $0.removeAllObjects() }
    for phone in emptierIsFirst ? [a, b] : [b, a] { try await phone.sync() }
    try await devices.settleWholly()
    #expect(try Self.expectSame(devices) == ["new"])
    try devices.expect("Item", "name", ["0", "1", "2", "3", "4", "new"])
  }

  /// A list of an entity within itself: subtasks that are moved between parents at all depths while
  /// others sort them.
  @Test(arguments: [false, true])
  func subtasksThatMoveBetweenParents(isTurned: Bool) async throws {
    let task = ModelPart.entity("Task", [ModelPart.attribute("name")])
    ModelPart.connect(
      ModelPart.end(task, "subtasks", to: task, rule: .cascadeDeleteRule, isOrdered: true),
      ModelPart.end(task, "parent", to: task, maxCount: 1))
    let devices = try Devices(ModelPart.model([task]))
    let (a, b) = (devices.a, devices.b)
    try a.edit { context in
      let root = context.insert("Task", ["name": "r"])
      for first in ["a", "b"] {
        let parent = context.insert("Task", ["name": first, "parent": root])
        for second in 0..<3 {
          context.insert("Task", ["name": first + "\(second)", "parent": parent])
        }
      }
    }
    try await devices.settle()
    func subtasks(_ context: NSManagedObjectContext, _ name: String) throws -> NSMutableOrderedSet {
      try context.find("Task", "name", name).mutableOrderedSetValue(forKey: "subtasks")
    }
    try a.edit { context in
      try subtasks(context, "b").insert(context.find("Task", "name", "a1"), at: 0)
      try subtasks(context, "r").moveObjects(at: IndexSet(integer: 1), to: 0)
    }
    try b.edit { context in
      try subtasks(context, "a").moveObjects(at: IndexSet(integer: 2), to: 0)
      try subtasks(context, "a0").insert(context.find("Task", "name", "b0"), at: 0)
    }
    for phone in isTurned ? [b, a] : [a, b] { try await phone.sync() }
    try await devices.settleWholly()
    for phone in devices.phones {
      try phone.read { (context) throws in
        #expect(try context.find("Task", "name", "r").names("subtasks") == ["b", "a"])
        #expect(try context.find("Task", "name", "a").names("subtasks") == ["a2", "a0"])
        #expect(try context.find("Task", "name", "b").names("subtasks") == ["a1", "b1", "b2"])
        #expect(try context.find("Task", "name", "a0").names("subtasks") == ["b0"])
      }
    }
  }

  /// A newcomer, a device that learns anew and one that was restored show the order of the others.
  @Test(arguments: [1, 3, 1000])
  func theOrderIsTheSameForWhoeverLearnsIt(pageLimit: Int) async throws {
    let devices = try await Self.devices(2, items: 9)
    let backup = try devices.b.backUp()
    for step in 0..<4 {
      try Self.sort(devices.phones[step % 2]) { list in
        list.moveObjects(at: IndexSet(integer: 8 - step), to: step)
      }
      try await devices.settle()
    }
    let row = try Self.expectSame(devices)
    let third = try Phone(
      devices.cloud, model: Self.model(), configuration: devices.a.configuration)
    third.pageLimit = pageLimit
    for _ in 0..<2 { try await third.sync() }
    #expect(try Self.row(third) == row)
    #expect(third.line.pushes.isEmpty)
    try await devices.b.restart(files: backup)
    devices.b.pageLimit = pageLimit
    try await devices.settleWholly()
    #expect(try Self.expectSame(devices) == row)
    devices.cloud.restore()
    try await devices.settleWholly()
    #expect(try Self.expectSame(devices) == row)
  }

  /// A list that is set as a whole, by the same members in the same order, is no edit; a sort by one
  /// device writes no more than what moved.
  @Test func aListThatIsSetAsItIsIsNoEdit() async throws {
    let devices = try await Self.devices(2, items: 20)
    let pushes = devices.a.line.pushes.count
    try devices.a.edit { context in
      let list = try context.find("List", "name", "l")
      let items = try #require(list.value(forKey: "items") as? NSOrderedSet)
      list.setValue(NSOrderedSet(array: []), forKey: "items")
      list.setValue(items, forKey: "items")
    }
    try await devices.settleWholly()
    #expect(devices.a.line.pushes.count == pushes)
    try Self.sort(devices.a) { $0.moveObjects(at: IndexSet(integer: 19), to: 0) }
    try await devices.settleWholly()
    #expect(devices.a.line.pushes.last?.records.count == 1)
    #expect(try Self.expectSame(devices).first == "19")
  }

  /// Members at both ends of a relationship that is ordered at one end and to many at the other:
  /// the members are the same everywhere.
  @Test(arguments: [false, true])
  func songsThatComeAndGoInTwoLists(isTurned: Bool) async throws {
    let list = ModelPart.entity("List", [ModelPart.attribute("name")])
    let song = ModelPart.entity("Song", [ModelPart.attribute("name")])
    song.uniquenessConstraints = [["name"]]
    ModelPart.connect(
      ModelPart.end(list, "songs", to: song, isOrdered: true),
      ModelPart.end(song, "lists", to: list))
    let devices = try Devices(ModelPart.model([list, song]))
    let (a, b) = (devices.a, devices.b)
    for (phone, name) in [(a, "a"), (b, "b")] {
      try phone.edit { context in
        let songs = ["1", "2", name].map { context.insert("Song", ["name": $0]) }
        context.insert("List", ["name": name, "songs": NSOrderedSet(array: songs)])
      }
    }
    for phone in isTurned ? [b, a] : [a, b] { try await phone.sync() }
    try await devices.settleWholly()
    try devices.expect("Song", "name", ["1", "2", "a", "b"])
    try a.edit { context in
      try context.find("List", "name", "b").mutableOrderedSetValue(forKey: "songs")
        .remove(context.find("Song", "name", "1"))
    }
    try b.edit { context in
      try context.find("List", "name", "b").mutableOrderedSetValue(forKey: "songs")
        .add(context.find("Song", "name", "a"))
      try context.delete(context.find("Song", "name", "2"))
    }
    try await devices.settleWholly()
    for phone in devices.phones {
      try phone.read { (context) throws in
        #expect(try context.find("List", "name", "a").names("songs").sorted() == ["1", "a"])
        #expect(try context.find("List", "name", "b").names("songs").sorted() == ["a", "b"])
      }
    }
  }
}
