import CoreData
import CoreDataSupport
import TestSupport
import Testing

@testable import CoreDataSync

/// Each loss is told once, with the value that lost, on the device where it was made.
@Suite struct LossesTests {
  /// What happens between the push of who loses and the edit of the other becoming known.
  enum Between: CaseIterable { case nothing, restart, cycles }

  private func losses(_ phone: Phone) -> [SyncLoss] { phone.engine.status.losses }

  private func pass(_ between: Between, _ phone: Phone) async throws {
    switch between {
    case .nothing: break
    case .restart: try await phone.restart()
    case .cycles: for _ in 0..<3 { try await phone.sync() }
    }
  }

  /// The earlier rename loses, whoever comes to the server first.
  @Test(arguments: Sample.of([false, true], Between.allCases))
  func theRenameThatLostIsToldWhereItWasMade(loserIsFirst: Bool, between: Between) async throws {
    let two = try await Two.withNotes()
    try two.a.edit { try $0.find("Folder", "title", "X").setValue("of a", forKey: "title") }
    try two.b.edit { try $0.find("Folder", "title", "X").setValue("of b", forKey: "title") }
    if loserIsFirst {
      try await two.a.sync()
      try await pass(between, two.a)
      try await two.b.sync()
    } else {
      try await two.b.sync()
      try await pass(between, two.b)
      try await two.a.sync()
    }
    try await two.settle()
    for phone in [two.a, two.b] {
      #expect(try phone.values("Folder", "title") == ["Y", "of b"])
    }
    #expect(losses(two.a).map(\.value) == [.text("of a")])
    #expect(losses(two.a).map(\.reason) == [.overwritten])
    #expect(losses(two.a).map(\.property) == ["title"])
    #expect(losses(two.b).isEmpty)
  }

  /// Whoever has seen a value may overwrite it: nothing is lost.
  @Test func whatIsOverwrittenByWhoHasSeenItIsNoLoss() async throws {
    let two = try await Two.withNotes()
    try two.a.edit { try $0.find("Folder", "title", "X").setValue("of a", forKey: "title") }
    try await two.settle()
    try two.b.edit { try $0.find("Folder", "title", "of a").setValue("of b", forKey: "title") }
    try await two.settle()
    try two.b.edit { try $0.delete($0.find("Note", "title", "n")) }
    try await two.settle()
    #expect(losses(two.a).isEmpty && losses(two.b).isEmpty)
  }

  /// Of a move the one that lost is told, too.
  @Test func theMoveThatLostIsToldWhereItWasMade() async throws {
    let two = try await Two.withNotes()
    try two.a.edit { context in
      context.insert(
        "Folder", ["title": "Z", "account": try context.find("Account", "name", "a")])
    }
    try await two.settle()
    for (phone, title) in [(two.a, "Y"), (two.b, "Z")] {
      try phone.edit { context in
        try context.find("Note", "title", "n").setValue(
          context.find("Folder", "title", title), forKey: "folder")
      }
    }
    try await two.a.sync()
    try await two.a.restart()
    try await two.settle()
    #expect(losses(two.a).filter { $0.property == "folder" }.map(\.reason) == [.overwritten])
    #expect(losses(two.b).isEmpty)
  }

  /// What was added to a list, and edits of what is in it, go with the list: whoever made them is
  /// told.
  @Test(arguments: Sample.of([false, true], Between.allCases))
  func whatGoesWithADeletedListIsToldWhereItWasMade(
    adderIsFirst: Bool, between: Between
  ) async throws {
    for isEdit in [false, true] {
      try await checkDeletedList(adderIsFirst: adderIsFirst, between: between, isEdit: isEdit)
    }
  }

