import CoreData
import Foundation
import SwiftData
import TestSupport
import Testing

/// Insertions, edits, relationships, moves, deletions and undos by contexts of two containers on
/// one file, as of two processes, beside plain values: whoever saves, all contexts show the same
/// some moments later.
///
/// `SWIFT_PROCESS_HISTORIES` says how many, `SWIFT_SEED` where they begin.
@MainActor struct OtherProcessHistoryTests {
  private static let environment = ProcessInfo.processInfo.environment
  private static let count =
    environment["SWIFT_PROCESS_HISTORIES"].flatMap { Int($0) } ?? 6
  private static let firstSeed = environment["SWIFT_SEED"].flatMap { UInt64($0) } ?? 1

  @Test func contextsOfTwoContainersAgreeWithPlainValues() async throws {
    print("OtherProcessHistoryTests: \(Self.count) histories from seed \(Self.firstSeed)")
    for seed in Self.firstSeed..<Self.firstSeed + UInt64(Self.count) {
      let history = try ProcessHistory(seed: seed)
      for _ in 0..<40 { try await history.step() }
    }
  }

  /// Each deed by each context, told to each other one.
  @Test(arguments: ProcessHistory.Deed.allCases)
  func eachDeedIsToldToEachContext(_ deed: ProcessHistory.Deed) async throws {
    for actor in ProcessHistory.actors {
      let history = try ProcessHistory(seed: 1)
      for _ in 0..<4 { try await history.carryOut(.insert, by: "first, main") }
      if deed == .undo {
        for former in ProcessHistory.Deed.allCases where former != .undo {
          try await history.carryOut(former, by: actor)
          try await history.carryOut(.undo, by: actor)
        }
      } else {
        try await history.carryOut(deed, by: actor)
      }
    }
  }
}

@MainActor final class ProcessHistory {
  enum Deed: CaseIterable {
    case insert, edit, relate, move, delete, undo
  }

  nonisolated static let actors = [
    "first, main", "first, by hand", "second, main", "second, by hand",
  ]

  private let seed: UInt64
  private var generator: SplitMix64
  private let folder: TestFolder
  private let containers: [ModelContainer]
  private var contexts: [String: ModelContext] = [:]
  private var nodes: [Int: NodeView.Node] = [:]
  /// Who has done the last thing, and what there was before it.
  private var last: (actor: String, before: [Int: NodeView.Node])?
  private var lastNumber = 0
  private var log: [String] = []

  init(seed: UInt64) throws {
    self.seed = seed
    generator = SplitMix64(seed: seed)
    folder = try TestFolder()
    let url = folder.url.appendingPathComponent("Nodes.store")
    containers = try (0..<2).map { _ in
      try ModelContainer(for: Node.self, configurations: ModelConfiguration(url: url))
    }
    for (name, container) in zip(["first", "second"], containers) {
      contexts["\(name), main"] = container.mainContext
      contexts["\(name), by hand"] = ModelContext(container)
    }
    for context in contexts.values {
      context.autosaveEnabled = false
      let manager = UndoManager()
      manager.groupsByEvent = false
      context.undoManager = manager
    }
  }

  func step() async throws {
    let actor = Self.actors.randomElement(using: &generator) ?? ""
    let deed = Deed.allCases.randomElement(using: &generator) ?? .insert
    try await carryOut(deed, by: actor)
  }

  /// Acts, saves, and waits until all contexts show that.
  func carryOut(_ deed: Deed, by actor: String) async throws {
    guard let context = contexts[actor] else { return }
    let before = nodes
    if deed == .undo {
      guard let undone = last, undone.actor == actor else { return }
      log.append("\(actor): undo")
      context.undoManager?.undo()
      nodes = undone.before
      last = nil
    } else {
      context.undoManager?.removeAllActions()
      context.undoManager?.beginUndoGrouping()
      try act(deed, actor, context)
      context.processPendingChanges()
      context.undoManager?.endUndoGrouping()
      last = (actor, before)
    }
    do { try context.save() } catch {
      Issue.record("seed \(seed): \(error) after \(log)")
      throw error
    }
    for name in Self.actors {
      try await Patience.waiting(for: "seed \(seed): \(name) shows \(nodes) after \(log)") {
        try wrong(in: name) == nil
      }
      let managed = try #require(contexts[name]?.managedObjectContext)
      // What others have deleted stays deleted here until the next save.
      let isOthers =
        managed.insertedObjects.isEmpty && managed.updatedObjects.isEmpty
        && managed.deletedObjects.allSatisfy(\.isGone)
      try #require(isOthers, "seed \(seed), \(name) has changes after \(log)")
    }
  }

  private func act(_ deed: Deed, _ actor: String, _ context: ModelContext) throws {
    let some = nodes.keys.sorted().randomElement(using: &generator)
    let other = nodes.keys.sorted().randomElement(using: &generator)
    let text = "\(generator.next() % 100)"
    switch (deed, some) {
    case (.insert, _), (_, nil), (.undo, _):
      lastNumber += 1
      log.append("\(actor): insert \(lastNumber) under \(other.map(String.init) ?? "nil")")
      let above = try other.map { try node($0, context) }
      context.insert(Node(number: lastNumber, text: text, parent: above))
      nodes[lastNumber] = .init(text: text, parent: other)
    case (.edit, let number?):
      log.append("\(actor): \(number) says \(text)")
      try node(number, context).text = text
      nodes[number]?.text = text
    case (.relate, let number?):
      // By the other side of the relationship: these and no others.
      let children = nodes.keys.filter { _ in Bool.random(using: &generator) }.sorted()
      log.append("\(actor): \(number) has \(children)")
      try node(number, context).children = try children.map { try node($0, context) }
      for key in nodes.keys where nodes[key]?.parent == number { nodes[key]?.parent = nil }
      for key in children { nodes[key]?.parent = number }
    case (.move, let number?):
      log.append("\(actor): \(number) moves under \(other.map(String.init) ?? "nil")")
      try node(number, context).parent = try other.map { try node($0, context) }
      nodes[number]?.parent = other
    case (.delete, let number?):
      log.append("\(actor): delete \(number)")
      context.delete(try node(number, context))
      nodes[number] = nil
      for key in nodes.keys where nodes[key]?.parent == number { nodes[key]?.parent = nil }
    }
  }

  private func node(_ number: Int, _ context: ModelContext) throws -> Node {
    let found = try context.fetch(
      FetchDescriptor<Node>(predicate: #Predicate { $0.number == number }))
    return try #require(found.first, "seed \(seed): no node \(number) after \(log)")
  }

  /// What a context shows in place of the plain values; nil when it shows those.
  private func wrong(in name: String) throws -> String? {
    guard let context = contexts[name] else { return "no context" }
    let models = try context.fetch(FetchDescriptor<Node>())
    let found = models.map {
      ($0.number, NodeView.Node(text: $0.text, parent: $0.parent?.number))
    }
    guard Set(found.map(\.0)).count == found.count,
      Dictionary(uniqueKeysWithValues: found) == nodes
    else { return "\(found)" }
    for model in models {
      let children = nodes.filter { $0.value.parent == model.number }.keys.sorted()
      if model.children.map(\.number).sorted() != children { return "\(model.number)" }
    }
    return nil
  }
}
