import CoreData
import Foundation
import SwiftData
import Testing

@testable import ListApplication
@testable import SwiftDataLists

/// Two processes that move rows of one SwiftData list before either has heard of the other.
@MainActor struct SharedPlacesTests {
  private let folder: TemporaryFolder
  private let mine: ModelContext
  private let theirs: ModelContext
  private let policy = WindowMergePolicy()

  init() throws {
    folder = try TemporaryFolder()
    let file = folder.file("Lists.store")
    mine = try Self.container(file).makeMainContext()
    theirs = try Self.container(file).makeMainContext()
    for context in [mine, theirs] { context.autosaveEnabled = false }
    mine.managedObjectContext.mergePolicy = policy
    let root = try Item.root(in: mine)
    for (place, title) in Self.titles.enumerated() {
      mine.insert(Item(title: title, order: place, parent: root))
    }
    try mine.save()
  }

  private static let titles = ["a", "b", "c", "d", "e"]

  private static func container(_ file: URL) throws -> ModelContainer {
    try ModelContainer(for: Item.self, configurations: ModelConfiguration(url: file))
  }

  /// Moves a row as the list does.
  private func move(_ title: String, to place: Int, in context: ModelContext) throws {
    var rows = try context.fetch(Item.root(in: context).childrenInOrder)
    let moved = try #require(rows.first { $0.title == title })
    rows.removeAll { $0 === moved }
    rows.insert(moved, at: place)
    for (place, row) in rows.enumerated() where row.order != place { row.order = place }
  }

  /// Every row to some places here, beside every row to others there: moves of different rows are
  /// both carried out, and of others the later window is told.
  @Test func everyRowHasAPlaceOfItsOwn() throws {
    var silent: [String] = []
    for own in Self.titles {
      for other in Self.titles {
        for place in [0, 2, 4] {
          try reset()
          _ = try mine.fetch(Item.root(in: mine).childrenInOrder).map(\.title)
          try move(own, to: place, in: mine)
          try move(other, to: 4 - place, in: theirs)
          let moves = mine.hasChanges
          try theirs.save()
          nonisolated(unsafe) var told: [String] = []
          policy.tell = { told.append($0) }
          policy.ask = { _ in }
          try mine.save()
          let orders = try stored().map(\.order)
          #expect(orders == [0, 1, 2, 3, 4], "\(own) to \(place), \(other) to \(4 - place)")
          let both = moved(own, to: place, in: moved(other, to: 4 - place, in: Self.titles))
          if moves, told.isEmpty, try stored().map(\.title) != both {
            silent.append("\(own) to \(place), \(other) to \(4 - place)")
          }
        }
      }
    }
    #expect(silent == [])
  }

  private func moved(_ title: String, to place: Int, in titles: [String]) -> [String] {
    var titles = titles.filter { $0 != title }
    titles.insert(title, at: place)
    return titles
  }

  private func reset() throws {
    let context = try fresh()
    for row in try context.fetch(FetchDescriptor<Item>()) {
      if let place = Self.titles.firstIndex(of: row.title) { row.order = place }
    }
    try context.save()
    for context in [mine, theirs] {
      context.rollback()
      context.managedObjectContext.refreshAllObjects()
    }
  }

  private func fresh() throws -> ModelContext {
    let context = mine.container.makeMainContext()
    context.autosaveEnabled = false
    return context
  }

  private func stored() throws -> [Item] {
    let context = try fresh()
    return try context.fetch(Item.root(in: context).childrenInOrder)
  }
}