  private func checkDeletedList(
    adderIsFirst: Bool, between: Between, isEdit: Bool
  ) async throws {
    let two = try await Two.withNotes()
    try two.a.edit { try $0.delete($0.find("Folder", "title", "X")) }
    try two.b.edit { context in
      if isEdit {
        try context.find("Note", "title", "n").setValue("added", forKey: "title")
      } else {
        let note = context.insert("Note", ["title": "added"])
        try note.setValue(context.find("Folder", "title", "X"), forKey: "folder")
      }
    }
    if adderIsFirst {
      try await two.b.sync()
      try await pass(between, two.b)
      try await two.a.sync()
    } else {
      try await two.a.sync()
      try await pass(between, two.a)
      try await two.b.sync()
    }
    try await two.settle()
    for phone in [two.a, two.b] { #expect(try phone.values("Note", "title") == ["m"]) }
    let told = losses(two.b).filter { $0.property == "title" }
    #expect(told.map(\.value) == [.text("added")])
    #expect(told.map(\.reason) == [.deleted])
    #expect(losses(two.a).isEmpty)
  }

  /// An edit that was sent before somebody who had not seen it deleted the object.
  @Test(arguments: Sample.of(Between.allCases))
  func anEditThatADeletionTookIsTold(_ between: Between) async throws {
    let two = try await Two.withNotes()
    try two.a.edit { try $0.find("Note", "title", "n").setValue("edited", forKey: "title") }
    try two.b.edit { try $0.delete($0.find("Note", "title", "n")) }
    try await two.a.sync()
    try await pass(between, two.a)
    try await two.b.sync()
    try await two.settle()
    #expect(try two.a.values("Note", "title") == ["m"])
    #expect(losses(two.a).map(\.value) == [.text("edited")])
    #expect(losses(two.a).map(\.reason) == [.deleted])
    #expect(losses(two.b).isEmpty)
  }

  /// Who leads an object to another one, which somebody deletes without having seen it, is told;
  /// whose earlier value was replaced by who had seen it, is not.
  @Test(arguments: Sample.of([true, false], [NSDeleteRule.nullifyDeleteRule, .cascadeDeleteRule]))
  func whatLedToSomethingDeletedIsToldWhereItWasSet(
    isDeletedFirst: Bool, rule: NSDeleteRule
  ) async throws {
    for between in Between.allCases {
      for pageLimit in [1, 500] {
        let company = ModelPart.entity("Company", [ModelPart.attribute("name")])
        let person = ModelPart.entity("Person", [ModelPart.attribute("name")])
        ModelPart.connect(
          ModelPart.end(company, "people", to: person, rule: rule),
          ModelPart.end(person, "employer", to: company, maxCount: 1))
        let model = ModelPart.model([company, person])
        let devices = try Devices(model, others: [model, model])
        let (a, b) = (devices.a, devices.b)
        for phone in devices.phones { phone.pageLimit = pageLimit }
        try a.edit { context in
          for name in ["c", "d"] { context.insert("Company", ["name": name]) }
          let c = try context.find("Company", "name", "c")
          context.insert("Person", ["name": "p", "employer": c])
        }
        try await devices.settle()
        try a.edit { try $0.delete($0.find("Company", "name", "d")) }
        try b.edit { context in
          let d = try context.find("Company", "name", "d")
          try context.find("Person", "name", "p").setValue(d, forKey: "employer")
        }
        for phone in isDeletedFirst ? [a, b] : [b, a] {
          try await phone.sync()
          try await pass(between, phone)
        }
        try await devices.settleWholly()
        for phone in devices.phones {
          let isLeft = rule == .nullifyDeleteRule
          #expect(try phone.values("Person", "name") == (isLeft ? ["p"] : []))
        }
        // Of a restarted device the status begins anew.
        if between != .restart || !isDeletedFirst {
          let told = losses(b).filter { $0.property == "employer" }
          #expect(told.map(\.reason) == [SyncLoss.Reason.deleted], "\(between) \(pageLimit)")
        }
        #expect(losses(a).isEmpty && losses(devices.phones[2]).isEmpty)
        try await devices.close()
      }
    }
  }

  enum Forbidden: CaseIterable { case edit, insertion, deletion, increment, membership }

  @Test(arguments: Sample.of(Forbidden.allCases))
  func whatAKeyMayOnlyReadIsTakenBackAndTold(_ what: Forbidden) async throws {
    let two = try await Two.withNotes()
    try two.a.edit { context in
      context.insert("Tag", ["name": "t", "uses": 2])
    }
    try await two.settle()
    two.b.line.readOnly = ["Tag", "Note"]
    try two.b.edit { context in
      let tag = try context.find("Tag", "name", "t")
      switch what {
      case .edit: tag.setValue("written", forKey: "hue")
      case .insertion: context.insert("Tag", ["name": "new"])
      case .deletion: context.delete(tag)
      case .increment: tag.setValue(5, forKey: "uses")
      case .membership:
        try tag.setValue([context.find("Note", "title", "n")] as Set, forKey: "notes")
      }
    }
    try await two.settle()
    for phone in [two.a, two.b] {
      #expect(try phone.values("Tag", "name") == ["t"])
      #expect(try phone.values("Tag", "uses") == ["2"])
      #expect(try phone.values("Tag", "hue") == ["nil"])
      try phone.read { context in
        let notes = try context.find("Tag", "name", "t").value(forKey: "notes")
        #expect((notes as? Set<NSManagedObject>)?.isEmpty == true)
      }
    }
    let told = losses(two.b).filter {
      if case .denied = $0.reason { true } else { false }
    }
    switch what {
    case .edit: #expect(told.map(\.value) == [.text("written")])
    // Not what it has by the model.
    case .insertion: #expect(told.map(\.value) == [.text("new")])
    case .deletion: #expect(told.map(\.entity) == ["Tag"] && told.map(\.property) == [nil])
    case .increment: #expect(told.map(\.value) == [.integer(3)])
    case .membership: #expect(told.map(\.property).count == 1)
    }
    #expect(two.b.engine.status.toSend == 0)
  }
}
