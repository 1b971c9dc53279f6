import CoreData
import ListApplication
import ListKit

/// The members of an ordered relationship, in its order.
final class OrderedMembersViewController: UITableViewController {
  private let subject: BrowsedStore
  private let context: NSManagedObjectContext
  private let owner: NSManagedObject
  private let relationship: NSRelationshipDescription
  private var members: [NSManagedObject] = []
  private var changes: NotificationObservation?

  init(
    _ subject: BrowsedStore, context: NSManagedObjectContext, owner: NSManagedObject,
    relationship: NSRelationshipDescription
  ) {
    self.subject = subject
    self.context = context
    self.owner = owner
    self.relationship = relationship
    super.init(style: .plain)
    title = "\(relationship.name) of \(ObjectTitle.text(of: owner))"
    restorationIdentifier = relationship.name
  }

  required init?(coder: NSCoder) { nil }

  override var undoManager: UndoManager? { context.undoManager }

  override func viewDidLoad() {
    super.viewDidLoad()
    let emptyLabel = UILabel()
    emptyLabel.text = "There are none"
    tableView.backgroundView = emptyLabel
    changes = NotificationObservation(
      of: .NSManagedObjectContextObjectsDidChange, object: context
    ) { [weak self] _ in self?.read() }
    read()
  }

  private func read() {
    let isThere = owner.managedObjectContext != nil && !owner.isDeleted
    let array = isThere ? owner.mutableOrderedSetValue(forKey: relationship.name).array : []
    members = array.compactMap { $0 as? NSManagedObject }
    tableView.reloadData()
  }

  override func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
    members.count
  }

  override func tableView(
    _ tableView: UITableView, cellForRowAt indexPath: IndexPath
  ) -> UITableViewCell {
    let cell = UITableViewCell(style: .subtitle, reuseIdentifier: nil)
    let member = members[indexPath.row]
    cell.textLabel?.text = ObjectTitle.text(of: member)
    cell.detailTextLabel?.text = ObjectTitle.details(of: member)
    cell.accessoryType = .disclosureIndicator
    cell.accessibilityHint = "opens"
    return cell
  }

  override func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {
    show(members[indexPath.row])
  }

  private func show(_ object: NSManagedObject) {
    navigationController?.pushViewController(
      ObjectViewController(subject, object: object, context: context), animated: true)
  }

  override func tableView(
    _ tableView: UITableView, trailingSwipeActionsConfigurationForRowAt indexPath: IndexPath
  ) -> UISwipeActionsConfiguration? { UISwipeActionsConfiguration(actions: []) }
}

extension OrderedMembersViewController: ScreenRestoration {
  func showScreen(withRestorationIdentifier identifier: String) -> Bool {
    guard let object = members.first(where: { $0.addressName == identifier }) else { return false }
    show(object)
    return true
  }
}
