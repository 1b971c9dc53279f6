import CoreData
import CoreDataSupport
import Synchronization
import TestSupport
import Testing

@testable import CoreDataSync

/// Scans in parts of any size, the first of a store that has objects and later ones, stopped after any
/// part, with edits of the application before they begin anew.
@Suite struct ScanInPartsTests {
  // MARK: - Stores

  /// Objects of every entity that lead to each other, also to those of other saves.
  private static func fill(_ phone: Phone, seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for save in 0..<4 {
      try phone.edit { context in
        let account = context.insert("Account", ["name": "account \(save)"])
        let up = try context.all("Folder").randomElement(using: &random)
        let folder = context.insert(
          "Folder", ["title": "folder \(save)", "account": account, "count": save])
        folder.setValue(up, forKey: "up")
        let cover = context.insert("Cover", ["color": "cover \(save)"])
        for number in 0..<3 {
          let note = context.insert(
            "Note", ["title": "note \(save) \(number)", "lo": number, "hi": 9, "folder": folder])
          if number == 0 { note.setValue(cover, forKey: "cover") }
          context.insert("Line", ["text": "line \(save) \(number)", "note": note])
        }
        let notes = try context.all("Note").filter { _ in Bool.random(using: &random) }
        context.insert("Tag", ["name": "tag \(save)", "uses": save * 2, "notes": Set(notes)])
        for note in notes.prefix(2) {
          note.setValue(try context.all("Folder").randomElement(using: &random), forKey: "folder")
        }
      }
    }
  }

  /// What an object is called.
  private static func label(_ object: Any?) -> String {
    guard let object = object as? NSManagedObject else { return "-" }
    let name = ["name", "title", "color", "text"].first {
      object.entity.attributesByName[$0] != nil
    }
    return name.flatMap { object.value(forKey: $0) as? String } ?? "nil"
  }

  /// All that a phone shows, without the names of objects.
  private static func picture(_ phone: Phone) throws -> [String] {
    try phone.read { context in
      try phone.model.entities.flatMap { entity in
        try context.all(entity.name ?? "").map { object in
          let values = entity.propertiesByName.keys.sorted().map { name in
            switch object.value(forKey: name) {
            case let list as NSOrderedSet: "\(name) \(list.array.map(label))"
            case let set as Set<NSManagedObject>: "\(name) \(set.map(label).sorted())"
            case let target as NSManagedObject: "\(name) \(label(target))"
            case let value: "\(name) \(value ?? "-")"
            }
          }
          return "\(entity.name ?? "-"): \(values.joined(separator: ", "))"
        }
      }.sorted()
    }
  }

  // MARK: - Sizes

  /// All of a state but for clocks.
  private struct Contents: Equatable {
    var records: [RecordID: ReplicaRecord] = [:]
    var pairs: [Pair: Bool] = [:]
  }

  private static func contents(_ state: ReplicaState) -> Contents {
    var contents = Contents()
    for id in state.records.keys {
      guard var record = state[id] else { continue }
      record.life.clock = .never
      record.clocks = record.clocks.mapValues { _ in .never }
      contents.records[id] = record
    }
    for pair in state.pairs.keys { contents.pairs[pair] = state.pairs[pair]?.isOn }
    return contents
  }

  /// Saves that insert, edit and delete, each with what others made.
  private static func edit(_ phone: Phone, seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    func some(_ entity: String, in context: NSManagedObjectContext) throws -> NSManagedObject? {
      try context.all(entity).filter { !$0.isDeleted }
        .sorted { label($0) < label($1) }.randomElement(using: &random)
    }
    for save in 4..<8 {
      try phone.edit { context in
        let up = try some("Folder", in: context)
        let folder = context.insert("Folder", ["title": "folder \(save)", "count": 1])
        folder.setValue(try some("Account", in: context), forKey: "account")
        folder.setValue(up, forKey: "up")
        for number in 0..<4 {
          let note = context.insert("Note", ["title": "note \(save) \(number)"])
          note.setValue(try some("Folder", in: context), forKey: "folder")
          note.setValue(Set([try some("Tag", in: context)].compactMap { $0 }), forKey: "tags")
        }
        for _ in 0..<3 {
          let note = try some("Note", in: context)
          switch Int.random(in: 0..<4, using: &random) {
          case 0: note?.setValue("edited \(random.next())", forKey: "title")
          case 1: note?.setValue(try some("Folder", in: context), forKey: "folder")
          case 2: note?.setValue(try some("Cover", in: context), forKey: "cover")
          default:
            let tag = try some("Tag", in: context)
            let uses = tag?.value(forKey: "uses") as? Int ?? 0
            tag?.setValue(uses + 3, forKey: "uses")
          }
        }
        let list = try some("Folder", in: context)?.mutableOrderedSetValue(forKey: "notes")
        if let list, list.count > 1 { list.moveObjects(at: [list.count - 1], to: 0) }
      }
      try phone.edit { context in
        for entity in ["Line", "Note", "Tag"].shuffled(using: &random).prefix(2) {
          if let object = try some(entity, in: context) { context.delete(object) }
        }
        if save == 6, let folder = try some("Folder", in: context) { context.delete(folder) }
      }
    }
  }

