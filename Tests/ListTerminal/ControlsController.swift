import Foundation
import ListKit

/// A screen with every kind of control around a list whose rows have controls too; what they tell
/// is written down.
final class ControlsController: UIViewController, UITableViewDataSource {
  let toggle = UISwitch()
  let stepper = UIStepper()
  let slider = UISlider()
  let segments = UISegmentedControl(items: ["Day", "Week", "Month"])
  let progress = UIProgressView(progressViewStyle: .default)
  let activity = UIActivityIndicatorView(style: .medium)
  let timer = UIDatePicker()
  let button = UIButton(type: .system, primaryAction: nil)
  let table = UITableView(frame: .zero, style: .plain)
  var isChecked = [false, true]
  var counts = [1.0, 2.0]
  var events: [String] = []
  var cells: [Int: UITableViewCell] = [:]

  override func loadView() {
    let beside = UIStackView(arrangedSubviews: [toggle, segments, button])
    let page = UIStackView(
      arrangedSubviews: [beside, stepper, slider, progress, activity, timer, table])
    page.axis = .vertical
    view = page
  }

  override func viewDidLoad() {
    super.viewDidLoad()
    title = "Controls"
    toggle.accessibilityLabel = "Alarm"
    stepper.accessibilityLabel = "Cups"
    stepper.maximumValue = 3
    slider.accessibilityLabel = "Volume"
    slider.value = 0.5
    segments.selectedSegmentIndex = 0
    segments.setEnabled(false, forSegmentAt: 1)
    progress.accessibilityLabel = "Baking"
    progress.progress = 0.4
    timer.datePickerMode = .countDownTimer
    timer.countDownDuration = 90 * 60
    button.setTitle("Wake", for: .normal)
    hear(toggle) { "alarm \($0.toggle.isOn)" }
    hear(stepper) { "cups \($0.stepper.value)" }
    hear(slider) { "volume \($0.slider.value)" }
    hear(segments) { "segment \($0.segments.selectedSegmentIndex)" }
    hear(timer) { "timer \(Int($0.timer.countDownDuration / 60))" }
    button.addAction(
      UIAction { [weak self] _ in self?.events.append("wake") }, for: .touchUpInside)
    let refresh = UIRefreshControl()
    hear(refresh) { _ in "refresh" }
    table.refreshControl = refresh
    table.dataSource = self
    toolbarItems = [
      UIBarButtonItem(
        primaryAction: UIAction(title: "Archive") { [weak self] _ in
          self?.events.append("archive")
        }), .flexibleSpace(),
      UIBarButtonItem(
        primaryAction: UIAction(title: "Info") { [weak self] _ in self?.showInfo() }),
    ]
  }

  private func hear(_ control: UIControl, _ text: @escaping (ControlsController) -> String) {
    control.addAction(
      UIAction { [weak self] _ in
        if let self { events.append(text(self)) }
      }, for: .valueChanged)
  }

  private func showInfo() {
    let info = SectionsController(["Inside"], title: "Info")
    info.modalPresentationStyle = .popover
    present(info, animated: false)
  }

  // MARK: Rows

  func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int { 2 }

  func tableView(_ tableView: UITableView, cellForRowAt path: IndexPath) -> UITableViewCell {
    let cell = UITableViewCell(style: .default, reuseIdentifier: nil)
    var content = UIListContentConfiguration.valueCell()
    content.text = "Row \(path.row)"
    content.secondaryText = "side"
    content.textProperties.color = .systemRed
    content.textProperties.transform = .uppercase
    content.image = UIImage(systemName: "star")
    cell.contentConfiguration = content
    var background = UIBackgroundConfiguration.listPlainCell()
    background.backgroundColor = .systemYellow
    cell.backgroundConfiguration = background
    let check = UISwitch()
    check.preferredStyle = .checkbox
    check.isOn = isChecked[path.row]
    check.addAction(
      UIAction { [weak self, weak check] _ in
        guard let self, let check else { return }
        isChecked[path.row] = check.isOn
        events.append("row \(path.row) \(check.isOn)")
      }, for: .valueChanged)
    cell.contentView.addSubview(check)
    let count = UIStepper()
    count.value = counts[path.row]
    count.addAction(
      UIAction { [weak self, weak count] _ in
        guard let self, let count else { return }
        counts[path.row] = count.value
        events.append("row \(path.row) \(count.value)")
      }, for: .valueChanged)
    cell.accessoryView = count
    return cell
  }
}
