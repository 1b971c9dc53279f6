import CoreData

#if canImport(UIKit)
  import UIKit
#else
  import ListKit
#endif

/// A form in a sheet. Values that are not accepted are reported beside their fields, and the form
/// stays.
///
/// A form that edits existing values applies only the fields that the user changed, since others
/// may have changed the rest meanwhile. If both sides changed a field, the user chooses.
package final class FormViewController: UITableViewController {
  private let buttonTitle: String
  private let identifier: String?
  private let note: String?
  private let fields: [FormField]
  private var rows: [FormRow] = []
  private let now: (@MainActor () throws -> [String])?
  private let accept: @MainActor ([String?]) throws -> Void

  /// Makes a form for something new.
  ///
  /// - Parameters:
  ///   - identifier: the identifier of the form in paths of windows.
  ///   - note: a text below the fields.
  ///   - accept: receives the texts in the order of the fields. Throws ``Refusals`` or validation
  ///     errors for those that are invalid.
  package convenience init(
    title: String, button: String, fields: [FormField], identifier: String? = nil,
    note: String? = nil, accept: @escaping @MainActor ([String]) throws -> Void
  ) {
    self.init(
      title: title, button: button, fields: fields, identifier: identifier, note: note, now: nil
    ) { try accept($0.map { $0 ?? "" }) }
  }

  /// Makes a form that edits existing values.
  ///
  /// - Parameters:
  ///   - now: returns the current values of the fields; throws if there is nothing to edit any
  ///     more.
  ///   - change: receives the texts of changed fields, and nil for the others. Throws ``Refusals``
  ///     or validation errors for those that are invalid.
  package convenience init(
    title: String, button: String, fields: [FormField], identifier: String? = nil,
    note: String? = nil, now: @escaping @MainActor () throws -> [String],
    change: @escaping @MainActor ([String?]) throws -> Void
  ) {
    self.init(
      title: title, button: button, fields: fields, identifier: identifier, note: note,
      now: .some(now), accept: change)
  }

  private init(
    title: String, button: String, fields: [FormField], identifier: String?, note: String?,
    now: (@MainActor () throws -> [String])?,
    accept: @escaping @MainActor ([String?]) throws -> Void
  ) {
    buttonTitle = button
    self.identifier = identifier
    self.note = note
    self.fields = fields
    self.now = now
    self.accept = accept
    super.init(style: .insetGrouped)
    self.title = title
  }

  package required init?(coder: NSCoder) { nil }

  /// Presents the form as a sheet, in the language of the controller's reader.
  package func present(on controller: UIViewController) {
    rows = fields.map { FormRow($0, locale: controller.locale) }
    for row in rows { row.onChange = { [weak self] in self?.noteChange() } }
    let navigation = UINavigationController(rootViewController: self)
    navigation.restorationIdentifier = identifier
    navigation.modalPresentationStyle = .formSheet
    navigation.presentationController?.delegate = self
    controller.present(navigation, animated: true)
  }

  package override func viewDidLoad() {
    super.viewDidLoad()
    tableView.allowsSelection = false
    navigationItem.leftBarButtonItem = UIBarButtonItem(
      systemItem: .cancel,
      primaryAction: UIAction { [weak self] _ in self?.cancel() })
    let save = UIBarButtonItem(
      primaryAction: UIAction(title: buttonTitle) { [weak self] _ in self?.save() })
    save.style = .done
    navigationItem.rightBarButtonItem = save
  }

  package override func viewDidAppear(_ animated: Bool) {
    super.viewDidAppear(animated)
    rows.first?.responder.becomeFirstResponder()
  }

  /// A form with changes is not dismissed without a question.
  private func noteChange() {
    isModalInPresentation = rows.contains { $0.text != $0.began }
  }

  // MARK: - Rows

  /// The rows by section: a section ends at a row with an error, which its footer shows.
  private var sections: [Range<Int>] {
    let ends = rows.indices.filter { rows[$0].error != nil }.map { $0 + 1 }
    let bounds = [0] + ends + (ends.last == rows.count ? [] : [rows.count])
    return zip(bounds, bounds.dropFirst()).map { $0..<$1 }
  }

  package override func numberOfSections(in tableView: UITableView) -> Int { sections.count }

  package override func tableView(
    _ tableView: UITableView, numberOfRowsInSection section: Int
  ) -> Int { sections[section].count }

  package override func tableView(
    _ tableView: UITableView, cellForRowAt indexPath: IndexPath
  ) -> UITableViewCell { rows[sections[indexPath.section].lowerBound + indexPath.row].cell }

  package override func tableView(
    _ tableView: UITableView, titleForFooterInSection section: Int
  ) -> String? {
    let last = sections[section].upperBound - 1
    return rows[last].error ?? (last == rows.count - 1 ? note : nil)
  }

  // MARK: - Saving

  /// Applies the texts, after a question for each conflict.
  private func save() {
    // The button may be pressed twice before the page hears of the first time.
    guard presentedViewController == nil, navigationController?.presentingViewController != nil
    else { return }
    do {
      if let now = try self.now?(), let index = conflict(with: now) {
        return ask(about: rows[index], theirs: now[index])
      }
      try accept(rows.map { now == nil || $0.text != $0.began ? $0.text : nil })
      dismiss(animated: true)
    } catch {
      show(error)
    }
  }

  private func conflict(with now: [String]) -> Int? {
    rows.indices.first { index in
      let row = rows[index]
      return FieldConflict.exists(
        began: row.began, now: row.field.compared(now[index]), typed: row.text)
    }
  }

  private func ask(about row: FormRow, theirs: String) {
    let locale = self.locale
    FieldConflict(
      row.field.label, theirs: row.field.shown(theirs, in: locale),
      mine: row.field.shown(row.text, in: locale)
    ).ask(on: self) { [weak self] choice in
      if choice == .back { return }
      row.began = row.field.compared(theirs)
      if choice == .theirs { row.text = theirs }
      self?.save()
    }
  }

  /// Shows errors beside their fields; one that is about no field, in an alert.
  private func show(_ error: any Error) {
    let texts = texts(of: error)
    for row in rows { row.show(error: texts?[row.field.key]) }
    tableView.reloadData()
    guard texts != nil else {
      return ErrorAlert("This was not saved", error).present(on: self)
    }
    let first = rows.first { $0.error != nil }?.responder
    // It may be the first responder still, while a button has the focus.
    first?.resignFirstResponder()
    first?.becomeFirstResponder()
  }

  /// The texts of errors by field; nil if one of them is about no field of the form.
  private func texts(of error: any Error) -> [String: String]? {
    let texts = (error as? Refusals)?.texts ?? validationWords(for: error)
    let keys = Set(fields.map(\.key))
    return texts.isEmpty || !keys.isSuperset(of: texts.keys) ? nil : texts
  }
}

// Leaving the form without saving.
extension FormViewController: UIAdaptivePresentationControllerDelegate {
  private func cancel() {
    isModalInPresentation ? askToDiscard() : dismiss(animated: true)
  }

  /// Escape, or a click outside of the form, after a change.
  package func presentationControllerDidAttemptToDismiss(
    _ presentationController: UIPresentationController
  ) { askToDiscard() }

  private func askToDiscard() {
    let question = UIAlertController(
      title: "What you changed is not saved", message: nil, preferredStyle: .actionSheet)
    question.addAction(
      UIAlertAction(title: "Discard Changes", style: .destructive) { [weak self] _ in
        self?.dismiss(animated: true)
      })
    question.addAction(UIAlertAction(title: "Keep Editing", style: .cancel))
    present(question, animated: true)
  }
}
