import Foundation

#if canImport(UIKit)
  import UIKit
#else
  import ListKit
#endif

/// An alert that asks for some texts; what does not make sense is told, and asked for again.
@MainActor
package struct FieldsAlert {
  package struct Field {
    let label: String
    var text: String
    let keyboardType: UIKeyboardType

    package init(_ label: String, _ text: String = "", keyboardType: UIKeyboardType = .default) {
      self.label = label
      self.text = text
      self.keyboardType = keyboardType
    }
  }

  private let title: String
  private let message: String?
  private let button: String
  private let fields: [Field]
  private let identifier: String?
  private let accept: @MainActor ([String]) throws -> Void

  /// - Parameters:
  ///   - identifier: what the question is called in the place of the window.
  ///   - accept: takes the texts, in the order of the fields and without blanks around them, or
  ///     throws what is wrong with them.
  package init(
    title: String, message: String? = nil, button: String, fields: [Field],
    identifier: String? = nil, accept: @escaping @MainActor ([String]) throws -> Void
  ) {
    self.title = title
    self.message = message
    self.button = button
    self.fields = fields
    self.identifier = identifier
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
        answer(alert.textFields?.map { $0.text ?? "" } ?? [], on: controller)
      })
    controller.present(alert, animated: true)
  }

  private func answer(_ texts: [String], on controller: UIViewController) {
    do {
      try accept(texts.map { $0.trimmingCharacters(in: .whitespacesAndNewlines) })
    } catch {
      let typed = zip(fields, texts).map { Field($0.label, $1, keyboardType: $0.keyboardType) }
      FieldsAlert(
        title: title, message: words(for: error), button: button, fields: typed,
        identifier: identifier, accept: accept
      ).present(on: controller)
    }
  }
}

/// What is wrong with a text that was typed, in words for the user.
package struct Refusal: LocalizedError {
  package let errorDescription: String?
  package init(_ text: String) { errorDescription = text }
}
