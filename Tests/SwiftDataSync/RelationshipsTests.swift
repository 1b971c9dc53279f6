import SwiftData
import SwiftDataSync
import TestSupport
import Testing

/// Every kind of relationship there and back, through a server.
@Suite(.serialized) struct RelationshipsTests {
  private func make() async throws -> Devices {
    try await Devices(
      Folder.self, Leaf.self, Label.self, Cover.self, Account.self, Entry.self)
  }

  private func leaf(_ name: String, in context: ModelContext) throws -> Leaf {
    try #require(
      context.fetch(FetchDescriptor<Leaf>(predicate: #Predicate { $0.name == name })).first)
  }

  private func folder(_ name: String, in context: ModelContext) throws -> Folder {
    try #require(
      context.fetch(FetchDescriptor<Folder>(predicate: #Predicate { $0.name == name })).first)
  }

  private func label(_ name: String, in context: ModelContext) throws -> Label {
    try #require(
      context.fetch(FetchDescriptor<Label>(predicate: #Predicate { $0.name == name })).first)
  }

  /// What both devices have, by a description; they have to agree.
  private func both(_ devices: Devices, _ text: (ModelContext) throws -> String) throws -> String {
    let (mine, theirs) = (ModelContext(devices.one), ModelContext(devices.other))
    let texts = try [text(mine), text(theirs)]
    #expect(texts[0] == texts[1])
    return texts[0]
  }

  @Test func aRelationshipToOneIsSetChangedAndEmptied() async throws {
    let devices = try await make()
    func state() throws -> String {
      try both(devices) { context in
        try context.all(Folder.self).map { folder in
          "\(folder.name):\(folder.leaves.map(\.name).sorted().joined())"
        }.sorted().joined(separator: " ")
      }
    }
    try Devices.edit(devices.one) { context in
      let (a, b) = (Folder("a"), Folder("b"))
      let (x, y) = (Leaf("x"), Leaf("y"))
      (x.folder, y.folder) = (a, a)
      for model in [a, b] { context.insert(model) }
      for model in [x, y] { context.insert(model) }
    }
    try await devices.settle()
    #expect(try state() == "a:xy b:")
    try Devices.edit(devices.other) { try leaf("x", in: $0).folder = folder("b", in: $0) }
    try await devices.settle()
    #expect(try state() == "a:y b:x")
    try Devices.edit(devices.one) { try leaf("x", in: $0).folder = nil }
    try await devices.settle()
    #expect(try state() == "a:y b:")
    try Devices.edit(devices.other) { context in
      try folder("b", in: context).leaves = [leaf("x", in: context), leaf("y", in: context)]
    }
    try await devices.settle()
    #expect(try state() == "a: b:xy")
    // The folder takes its leaves along.
    try Devices.edit(devices.one) { $0.delete(try folder("b", in: $0)) }
    try await devices.settle()
    #expect(try state() == "a:")
    #expect(try both(devices) { "\(try $0.all(Leaf.self).count)" } == "0")
  }

  @Test func aRelationshipToItsOwnClassIsSetChangedAndEmptied() async throws {
    let devices = try await make()
    func state() throws -> String {
      try both(devices) { context in
        try context.all(Folder.self).map { "\($0.parent?.name ?? "-")/\($0.name)" }.sorted()
          .joined(separator: " ")
      }
    }
    try Devices.edit(devices.one) { context in
      let folders = ["a", "b", "c"].map(Folder.init)
      for folder in folders { context.insert(folder) }
      folders[1].parent = folders[0]
      folders[2].parent = folders[1]
    }
    try await devices.settle()
    #expect(try state() == "-/a a/b b/c")
    try Devices.edit(devices.other) { try folder("c", in: $0).parent = folder("a", in: $0) }
    try await devices.settle()
    #expect(try state() == "-/a a/b a/c")
    try Devices.edit(devices.one) { $0.delete(try folder("a", in: $0)) }
    try await devices.settle()
    #expect(try state() == "-/b -/c")
  }

  @Test(arguments: [true, false])
  func aRelationshipToManyOnBothSidesIsSetChangedAndEmptied(fromTheFirstSide: Bool) async throws {
    let devices = try await make()
    func state() throws -> String {
      try both(devices) { context in
        try context.all(Leaf.self).map { leaf in
          "\(leaf.name):\(leaf.labels.map(\.name).sorted().joined())"
        }.sorted().joined(separator: " ")
      }
    }
    func relate(_ leaf: Leaf, _ label: Label, in context: ModelContext) {
      if fromTheFirstSide { leaf.labels.append(label) } else { label.leaves.append(leaf) }
    }
    try Devices.edit(devices.one) { context in
      let (x, y) = (Leaf("x"), Leaf("y"))
      for model in [x, y] { context.insert(model) }
      for model in ["r", "s"].map({ Label($0) }) {
        context.insert(model)
        relate(x, model, in: context)
      }
    }
    try await devices.settle()
    #expect(try state() == "x:rs y:")
    try Devices.edit(devices.other) { context in
      relate(try leaf("y", in: context), try label("r", in: context), in: context)
      let x = try leaf("x", in: context)
      let s = try label("s", in: context)
      if fromTheFirstSide { x.labels.removeAll { $0 === s } } else { s.leaves = [] }
    }
    try await devices.settle()
    #expect(try state() == "x:r y:r")
    try Devices.edit(devices.one) { $0.delete(try label("r", in: $0)) }
    try await devices.settle()
    #expect(try state() == "x: y:")
    #expect(try both(devices) { try $0.all(Label.self).map(\.name).joined() } == "s")
  }

  @Test func relationshipsWithoutAnInverseAreSetChangedAndEmptied() async throws {
    let devices = try await make()
    func state() throws -> String {
      try both(devices) { context in
        try context.all(Leaf.self).map { leaf in
          "\(leaf.main?.name ?? "-"):\(leaf.seeAlso.map(\.name).sorted().joined())"
        }.joined()
      }
    }
    try Devices.edit(devices.one) { context in
      let x = Leaf("x")
      context.insert(x)
      x.seeAlso = ["r", "s"].map { Label($0) }
      x.main = x.seeAlso[0]
    }
    try await devices.settle()
    #expect(try ["r:rs", "s:rs"].contains(state()))
    try Devices.edit(devices.other) { context in
      let x = try leaf("x", in: context)
      x.main = try label("s", in: context)
      x.seeAlso.removeAll { $0.name == "r" }
    }
    try await devices.settle()
    #expect(try state() == "s:s")
    try Devices.edit(devices.one) { context in
      let x = try leaf("x", in: context)
      x.main = nil
      x.seeAlso.append(try label("r", in: context))
    }
    try await devices.settle()
    #expect(try state() == "-:rs")
    try Devices.edit(devices.other) { $0.delete(try label("s", in: $0)) }
    try await devices.settle()
    #expect(try state() == "-:r")
  }

  @Test func aRelationshipOfOneToOneIsSetChangedAndEmptied() async throws {
    let devices = try await make()
    func state() throws -> String {
      try both(devices) { context in
        let leaves = try context.all(Leaf.self).map { "\($0.name):\($0.cover?.text ?? "-")" }
        return leaves.sorted().joined(separator: " ") + " of \(try context.all(Cover.self).count)"
      }
    }
    try Devices.edit(devices.one) { context in
      for name in ["x", "y"] {
        let leaf = Leaf(name)
        context.insert(leaf)
        leaf.cover = Cover(name.uppercased())
      }
    }
    try await devices.settle()
    #expect(try state() == "x:X y:Y of 2")
    try Devices.edit(devices.other) { context in
      let (x, y) = (try leaf("x", in: context), try leaf("y", in: context))
      (x.cover, y.cover) = (y.cover, nil)
    }
    try await devices.settle()
    #expect(try state() == "x:Y y:- of 2")
    try Devices.edit(devices.one) { $0.delete(try leaf("x", in: $0)) }
    try await devices.settle()
    #expect(try state() == "y:- of 1")
  }

  @Test func whatIsRequiredComesWithWhatItNeeds() async throws {
    let devices = try await make()
    func state() throws -> String {
      try both(devices) { context in
        try context.all(Entry.self).map { "\($0.text)@\($0.account.name)" }.sorted()
          .joined(separator: " ")
      }
    }
    try Devices.edit(devices.one) { context in
      let (a, b) = (Account("a"), Account("b"))
      for account in [a, b] { context.insert(account) }
      context.insert(Entry("x", a))
    }
    try await devices.settle()
    #expect(try state() == "x@a")
    try Devices.edit(devices.other) { context in
      let b = try #require(
        context.fetch(FetchDescriptor<Account>(predicate: #Predicate { $0.name == "b" })).first)
      try #require(context.all(Entry.self).first).account = b
    }
    try await devices.settle()
    #expect(try state() == "x@b")
    // One deletes what has become empty here, while the other puts something into it.
    try await devices.hold()
    try Devices.edit(devices.one) { context in
      let a = try #require(
        context.fetch(FetchDescriptor<Account>(predicate: #Predicate { $0.name == "a" })).first)
      context.delete(a)
    }
    try Devices.edit(devices.other) { context in
      let a = try #require(
        context.fetch(FetchDescriptor<Account>(predicate: #Predicate { $0.name == "a" })).first)
      context.insert(Entry("y", a))
    }
    try await devices.settle()
    try await devices.settle()
    #expect(try state() == "x@b y@a")
  }

  @Test func modelsOfSubclassesAreOfTheirClass() async throws {
    let devices = try await Devices(Animal.self, Dog.self, Bird.self, Keeper.self)
    func state() throws -> String {
      try both(devices) { context in
        try context.all(Animal.self).map { animal in
          let own =
            (animal as? Dog).map { "\($0.tricks)\($0.nickname ?? "-")" }
            ?? (animal as? Bird).map { "\($0.flies)" } ?? ""
          return
            "\(type(of: animal)) \(animal.name) \(animal.legs) \(own) \(animal.keeper?.name ?? "-")"
        }.sorted().joined(separator: ", ")
      }
    }
    try Devices.edit(devices.one) { context in
      let keeper = Keeper("k")
      let (dog, bird, animal) = (Dog("d"), Bird("b"), Animal("a"))
      for model in [dog, bird, animal] {
        context.insert(model)
        model.keeper = keeper
      }
      (dog.tricks, dog.nickname, bird.legs) = (3, "n", 2)
    }
    try await devices.settle()
    #expect(try state() == "Animal a 4  k, Bird b 2 true k, Dog d 4 3n k")
    try Devices.edit(devices.other) { context in
      let dog = try #require(context.all(Dog.self).first)
      (dog.name, dog.tricks, dog.nickname) = ("e", 4, nil)
      try #require(context.all(Bird.self).first).keeper = nil
    }
    try await devices.settle()
    #expect(try state() == "Animal a 4  k, Bird b 2 true -, Dog e 4 4- k")
    try Devices.edit(devices.one) { context in
      for animal in try context.all(Animal.self) { context.delete(animal) }
    }
    try await devices.settle()
    #expect(try state() == "")
  }
}
