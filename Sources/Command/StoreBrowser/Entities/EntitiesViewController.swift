import CoreData
import ListApplication
import ListKit

/// The list of the model's entities with their numbers of objects.
final class EntitiesViewController: UITableViewController {
  private let subject: BrowsedStore
  private let context: NSManagedObjectContext
  private var counts: [String: Int] = [:]
  private var changes: NotificationObservation?
  /// Whether a count is running, and whether other processes have written since it began.
  private var isCounting = false
  private var isOld = false

  init(_ subject: BrowsedStore, context: NSManagedObjectContext) {
    self.subject = subject
    self.context = context
    super.init(style: .plain)
    title = subject.name
  }

  required init?(coder: NSCoder) { nil }

  override func viewDidLoad() {
    super.viewDidLoad()
    let emptyLabel = UILabel()
    emptyLabel.text = "The model has no entity"
    tableView.backgroundView = emptyLabel
    changes = NotificationObservation(of: .contextDidFollowOthers, object: context) {
      [weak self] _ in
      self?.isOld = true
      Task { [weak self] in await self?.count() }
    }
  }

  override func viewIsAppearing(_ animated: Bool) {
    super.viewIsAppearing(animated)
    Task { [weak self] in await self?.count() }
  }

  private func count() async {
    guard !isCounting else { return }
    isCounting = true
    repeat {
      isOld = false
      await countOnce()
    } while isOld
    isCounting = false
  }

  private func countOnce() async {
    showActivity(true)
    do { counts = try await subject.counts() } catch {
      ErrorAlert("The objects could not be counted", error).present(on: self)
    }
    showActivity(false)
    tableView.reloadData()
  }

  override func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
    subject.entities.count
  }

  override func tableView(
    _ tableView: UITableView, cellForRowAt indexPath: IndexPath
  ) -> UITableViewCell {
    let entity = subject.entities[indexPath.row]
    let cell = UITableViewCell(style: .value1, reuseIdentifier: nil)
    cell.textLabel?.text = entity.name
    cell.detailTextLabel?.text = counts[entity.name ?? ""].map { "\($0)" }
    cell.accessoryType = .disclosureIndicator
    cell.accessibilityHint = "opens"
    return cell
  }

  override func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {
    show(subject.entities[indexPath.row])
  }

  private func show(_ entity: NSEntityDescription) {
    navigationController?.pushViewController(
      ObjectsViewController(subject, context: context, list: .all(entity)), animated: true)
  }

  override func tableView(
    _ tableView: UITableView, trailingSwipeActionsConfigurationForRowAt indexPath: IndexPath
  ) -> UISwipeActionsConfiguration? { UISwipeActionsConfiguration(actions: []) }
}

extension EntitiesViewController: ScreenRestoration {
  func showScreen(withRestorationIdentifier identifier: String) -> Bool {
    guard let entity = subject.entities.first(where: { $0.name == identifier }) else {
      return false
    }
    show(entity)
    return true
  }
}
