import Foundation
import ListKit
import ListSnapshots
import Testing

@testable import ListWeb

/// What the user does with a control of a row crosses what others have done to the rows: it is meant for that row.
@MainActor
@Suite struct RowControlTests {
  /// What has happened to the rows while the event was on its way.
  enum Change: CaseIterable {
    case nothing, reloaded, reloadedTwice, moved, rowAboveDeleted, rowAboveInserted, allReloaded,
      deleted
  }

  @Test(arguments: Change.allCases) func theRowThatWasMeantIsTicked(_ change: Change) throws {
    let screen = TicksController()
    let scene = UIWindowScene()
    let window = UIWindow(windowScene: scene)
    window.rootViewController = UINavigationController(rootViewController: screen)
    let session = WindowSession(token: "test", scene: scene, window: window)
    _ = session.drawScreen()
    session.flush()
    let toggle = try #require((screen.tableView.rows[2].cell as? TickCell)?.toggle)
    let name = session.names.name(for: toggle)
    screen.carryOut(change)
    session.flush()
    var event = WindowEvent(type: "value")
    (event.id, event.text) = (name, "true")
    try session.handle(event)
    session.flush()
    // Without names of the data source's, rows that are all read anew are others.
    let isLost = change == .deleted || change == .allReloaded
    #expect(screen.ticked == (isLost ? [] : ["c"]))
    let told = (session.log.messages(after: 0) ?? []).map(\.text)
    #expect(told.contains { $0.contains("no longer there") } == isLost)
  }
}

private final class TickCell: UITableViewCell {
  let toggle = UISwitch()
  var tick: (Bool) -> Void = { _ in }

  override init(style: UITableViewCell.CellStyle, reuseIdentifier: String?) {
    super.init(style: style, reuseIdentifier: reuseIdentifier)
    toggle.addAction(
      UIAction { [weak self] _ in if let self { tick(toggle.isOn) } }, for: .valueChanged)
    contentView.addSubview(toggle)
  }

  required init?(coder: NSCoder) { nil }
}

private final class TicksController: UITableViewController {
  private var titles = ["a", "b", "c", "d"]
  private(set) var ticked: [String] = []

  override func viewDidLoad() {
    super.viewDidLoad()
    tableView.register(TickCell.self, forCellReuseIdentifier: "cell")
  }

  override func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
    titles.count
  }

  override func tableView(
    _ tableView: UITableView, cellForRowAt indexPath: IndexPath
  ) -> UITableViewCell {
    let cell = tableView.dequeueReusableCell(withIdentifier: "cell", for: indexPath)
    let title = titles[indexPath.row]
    (cell as? TickCell)?.tick = { [weak self] in if $0 { self?.ticked.append(title) } }
    (cell as? TickCell)?.toggle.isOn = false
    return cell
  }

  func carryOut(_ change: RowControlTests.Change) {
    let path = IndexPath(row: 2, section: 0)
    switch change {
    case .nothing: break
    case .reloaded: tableView.reloadRows(at: [path], with: .none)
    case .reloadedTwice:
      tableView.reloadRows(at: [path], with: .none)
      tableView.reloadRows(at: [path], with: .none)
    case .moved:
      titles = ["c", "a", "b", "d"]
      tableView.moveRow(at: path, to: IndexPath(row: 0, section: 0))
    case .rowAboveDeleted:
      titles.remove(at: 0)
      tableView.deleteRows(at: [IndexPath(row: 0, section: 0)], with: .none)
    case .rowAboveInserted:
      titles.insert("new", at: 1)
      tableView.insertRows(at: [IndexPath(row: 1, section: 0)], with: .none)
    case .allReloaded: tableView.reloadData()
    case .deleted:
      titles.remove(at: 2)
      tableView.deleteRows(at: [path], with: .none)
      titles.insert("again", at: 0)
      tableView.insertRows(at: [IndexPath(row: 0, section: 0)], with: .none)
    }
  }
}
