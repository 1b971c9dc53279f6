import Foundation
import ListSnapshots
import Testing

@testable import ListKit

@MainActor
@Suite struct CellTests {
  final class OwnCell: UITableViewCell {
    let field = UITextField()
    var reuses = 0

    override init(style: UITableViewCell.CellStyle, reuseIdentifier: String?) {
      super.init(style: .value1, reuseIdentifier: reuseIdentifier)
      contentView.addSubview(field)
    }

    required init?(coder: NSCoder) { fatalError("init(coder:) is not used") }

    override func prepareForReuse() { reuses += 1 }
  }

  @Test func aRegisteredClassIsMadeByItsOwnInitialiser() {
    let table = UITableView(frame: .zero, style: .plain)
    table.register(OwnCell.self, forCellReuseIdentifier: "own")
    let cell = table.dequeueReusableCell(withIdentifier: "own") as? OwnCell
    #expect(cell?.reuseIdentifier == "own")
    #expect(cell?.rowContent.hasTitleField == true)
    #expect(table.dequeueReusableCell(withIdentifier: "other") == nil)
    table.register(nil, forCellReuseIdentifier: "own")
    #expect(table.dequeueReusableCell(withIdentifier: "own") == nil)
  }

  @Test func cellsThatScrollAwayAreUsedAgain() {
    let source = ArraySource([(0..<100).map(String.init)])
    let (table, window, _) = makeTable(source, shown: 10)
    let cells = Set(table.visibleCells.map(ObjectIdentifier.init))
    _ = table.showRows(from: 50, count: 10)
    #expect(Set(table.visibleCells.map(ObjectIdentifier.init)) == cells)
    #expect(table.titles.first == "50")
    _ = table.showRows(from: 45, count: 10)
    #expect(Set(table.visibleCells.map(ObjectIdentifier.init)) == cells)
    _ = window
  }

  @Test func anIdentifierWithoutAClassStopsTheProcess() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      await MainActor.run {
        let table = UITableView(frame: .zero, style: .plain)
        _ = table.dequeueReusableCell(
          withIdentifier: "X", for: IndexPath(row: 0, section: 0))
      }
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(
      text.contains(
        "unable to dequeue a cell with identifier X - must register a nib or a class for the "
          + "identifier or connect a prototype cell in a storyboard"))
  }

  @Test func stylesSayWhereTheDetailStands() {
    let value = UITableViewCell(style: .value1, reuseIdentifier: nil)
    value.textLabel?.text = "Bread"
    value.detailTextLabel?.text = "3"
    #expect(value.rowContent == RowContent(title: "Bread", badge: "3"))
    let subtitle = UITableViewCell(style: .subtitle, reuseIdentifier: nil)
    subtitle.textLabel?.text = "Bread"
    subtitle.detailTextLabel?.text = "white"
    let badge = UILabel()
    badge.text = "20"
    subtitle.accessoryView = badge
    #expect(subtitle.rowContent == RowContent(title: "Bread", detail: "white", badge: "20"))
  }

  @Test func aContentConfigurationTakesThePlaceOfTheLabels() {
    let cell = UITableViewCell(style: .default, reuseIdentifier: nil)
    var content = UIListContentConfiguration.valueCell()
    content.text = "Bread"
    content.secondaryText = "3"
    cell.contentConfiguration = content
    #expect(cell.rowContent == RowContent(title: "Bread", badge: "3"))
  }

  @Test func aChangedLabelOfAShownCellIsToldToTheRenderer() {
    let source = ArraySource([["a"]])
    let (table, window, renderer) = makeTable(source)
    renderer.operations = []
    table.visibleCells[0].textLabel?.text = "b"
    guard case .viewChanged(let view)? = renderer.operations.first else {
      Issue.record("Nothing was recorded")
      return
    }
    #expect(table.row(for: view)?.indexPath == IndexPath(row: 0, section: 0))
    _ = window
  }
}
