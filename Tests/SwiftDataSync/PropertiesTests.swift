import SwiftData
import SwiftDataSync
import TestSupport
import Testing

/// Every kind of property there and back, through a server.
@Suite(.serialized) struct PropertiesTests {
  private func value(_ kind: Kind, in container: ModelContainer) throws -> Int? {
    let context = ModelContext(container)
    let things = try context.all(Thing.self)
    try #require(things.count == 1)
    // The last: of a Bool the first and the last are equal.
    return (0..<3).last { kind.has(things[0], $0) }
  }

  private func set(_ kind: Kind, to number: Int, in container: ModelContainer) throws {
    try Devices.edit(container) { context in
      kind.set(try #require(context.all(Thing.self).first), number)
    }
  }

  private func insert(_ kind: Kind, _ number: Int, in container: ModelContainer) throws {
    try Devices.edit(container) { context in
      let thing = Thing()
      kind.set(thing, number)
      context.insert(thing)
    }
  }

  @Test(arguments: Kind.all)
  func aValueIsInsertedChangedEmptiedAndDeleted(_ kind: Kind) async throws {
    TintTransformer.register()
    let devices = try await Devices(Thing.self)
    let (one, other) = (devices.one, devices.other)
    try insert(kind, 1, in: one)
    try await devices.settle()
    #expect(try value(kind, in: other) == 1)
    try set(kind, to: 2, in: other)
    try await devices.settle()
    #expect(try value(kind, in: one) == 2)
    let last = try value(kind, in: one)
    try set(kind, to: 0, in: one)
    try await devices.settle()
    #expect(try value(kind, in: other) == (kind.has(Thing(), 2) ? last : 0))
    try set(kind, to: 1, in: other)
    try await devices.settle()
    #expect(try value(kind, in: one) == 1)
    try Devices.edit(one) { context in
      for thing in try context.all(Thing.self) { context.delete(thing) }
    }
    try await devices.settle()
    #expect(try ModelContext(other).all(Thing.self).isEmpty)
    for container in [one, other] {
      let status = try #require(container.syncEngines.first).status
      #expect(status.toSend == 0 && status.held.isEmpty && status.lossCount == 0)
    }
  }

  @Test(arguments: Kind.all)
  func anEmptyValueIsInserted(_ kind: Kind) async throws {
    TintTransformer.register()
    let devices = try await Devices(Thing.self)
    try insert(kind, 0, in: devices.one)
    try await devices.settle()
    #expect(try kind.has(#require(ModelContext(devices.other).all(Thing.self).first), 0))
  }

  /// Nothing is sent for what came: the other's values are here as they were there.
  @Test func whatWasReceivedIsNotSentBack() async throws {
    TintTransformer.register()
    let devices = try await Devices(Thing.self)
    try Devices.edit(devices.one) { context in
      for number in 0..<3 {
        let thing = Thing()
        for kind in Kind.all { kind.set(thing, number) }
        context.insert(thing)
      }
    }
    try await devices.settle()
    let (mine, theirs) = (ModelContext(devices.one), ModelContext(devices.other))
    let stores = try [mine, theirs].map {
      try $0.all(Thing.self).first?.persistentModelID.storeIdentifier
    }
    let log = EndedEvents()
    try await devices.settle()
    #expect(!log.all.contains { stores.contains($0.storeIdentifier) })
    for number in 0..<3 {
      func count(_ context: ModelContext) throws -> Int {
        try context.all(Thing.self).filter { thing in Kind.all.allSatisfy { $0.has(thing, number) }
        }.count
      }
      #expect(try count(mine) == 1 && count(theirs) == 1)
    }
  }

  /// SQLite has no NaN: it is nil on the way.
  @Test func notANumberArrivesAsItIsRead() async throws {
    let devices = try await Devices(Thing.self)
    try Devices.edit(devices.one) { context in
      let thing = Thing()
      (thing.double, thing.float, thing.maybeDouble) = (.nan, .nan, .nan)
      context.insert(thing)
    }
    try await devices.settle()
    let context = ModelContext(devices.other)
    let thing = try #require(context.all(Thing.self).first)
    #expect(thing.double.isNaN && thing.float.isNaN && thing.maybeDouble == nil)
  }
}
