import Foundation

#if canImport(UIKit)
  import UIKit
#else
  import ListKit
#endif

/// An alert with text fields. Invalid values are reported, and the alert is shown again.
///
/// An alert that edits existing values applies only the fields that the user changed, since others
/// may have changed the rest meanwhile. If both sides changed a field, the user chooses.
@MainActor
package struct FieldsAlert {
  package struct Field {
    let label: String
    /// The initial text of the field.
    var text: String
    /// The value when editing began.
    var began: String
    let keyboardType: UIKeyboardType

    package init(_ label: String, _ text: String = "", keyboardType: UIKeyboardType = .default) {
      self.label = label
      self.text = text
      self.began = text
      self.keyboardType = keyboardType
    }
  }

  private let title: String
  private var message: String?
  private let button: String
  private var fields: [Field]
  private let identifier: String?
  private let now: (@MainActor () throws -> [String])?
  private let accept: @MainActor ([String?]) throws -> Void

  /// Creates an alert for something new.
  ///
  /// - Parameters:
  ///   - identifier: the identifier of the alert in paths of windows.
  ///   - accept: receives the texts in the order of the fields, without blanks around them. Throws
  ///     if a text is invalid.
  package init(
    title: String, message: String? = nil, button: String, fields: [Field],
    identifier: String? = nil, accept: @escaping @MainActor ([String]) throws -> Void
  ) {
    self.init(
      title: title, message: message, button: button, fields: fields, identifier: identifier,
      now: nil
    ) { try accept($0.map { $0 ?? "" }) }
  }

  /// Creates an alert that edits existing values.
  ///
  /// - Parameters:
  ///   - now: returns the current values of the fields; throws if there is nothing to edit any
  ///     more.
  ///   - change: receives the texts of changed fields, and nil for the others. Throws if a text is
  ///     invalid.
  package init(
    title: String, message: String? = nil, button: String, fields: [Field],
    identifier: String? = nil, now: @escaping @MainActor () throws -> [String],
    change: @escaping @MainActor ([String?]) throws -> Void
  ) {
    self.init(
      title: title, message: message, button: button, fields: fields, identifier: identifier,
      now: .some(now), accept: change)
  }

  private init(
    title: String, message: String?, button: String, fields: [Field], identifier: String?,
    now: (@MainActor () throws -> [String])?,
    accept: @escaping @MainActor ([String?]) throws -> Void
  ) {
    self.title = title
    self.message = message
    self.button = button
    self.fields = fields
    self.identifier = identifier
    self.now = now
    self.accept = accept
  }

  package func present(on controller: UIViewController) {
    let alert = UIAlertController(title: title, message: message, preferredStyle: .alert)
    alert.restorationIdentifier = identifier
    for field in fields {
      alert.addTextField {
        $0.text = field.text
        $0.placeholder = field.label
        $0.accessibilityLabel = field.label
        $0.keyboardType = field.keyboardType
      }
    }
    alert.addAction(UIAlertAction(title: "Cancel", style: .cancel))
    alert.addAction(
      UIAlertAction(title: button, style: .default) { [weak alert, weak controller] _ in
        guard let alert, let controller else { return }
        let texts = alert.textFields?.map { Self.trimmed($0.text ?? "") } ?? []
        typed(texts).finish(on: controller)
      })
    controller.present(alert, animated: true)
  }

  private static func trimmed(_ text: String) -> String {
    text.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  private func typed(_ texts: [String]) -> FieldsAlert {
    var alert = self
    for (index, text) in texts.enumerated() { alert.fields[index].text = text }
    return alert
  }

  /// Applies the typed texts, after a question for each conflict.
  private func finish(on controller: UIViewController) {
    do {
      let now = try self.now?() ?? fields.map { _ in "" }
      let conflict = fields.indices.first { index in
        let field = fields[index]
        return self.now != nil
          && FieldConflict.exists(
            began: Self.trimmed(field.began), now: Self.trimmed(now[index]), typed: field.text)
      }
      if let conflict { return ask(conflict, now[conflict], on: controller) }
      try accept(
        fields.map { field in
          self.now == nil || field.text != Self.trimmed(field.began) ? field.text : nil
        })
    } catch {
      var alert = self
      alert.message = words(for: error)
      alert.present(on: controller)
    }
  }

  private func ask(_ index: Int, _ theirs: String, on controller: UIViewController) {
    let field = fields[index]
    FieldConflict(field.label, theirs: theirs, mine: field.text).ask(on: controller) {
      [weak controller] choice in
      guard let controller else { return }
      var alert = self
      if choice == .back { return alert.present(on: controller) }
      alert.fields[index].began = theirs
      if choice == .theirs { alert.fields[index].text = Self.trimmed(theirs) }
      alert.finish(on: controller)
    }
  }
}

/// An error about an invalid typed text, with a message for the user.
package struct Refusal: LocalizedError {
  package let errorDescription: String?
  package init(_ text: String) { errorDescription = text }
}
