import Foundation
import ListKit

/// A tab with one of each control, whose acts are written down.
final class EarlyScreen: UITableViewController, UISearchResultsUpdating, ScreenRestoration {
  private(set) var acts: [String] = []
  private let box = UISwitch()
  private let stepper = UIStepper()
  private let segments = UISegmentedControl(items: ["One", "Two"])
  private let date = UIDatePicker()
  private let search = UISearchController(searchResultsController: nil)
  private let rowSwitch = UISwitch()

  override func viewDidLoad() {
    super.viewDidLoad()
    title = "Early"
    restorationIdentifier = "early"
    box.preferredStyle = .checkbox
    date.datePickerMode = .date
    date.timeZone = .gmt
    segments.selectedSegmentIndex = 0
    let named: [(UIControl, String)] = [
      (box, "Box"), (stepper, "Steps"), (segments, "Size"), (date, "Day"), (rowSwitch, "In row"),
    ]
    for (control, name) in named {
      control.accessibilityLabel = name
      control.addAction(
        UIAction { [weak self] _ in self?.acts.append(name) }, for: .valueChanged)
    }
    let header = UIStackView(arrangedSubviews: [box, stepper, segments, date])
    tableView.tableHeaderView = header
    search.searchResultsUpdater = self
    navigationItem.searchController = search
    navigationItem.rightBarButtonItem = UIBarButtonItem(
      primaryAction: UIAction(title: "Press") { [weak self] _ in self?.acts.append("Press") })
  }

  func updateSearchResults(for searchController: UISearchController) {
    if let text = searchController.searchBar.text, !text.isEmpty { acts.append("Search \(text)") }
  }

  override func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int { 2 }

  override func tableView(
    _ tableView: UITableView, cellForRowAt indexPath: IndexPath
  ) -> UITableViewCell {
    let cell = UITableViewCell(style: .default, reuseIdentifier: nil)
    cell.textLabel?.text = "Row \(indexPath.row)"
    cell.restorationIdentifier = "row-\(indexPath.row)"
    if indexPath.row == 0 { cell.accessoryView = rowSwitch }
    return cell
  }

  override func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {
    acts.append("Row \(indexPath.row)")
  }

  override func tableView(
    _ tableView: UITableView, commit editingStyle: UITableViewCell.EditingStyle,
    forRowAt indexPath: IndexPath
  ) { acts.append("Delete \(indexPath.row)") }

  override func tableView(_ tableView: UITableView, canEditRowAt indexPath: IndexPath) -> Bool {
    true
  }

  func showScreen(withRestorationIdentifier identifier: String) -> Bool { false }
}
