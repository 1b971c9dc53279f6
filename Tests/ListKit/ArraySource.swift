import Foundation
import ListKit
import ListSnapshots

/// Sections of titles as a data source, which counts what it is asked for.
@MainActor
final class ArraySource: UITableViewDataSource {
  var sections: [[String]]
  var cellsAskedFor: [IndexPath] = []
  var countsAskedFor = 0

  init(_ sections: [[String]]) { self.sections = sections }

  func numberOfSections(in tableView: UITableView) -> Int { sections.count }

  func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
    countsAskedFor += 1
    return sections[section].count
  }

  func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell {
    cellsAskedFor.append(indexPath)
    let cell = tableView.dequeueReusableCell(withIdentifier: "cell", for: indexPath)
    cell.textLabel?.text = sections[indexPath.section][indexPath.row]
    return cell
  }

  func tableView(_ tableView: UITableView, canMoveRowAt indexPath: IndexPath) -> Bool { true }

  func tableView(
    _ tableView: UITableView, moveRowAt sourceIndexPath: IndexPath,
    to destinationIndexPath: IndexPath
  ) {
    let title = sections[sourceIndexPath.section].remove(at: sourceIndexPath.row)
    sections[destinationIndexPath.section].insert(title, at: destinationIndexPath.row)
  }
}

/// A renderer that keeps what it was told and replays it on its own copy of the rows.
@MainActor
final class RecordingRenderer: ListRenderer {
  var operations: [WindowOperation] = []
  var changes: [ListChange] = []
  var ids: [String] = []

  func record(_ operation: WindowOperation) { operations.append(operation) }

  func record(_ operation: ListOperation) {
    switch operation {
    case .listChanged(_, let change): replay(change)
    case .listReloaded(let table): ids = table.rows.map(\.id)
    default: break
    }
  }

  func replay(_ change: ListChange) {
    changes.append(change)
    let gone = Set(change.removed.map(\.id) + change.moved.map(\.id))
    ids.removeAll(where: gone.contains)
    let coming = change.moved.map { ($0.place, $0.id) } + change.inserted.map { ($0.place, $0.id) }
    for (place, id) in coming.sorted(by: { $0.0 < $1.0 }) { ids.insert(id, at: place) }
  }
}

/// A table in a window, with cells for `shown` rows.
@MainActor
func makeTable(
  _ source: ArraySource, shown: Int = 100
) -> (table: UITableView, window: UIWindow, renderer: RecordingRenderer) {
  let table = UITableView(frame: .zero, style: .plain)
  table.register(UITableViewCell.self, forCellReuseIdentifier: "cell")
  table.dataSource = source
  let window = UIWindow(frame: .zero)
  let renderer = RecordingRenderer()
  window.renderer = renderer
  window.addSubview(table)
  renderer.replay(table.showRows(from: 0, count: shown))
  return (table, window, renderer)
}

extension UITableView {
  var titles: [String] { visibleCells.map { $0.textLabel?.text ?? "" } }
}
