import Foundation
import ListKit

/// One of each control, in views and in rows.
final class ControlsScreen: UITableViewController {
  let toggle = UISwitch()
  let box = UISwitch()
  let stepper = UIStepper()
  let slider = UISlider()
  let segments = UISegmentedControl(items: ["One", "Two", "Three"])
  let progress = UIProgressView(progressViewStyle: .default)
  let activity = UIActivityIndicatorView(style: .medium)
  let refresh = UIRefreshControl()
  let countdown = UIDatePicker()
  let save = UIBarButtonItem(systemItem: .save)
  let rowSwitches = [UISwitch(), UISwitch()]
  private var pressed = 0

  override func viewDidLoad() {
    super.viewDidLoad()
    title = "Controls"
    box.preferredStyle = .checkbox
    box.title = "With a box"
    activity.hidesWhenStopped = false
    activity.startAnimating()
    progress.progress = 0.4
    segments.selectedSegmentIndex = 0
    countdown.datePickerMode = .countDownTimer
    let named: [(UIView, String)] = [
      (toggle, "Wi-Fi"), (stepper, "Copies"), (slider, "Volume"), (segments, "Size"),
      (progress, "Upload"), (activity, "Waiting"), (countdown, "Timer"),
    ]
    for (view, name) in named { view.accessibilityLabel = name }
    let views = [toggle, box, stepper, slider, segments, progress, activity, countdown]
    let header = UIStackView(arrangedSubviews: views)
    tableView.tableHeaderView = header
    tableView.refreshControl = refresh
    save.primaryAction = UIAction(title: "Save") { [weak self] _ in self?.count() }
    toolbarItems = [.flexibleSpace(), save]
    navigationController?.isToolbarHidden = false
  }

  private func count() {
    pressed += 1
    save.title = "Saved \(pressed)"
  }

  override func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
    rowSwitches.count
  }

  override func tableView(
    _ tableView: UITableView, cellForRowAt indexPath: IndexPath
  ) -> UITableViewCell {
    let cell = UITableViewCell(style: .default, reuseIdentifier: nil)
    var content = cell.defaultContentConfiguration()
    content.text = "Row <\(indexPath.row)>"
    content.image = UIImage(systemName: "star")
    content.textProperties.color = .systemGreen
    cell.contentConfiguration = content
    cell.accessoryView = rowSwitches[indexPath.row]
    cell.accessibilityIdentifier = "row-\(indexPath.row)"
    rowSwitches[indexPath.row].accessibilityLabel = "Row \(indexPath.row)"
    if indexPath.row == 1 {
      var background = UIBackgroundConfiguration.listPlainCell()
      background.backgroundColor = .systemYellow
      cell.backgroundConfiguration = background
    }
    return cell
  }
}