  /// Copies of a store that has synced are scanned in parts of other sizes after the same edits.
  @Test(arguments: Sample.of(Array(1...6 as ClosedRange<UInt64>)))
  func laterPartsOfAnySizeMakeTheSameRecords(seed: UInt64) async throws {
    let cloud = Cloud(model: HistoriesModel.full, configuration: HistoriesModel.configuration)
    let phone = try Phone(cloud)
    try Self.fill(phone, seed: seed)
    try await phone.sync()
    let other = try Phone(cloud)
    try await other.sync()
    try await phone.engine.close()
    try Self.edit(phone, seed: seed)
    var whole: Contents?
    for size in [ScanInParts.usualPart, 1, 2, 7] {
      let copy = try Phone(cloud, copying: phone)
      copy.objectsAtOnce = size
      try await copy.restart()
      copy.line.isOffline = true
      await #expect(throws: SyncTransportError.self) { try await copy.sync() }
      let contents = try await copy.engine.inspect { Self.contents($0.state) }
      if let whole { #expect(contents == whole, "in parts of \(size)") }
      whole = whole ?? contents
      #expect(try await Self.restarted(copy) == whole)
      if size == 2 {
        // What is sent of them, the other device shows.
        copy.line.isOffline = false
        for phone in [copy, other, copy] { try await phone.sync() }
        #expect(try Self.picture(other) == Self.picture(copy))
        #expect(try Self.picture(other) == Self.picture(phone))
      }
      try await copy.engine.close()
    }
    try await other.engine.close()
  }

  /// Copies of one store that are scanned in parts of other sizes have the same records, by the same
  /// names.
  @Test(arguments: Sample.of(Array(1...4 as ClosedRange<UInt64>)))
  func partsOfAnySizeMakeTheSameRecords(seed: UInt64) async throws {
    let model = HistoriesModel.full
    let cloud = Cloud(model: model, configuration: HistoriesModel.configuration)
    let phone = try Phone(cloud)
    try Self.fill(phone, seed: seed)
    var whole: Contents?
    for size in [ScanInParts.usualPart, 1, 2, 7] {
      let copy = try Phone(cloud, copying: phone)
      copy.objectsAtOnce = size
      try await copy.restart()
      copy.line.isOffline = true
      let scans = Mutex(0)
      copy.onStep = { step in if step == .scanned { scans.withLock { $0 += 1 } } }
      await #expect(throws: SyncTransportError.self) { try await copy.sync() }
      let contents = try await copy.engine.inspect { Self.contents($0.state) }
      let count = contents.records.count
      #expect(count == 4 * (1 + 1 + 1 + 3 + 3 + 1))
      // Twice each object, then each list, and then those that are one; edits besides.
      let looks = 2 * count + 4
      #expect(scans.withLock { size > 4 * looks ? $0 == 1 : $0 > looks / size })
      if let whole { #expect(contents == whole) }
      whole = whole ?? contents
      let restarted = try await Self.restarted(copy)
      #expect(restarted == whole)
      try await copy.engine.close()
    }
  }

  private static func restarted(_ phone: Phone) async throws -> Contents {
    try await phone.restart()
    return try await phone.engine.inspect { contents($0.state) }
  }

  // MARK: - Stops

  private struct Stopped: Error {}

  /// Has an engine stop after a part of a scan, once.
  private static func stop(_ phone: Phone, afterPart part: Int?) {
    let scans = Mutex(0)
    phone.onStep = { step in
      guard step == .scanned else { return }
      let count = scans.withLock { scans in
        scans += 1
        return scans
      }
      if count == part { throw Stopped() }
    }
  }

  /// What the application does before the scan begins anew.
  enum Deed: String, CaseIterable {
    case nothing, value, reference, place, pair, count, insertion, deletion, cascade, purge
  }

  private static func take(_ deed: Deed, on phone: Phone) throws {
    try phone.edit { context in
      let note = try context.find("Note", "title", "note 0 1")
      switch deed {
      case .nothing: break
      case .value: note.setValue("edited", forKey: "title")
      case .reference:
        note.setValue(try context.find("Folder", "title", "folder 3"), forKey: "folder")
      case .place:
        let list = try context.find("Folder", "title", "folder 2").mutableOrderedSetValue(
          forKey: "notes")
        list.moveObjects(at: [list.count - 1], to: 0)
      case .pair:
        let tags = note.mutableSetValue(forKey: "tags")
        let tag = try context.find("Tag", "name", "tag 2")
        if tags.contains(tag) { tags.remove(tag) } else { tags.add(tag) }
      case .count:
        try context.find("Tag", "name", "tag 3").setValue(17, forKey: "uses")
      case .insertion:
        context.insert(
          "Note", ["title": "late", "folder": try context.find("Folder", "title", "folder 0")])
      case .deletion:
        context.delete(try context.find("Line", "text", "line 3 2"))
        context.delete(try context.find("Tag", "name", "tag 1"))
      case .cascade: context.delete(try context.find("Folder", "title", "folder 1"))
      case .purge: note.setValue("edited, and not in the history", forKey: "title")
      }
    }
    if deed == .purge { try phone.coordinator.purgeHistory() }
  }

  /// A scan that is stopped after its nth part, and begins anew with the engine or goes on with it:
  /// the server gets what the store shows, once.
  @Test(arguments: Sample.of(Deed.allCases, [1, 4, 8, 12, 14]))
  func aScanThatWasStoppedBeginsAnew(_ deed: Deed, part: Int) async throws {
    for startsAnew in [true, false] {
      let cloud = Cloud(model: HistoriesModel.full, configuration: HistoriesModel.configuration)
      let phone = try Phone(cloud)
      phone.objectsAtOnce = 6
      try Self.fill(phone, seed: UInt64(part))
      Self.stop(phone, afterPart: part)
      await #expect(throws: Stopped.self) { try await phone.sync() }
      #expect(phone.line.pushes.isEmpty)
      try Self.take(deed, on: phone)
      if startsAnew { try await phone.restart() }
      let shown = try Self.picture(phone)
      try await phone.sync()
      #expect(try Self.picture(phone) == shown)
      let other = try Phone(cloud)
      try await other.sync()
      #expect(try Self.picture(other) == shown)
      let pushes = phone.line.pushes.count
      for phone in [phone, other, phone] { try await phone.sync() }
      #expect(phone.line.pushes.count == pushes, "sends without being asked")
      #expect(try Self.picture(phone) == shown)
      for phone in [phone, other] { try await phone.engine.close() }
    }
  }

  /// Most of what was scanned is deleted before the scan begins anew: the history says so, and
  /// nobody is asked. Without the history somebody is.
  @Test(arguments: [false, true])
  func manyDeletionsBeforeItBeginsAnew(historyIsGone: Bool) async throws {
    let model = HistoriesModel.full
    let phone = try Phone(Cloud(model: model, configuration: HistoriesModel.configuration))
    try phone.edit { context in
      for number in 0..<200 { context.insert("Tag", ["name": "\(number)"]) }
    }
    phone.objectsAtOnce = 300
    phone.onStep = { step in if step == .scanned { throw Stopped() } }
    await #expect(throws: Stopped.self) { try await phone.sync() }
    phone.onStep = nil
    try phone.edit { context in
      for tag in try context.all("Tag").prefix(150) { context.delete(tag) }
    }
    if historyIsGone { try phone.coordinator.purgeHistory() }
    try await phone.restart()
    if historyIsGone {
      let error = await #expect(throws: SyncError.self) { try await phone.sync() }
      guard case .missingObjects(150)? = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      try await phone.engine.acceptDeletions()
    }
    try await phone.sync()
    let other = try Phone(phone.cloud)
    try await other.sync()
    #expect(try other.count("Tag") == 50)
    for phone in [phone, other] { try await phone.engine.close() }
  }

  // MARK: - Copies

  /// A store that has never synced is copied, and both copies are edited before they sync: every
  /// edit counts, whoever begins.
  @Test(arguments: [0, 1])
  func copiesThatWereEditedBeforeTheFirstScan(first: Int) async throws {
    let cloud = Cloud(model: HistoriesModel.full, configuration: HistoriesModel.configuration)
    let one = try Phone(cloud)
    try Self.fill(one, seed: 3)
    try one.coordinator.removeStores()
    let two = try Phone(cloud, copying: one)
    try await one.restart()
    try one.edit { context in
      try context.find("Note", "title", "note 0 1").setValue("of one", forKey: "title")
      try context.find("Note", "title", "note 1 1")
        .setValue(try context.find("Folder", "title", "folder 3"), forKey: "folder")
    }
    try two.edit { context in
      try context.find("Note", "title", "note 0 2").setValue("of two", forKey: "title")
      try context.find("Note", "title", "note 0 1").setValue(8, forKey: "hi")
      context.insert("Note", ["title": "new of two"])
    }
    let phones = first == 0 ? [one, two] : [two, one]
    for phone in phones + phones { try await phone.sync() }
    #expect(try Self.picture(one) == Self.picture(two))
    try one.read { context in
      let titles = Set(try context.all("Note").map { Self.label($0) })
      #expect(titles.isSuperset(of: ["of one", "of two", "new of two"]))
      #expect(titles.isDisjoint(with: ["note 0 1", "note 0 2"]))
      let note = try context.find("Note", "title", "of one")
      #expect((note.value(forKey: "hi") as? NSNumber)?.intValue == 8)
      let moved = try context.find("Note", "title", "note 1 1")
      #expect(Self.label(moved.value(forKey: "folder")) == "folder 3")
    }
    for phone in phones { try await phone.engine.close() }
  }

  // MARK: - Others who save

  /// Somebody saves between the scan and the page: the page waits for that if it is about the same
  /// object.
  @Test(arguments: [true, false])
  func whoSavesOtherObjectsHoldsUpNoPage(isOther: Bool) async throws {
    let two = try await Two.withNotes()
    try two.b.edit { try $0.find("Note", "title", "m").setValue(2, forKey: "lo") }
    try await two.b.sync()
    try await two.a.engine.inspect { session in
      try session.scan()
      let request = session.request(limit: 100)
      let answer = two.cloud.withServer { $0.pull(request) }
      let page = try #require(try session.page(of: answer, to: request))
      try two.a.edit { context in
        if isOther {
          context.insert("Note", ["title": "new"])
        } else {
          try context.find("Note", "title", "m").setValue(9, forKey: "hi")
        }
      }
      switch try session.prepare(page, epoch: answer.epoch) {
      case .intended where isOther:
        #expect(session.apply())
        try session.finish()
      case .overtaken where !isOther: break
      case let preparation: Issue.record("\(preparation)")
      }
    }
    try await two.settle()
    for phone in [two.a, two.b] {
      #expect(try phone.values("Note", "title") == (isOther ? ["m", "n", "new"] : ["m", "n"]))
      let note = try phone.read { context in
        let note = try context.find("Note", "title", "m")
        return ["lo", "hi"].map { (note.value(forKey: $0) as? NSNumber)?.intValue }
      }
      #expect(note == [2, isOther ? 5 : 9])
    }
  }

  // MARK: - Twins

  private static let lists: NSManagedObjectModel = {
    let list = ModelPart.entity(
      "List", [ModelPart.attribute("id", .UUIDAttributeType), ModelPart.attribute("name")])
    let item = ModelPart.entity("Item", [ModelPart.attribute("name")])
    ModelPart.connect(
      ModelPart.end(list, "items", to: item, rule: .cascadeDeleteRule, isOrdered: true),
      ModelPart.end(item, "list", to: list, maxCount: 1))
    return ModelPart.model([list, item])
  }()

  /// Two objects with one identity, in whatever parts: they are one, with what both have.
  @Test(arguments: [1, 2, 3, 100], [nil, 1, 3, 6, 9])
  func objectsOfOneNameAreOne(size: Int, stop: Int?) async throws {
    let configuration = SyncConfiguration(zone: "zone", identities: ["List": "id"])
    let devices = try Devices(Self.lists, configuration)
    let a = devices.a
    let id = UUID()
    try a.edit { context in
      for name in ["one", "two"] {
        let list = context.insert("List", ["id": id, "name": name])
        for number in 0..<2 { context.insert("Item", ["name": "\(name) \(number)", "list": list]) }
      }
    }
    a.objectsAtOnce = size
    Self.stop(a, afterPart: stop)
    do { try await a.sync() } catch is Stopped { try await a.restart() }
    a.onStep = nil
    try await devices.settleWholly()
    try devices.expect("Item", "name", ["one 0", "one 1", "two 0", "two 1"])
    for phone in devices.phones {
      let lists = try phone.read { try $0.all("List").map { $0.names("items").sorted() } }
      #expect(lists == [["one 0", "one 1", "two 0", "two 1"]])
    }
    try await devices.close()
  }
}
