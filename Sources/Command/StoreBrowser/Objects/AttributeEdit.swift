import CoreData
import ListApplication
import ListKit
import StoreTool

/// Asks for a new value of an attribute and saves it. For an invalid value it shows the error and
/// asks again.
@MainActor
struct AttributeEdit {
  let object: NSManagedObject
  let attribute: NSAttributeDescription
  let edits: EditSession
  let subject: BrowsedStore
  /// Is given a closure that returns the text that was typed and is not saved, nil for none; nil
  /// when there is nothing of that kind any more.
  let follow: @MainActor (Typed?) -> Void

  typealias Typed = @MainActor () -> String?

  private static let longestText = 10_000

  /// Whether the attribute can be edited as text. Excluded are derived, composite and transient
  /// attributes and types without a text form.
  static func canBeTyped(_ attribute: NSAttributeDescription) -> Bool {
    if attribute.isTransient || attribute is NSDerivedAttributeDescription
      || attribute is NSCompositeAttributeDescription
    {
      return false
    }
    switch attribute.attributeType {
    case .transformableAttributeType, .objectIDAttributeType, .undefinedAttributeType: return false
    default: return true
    }
  }

  /// The current value in the form in which it is typed.
  private var text: String {
    guard let value = object.value(forKey: attribute.name) else { return "" }
    return CellText.text(of: value, attribute)
  }

  func ask(on controller: UIViewController) {
    let text = text
    // A field has a single line: it would lose the line breaks of the value.
    guard !text.contains(where: \.isNewline), text.utf8.count <= Self.longestText else {
      let message = """
        The value is too long for a field, or has several lines. Change it with \
        coredata set … \(CellText.name(of: object.objectID)) \(attribute.name)=…
        """
      return ErrorAlert(
        "“\(attribute.name)” cannot be edited here", ToolError(.usage, description: message)
      )
      .present(on: controller)
    }
    ask(text, began: text, complaint: nil, on: controller)
  }

  private func ask(
    _ text: String, began: String, complaint: String?, on controller: UIViewController
  ) {
    let alert = UIAlertController(
      title: attribute.name, message: complaint, preferredStyle: .alert)
    alert.addTextField {
      $0.text = text
      $0.placeholder = attribute.isOptional ? "nil" : attribute.name
      $0.accessibilityLabel = attribute.name
    }
    follow { [weak alert] in
      let typed = alert?.textFields?.first?.text
      return typed == began ? nil : typed
    }
    alert.addAction(UIAlertAction(title: "Cancel", style: .cancel) { _ in follow(nil) })
    if attribute.isOptional {
      alert.addAction(
        UIAlertAction(title: "Set to nil", style: .destructive) { [weak controller] _ in
          if let controller { take(nil, began: began, on: controller) }
        })
    }
    alert.addAction(
      UIAlertAction(title: "Save", style: .default) { [weak alert, weak controller] _ in
        guard let alert, let controller else { return }
        take(alert.textFields?.first?.text ?? "", began: began, on: controller)
      })
    controller.present(alert, animated: true)
  }

  private func take(_ typed: String?, began: String, on controller: UIViewController) {
    follow(nil)
    // The controller may leave the window while another program is waited for.
    let window = controller.view.window?.rootViewController
    // A date has more precision than its text: an unchanged text must not change the value.
    if let typed, typed == began,
      !(typed.isEmpty && attribute.attributeType == .stringAttributeType)
    {
      return
    }
    subject.saving(on: controller) { [weak controller] in
      // Read at this point because `body` may run again after waiting for another program.
      if isThere, FieldConflict.exists(began: began, now: text, typed: typed ?? "") {
        return controller.map { askWhich(typed, on: $0) } ?? ()
      }
      try save(
        try typed.map { try ValueText.value($0, for: attribute, mayReadFiles: false) })
    } failed: { [weak controller] error in
      guard isThere else {
        window?.showToast(Self.wordsOfDeletion(typed))
        return
      }
      guard let controller else { return }
      ask(typed ?? text, began: text, complaint: words(for: ToolError(error)), on: controller)
    }
  }

  /// What is said of an object that somebody else has deleted while its value was being typed.
  static func wordsOfDeletion(_ typed: String?) -> String {
    guard let typed, !typed.isEmpty else { return "This object was deleted." }
    return "This object was deleted. You typed: \(typed)"
  }

  private var isThere: Bool { object.managedObjectContext != nil && !object.isDeleted }

  /// Asks which value to keep, after another process has changed the value during editing.
  private func askWhich(_ typed: String?, on controller: UIViewController) {
    let theirs = text
    follow { typed }
    FieldConflict(attribute.name, theirs: theirs, mine: typed ?? "nil").ask(on: controller) {
      [weak controller] choice in
      guard let controller else { return }
      switch choice {
      case .theirs: follow(nil)
      case .mine: take(typed, began: theirs, on: controller)
      case .back: ask(typed ?? theirs, began: theirs, complaint: nil, on: controller)
      }
    }
  }

  private func save(_ value: Any?) throws {
    guard let context = object.managedObjectContext, isThere else {
      throw ToolError(.badData, description: "This object has been deleted.")
    }
    var value = value
    try object.validateValue(&value, forKey: attribute.name)
    object.setValue(value, forKey: attribute.name)
    context.undoManager?.setActionName("Change \(attribute.name)")
    do { try edits.save(context) } catch {
      // The change that cannot be saved is taken back.
      context.rollback()
      let conflict = ToolError(error)
      guard conflict.isMergeConflict else { throw error }
      throw ToolError(
        conflict.status,
        description: "Somebody else has just changed this object. Here it is as it is now.")
    }
  }
}
