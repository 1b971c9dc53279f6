/// A row was renamed by somebody else while its user was renaming it: the user is asked whose title it is to have.
@MainActor
package struct RenameQuestion {
  /// The title that the renaming began with.
  private let old: String
  /// The one that somebody else gave.
  private let now: String
  private let typed: String

  /// Nil where nobody has renamed the row, or to the same title.
  package init?(old: String, now: String, typed: String) {
    guard old != now, typed != now, typed != old else { return nil }
    self.old = old
    self.now = now
    self.typed = typed
  }

  /// - Parameter rename: called when it is to have the title that was typed.
  package func ask(in window: UIWindow, rename: @escaping @MainActor () -> Void) {
    guard window.visibleAlert == nil, let presenter = window.visibleViewController else {
      let words = "“\(old)” is called “\(now)” now. You typed: \(typed)"
      return window.record(.toast(Toast(message: words, action: nil)))
    }
    let question = UIAlertController(
      title: "Renamed by somebody else",
      message: "“\(old)” is called “\(now)” now. You typed “\(typed)”.", preferredStyle: .alert)
    let theirs = UIAlertAction(title: "Keep Theirs", style: .cancel)
    question.addAction(theirs)
    // A Return too many writes over nobody's title.
    question.preferredAction = theirs
    question.addAction(UIAlertAction(title: "Use Mine", style: .default) { _ in rename() })
    presenter.present(question, animated: true)
  }
}
