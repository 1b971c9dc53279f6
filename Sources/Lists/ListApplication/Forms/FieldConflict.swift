#if canImport(UIKit)
  import UIKit
#else
  import ListKit
#endif

/// A value that changed elsewhere while it was being edited; the user chooses which one to keep.
@MainActor
package struct FieldConflict {
  package enum Choice { case theirs, mine, back }

  private let title: String
  private let message: String

  /// - Parameter label: the label of the field.
  package init(_ label: String, theirs: String, mine: String) {
    title = "“\(label)” was changed meanwhile"
    message = "Somebody else made it “\(theirs)”. You made it “\(mine)”."
  }

  /// A row that both have moved.
  package init(moved name: String, theirs: String, mine: String) {
    title = "“\(name)” was moved meanwhile"
    message = "Somebody else moved it to “\(theirs)”. You moved it to “\(mine)”."
  }

  /// Returns true if both sides have changed a value, to different ones.
  package static func exists(began: String, now: String, typed: String) -> Bool {
    typed != began && now != began && typed != now
  }

  /// - Parameter choose: called with the answer; `back` is also Escape.
  package func ask(
    on controller: UIViewController, choose: @escaping @MainActor (Choice) -> Void
  ) {
    let question = UIAlertController(
      title: title, message: message, preferredStyle: .alert)
    question.addAction(UIAlertAction(title: "Back", style: .cancel) { _ in choose(.back) })
    question.addAction(
      UIAlertAction(title: "Keep Theirs", style: .default) { _ in choose(.theirs) })
    question.addAction(UIAlertAction(title: "Use Mine", style: .default) { _ in choose(.mine) })
    controller.present(question, animated: true)
  }
}
