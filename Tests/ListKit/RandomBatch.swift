import Foundation
import ListKit
import ListSnapshots
import TestSupport

/// Sections of unique titles before and after a random batch, and the batch itself, made by taking
/// rows out and putting rows in: the simplest reading of the rules.
struct RandomBatch {
  var before: [[String]] = []
  var after: [[String]] = []
  private var deletedRows: [IndexPath] = []
  private var insertedRows: [IndexPath] = []
  private var moves: [(IndexPath, IndexPath)] = []
  private var deletedSections = IndexSet()
  private var insertedSections = IndexSet()

  init(_ random: inout SplitMix64) {
    makeBefore(&random)
    changeSections(&random)
    changeRows(&random)
  }

  private mutating func makeBefore(_ random: inout SplitMix64) {
    before = (0..<Int.random(in: 1...4, using: &random)).map { section in
      (0..<Int.random(in: 0...8, using: &random)).map { "\(section).\($0)" }
    }
  }

  private mutating func changeSections(_ random: inout SplitMix64) {
    for section in before.indices where Int.random(in: 0..<6, using: &random) == 0 {
      deletedSections.insert(section)
    }
    after = before.indices.filter { !deletedSections.contains($0) }.map { before[$0] }
    guard Int.random(in: 0..<3, using: &random) == 0 else { return }
    let place = Int.random(in: 0...after.count, using: &random)
    after.insert(["new section"], at: place)
    insertedSections.insert(place)
  }

  private mutating func changeRows(_ random: inout SplitMix64) {
    let survivors = before.indices.filter { !deletedSections.contains($0) }
    let places = after.indices.filter { !insertedSections.contains($0) }
    var origins: [(IndexPath, String)] = []
    for (old, new) in zip(survivors, places) {
      for (row, title) in before[old].enumerated() {
        let path = IndexPath(row: row, section: old)
        switch Int.random(in: 0..<6, using: &random) {
        case 0: deletedRows.append(path)
        case 1: origins.append((path, title))
        default: continue
        }
        after[new].removeAll { $0 == title }
      }
    }
    putIn(origins, places, &random)
  }

  private mutating func putIn(
    _ origins: [(IndexPath, String)], _ places: [Int], _ random: inout SplitMix64
  ) {
    guard !places.isEmpty else { return }
    let new = (0..<Int.random(in: 0...3, using: &random)).map { "new \($0)" }
    for title in origins.map(\.1) + new {
      guard let section = places.randomElement(using: &random) else { return }
      after[section].insert(title, at: Int.random(in: 0...after[section].count, using: &random))
    }
    insertedRows = new.compactMap(place)
    moves = origins.compactMap { origin in place(of: origin.1).map { (origin.0, $0) } }
  }

  private func place(of title: String) -> IndexPath? {
    for (section, rows) in after.enumerated() {
      if let row = rows.firstIndex(of: title) { return IndexPath(row: row, section: section) }
    }
    return nil
  }

  @MainActor
  func apply(to table: UITableView) {
    table.insertRows(at: insertedRows, with: .automatic)
    table.deleteSections(deletedSections, with: .automatic)
    for (from, to) in moves { table.moveRow(at: from, to: to) }
    table.insertSections(insertedSections, with: .automatic)
    table.deleteRows(at: deletedRows, with: .automatic)
  }
}
