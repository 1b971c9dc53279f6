import CoreData
import ListApplication
import ListKit
import StoreTool

/// One object: its attributes, which can be edited if the store may be changed, and its
/// relationships, which lead to other objects.
final class ObjectViewController: UITableViewController {
  private let subject: BrowsedStore
  private let object: NSManagedObject
  private let context: NSManagedObjectContext
  private let attributes: [NSAttributeDescription]
  private let relationships: [NSRelationshipDescription]
  private var changes: [NotificationObservation] = []
  private var typed: AttributeEdit.Typed?
  private lazy var undoButtons = UndoButtons(context: context)

  private enum Section: Int, CaseIterable { case attributes, relationships }

  init(_ subject: BrowsedStore, object: NSManagedObject, context: NSManagedObjectContext) {
    self.subject = subject
    self.object = object
    self.context = context
    attributes = object.entity.storedAttributes
    relationships = object.entity.relationshipsByName.values.filter { !$0.isTransient }
      .sorted { $0.name < $1.name }
    super.init(style: .insetGrouped)
    restorationIdentifier = object.addressName
  }

  required init?(coder: NSCoder) { nil }

  override var undoManager: UndoManager? { context.undoManager }

  override func viewDidLoad() {
    super.viewDidLoad()
    if subject.edits != nil { navigationItem.rightBarButtonItems = undoButtons.items }
    // Members that have no object in this context are counted by the store: the counts must be read
    // again when other processes have written.
    let names: [NSNotification.Name] = [
      .NSManagedObjectContextObjectsDidChange, .contextDidFollowOthers,
    ]
    changes = names.map { name in
      NotificationObservation(of: name, object: context) { [weak self] _ in self?.follow() }
    }
    refresh()
  }

  private func refresh() {
    title = ObjectTitle.text(of: object)
    navigationItem.prompt = CellText.name(of: object.objectID)
    tableView.reloadData()
  }

  private func follow() {
    guard object.isDeleted || object.managedObjectContext == nil else { return refresh() }
    showToast(AttributeEdit.wordsOfDeletion(typed?()))
    changes = []
    navigationController?.popViewController(animated: true)
  }

  // MARK: - Rows

  override func numberOfSections(in tableView: UITableView) -> Int { Section.allCases.count }

  override func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
    section == Section.attributes.rawValue ? attributes.count : relationships.count
  }

  override func tableView(
    _ tableView: UITableView, titleForHeaderInSection section: Int
  ) -> String? {
    let isAttributes = section == Section.attributes.rawValue
    if isAttributes { return attributes.isEmpty ? nil : "Attributes" }
    return relationships.isEmpty ? nil : "Relationships"
  }

  override func tableView(
    _ tableView: UITableView, cellForRowAt indexPath: IndexPath
  ) -> UITableViewCell {
    let cell = UITableViewCell(style: .value1, reuseIdentifier: nil)
    switch Section(rawValue: indexPath.section) {
    case .attributes: show(attributes[indexPath.row], in: cell)
    default: show(relationships[indexPath.row], in: cell)
    }
    return cell
  }

  private func show(_ attribute: NSAttributeDescription, in cell: UITableViewCell) {
    cell.textLabel?.text = attribute.name
    cell.detailTextLabel?.text = ObjectTitle.shown(attribute, of: object) ?? "nil"
    guard canEdit(attribute) else { return cell.selectionStyle = .none }
    cell.accessibilityHint = "edits"
  }

  private func show(_ relationship: NSRelationshipDescription, in cell: UITableViewCell) {
    cell.textLabel?.text = relationship.name
    if relationship.isToMany {
      cell.detailTextLabel?.text = count(relationship)
    } else {
      cell.detailTextLabel?.text = destination(relationship).map(ObjectTitle.text) ?? "nil"
    }
    guard leads(relationship) else { return cell.selectionStyle = .none }
    cell.accessoryType = .disclosureIndicator
    cell.accessibilityHint = "opens"
  }

  private func destination(_ relationship: NSRelationshipDescription) -> NSManagedObject? {
    object.value(forKey: relationship.name) as? NSManagedObject
  }

  private func leads(_ relationship: NSRelationshipDescription) -> Bool {
    relationship.isToMany
      ? relationship.destinationEntity != nil : destination(relationship) != nil
  }

  /// The number of members, counted by the store without reading them.
  private func count(_ relationship: NSRelationshipDescription) -> String {
    guard let list = ObjectList.members(of: relationship, in: object),
      // The list shows the error of a failed count.
      let count = try? context.count(for: list.request())
    else { return "?" }
    return "\(count)"
  }

  override func tableView(
    _ tableView: UITableView, shouldHighlightRowAt indexPath: IndexPath
  ) -> Bool {
    switch Section(rawValue: indexPath.section) {
    case .attributes: canEdit(attributes[indexPath.row])
    default: leads(relationships[indexPath.row])
    }
  }

  override func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {
    tableView.deselectRow(at: indexPath, animated: true)
    switch Section(rawValue: indexPath.section) {
    case .attributes: edit(attributes[indexPath.row])
    default: follow(relationships[indexPath.row])
    }
  }

  override func tableView(
    _ tableView: UITableView, trailingSwipeActionsConfigurationForRowAt indexPath: IndexPath
  ) -> UISwipeActionsConfiguration? { UISwipeActionsConfiguration(actions: []) }

  // MARK: - Relationships

  private func follow(_ relationship: NSRelationshipDescription) {
    guard relationship.isToMany else { return destination(relationship).map(show) ?? () }
    if relationship.isOrdered {
      let members = OrderedMembersViewController(
        subject, context: context, owner: object, relationship: relationship)
      navigationController?.pushViewController(members, animated: true)
    } else if let list = ObjectList.members(of: relationship, in: object) {
      navigationController?.pushViewController(
        ObjectsViewController(subject, context: context, list: list), animated: true)
    }
  }

  private func show(_ object: NSManagedObject) {
    navigationController?.pushViewController(
      ObjectViewController(subject, object: object, context: context), animated: true)
  }

  // MARK: - Values

  private func canEdit(_ attribute: NSAttributeDescription) -> Bool {
    subject.edits != nil && AttributeEdit.canBeTyped(attribute)
  }

  private func edit(_ attribute: NSAttributeDescription) {
    guard canEdit(attribute), let edits = subject.edits else { return }
    AttributeEdit(object: object, attribute: attribute, edits: edits, subject: subject) {
      [weak self] in self?.typed = $0
    }.ask(on: self)
  }
}

extension ObjectViewController: ScreenRestoration {
  func showScreen(withRestorationIdentifier identifier: String) -> Bool {
    if let relationship = relationships.first(where: { $0.name == identifier && $0.isToMany }) {
      follow(relationship)
      return true
    }
    let destinations = relationships.filter { !$0.isToMany }.compactMap(destination)
    guard let next = destinations.first(where: { $0.addressName == identifier }) else {
      return false
    }
    show(next)
    return true
  }
}
