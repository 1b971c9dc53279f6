/// A question to a user whose row was renamed by another user meanwhile: which title to keep.
@MainActor
package struct RenameQuestion {
  /// The title at the start of the renaming.
  private let old: String
  /// The other user's title.
  private let now: String
  private let typed: String

  /// Nil if the row was not renamed meanwhile, or if both users chose the same title.
  package init?(old: String, now: String, typed: String) {
    guard old != now, typed != now, typed != old else { return nil }
    self.old = old
    self.now = now
    self.typed = typed
  }

  /// Asks whether to use the typed title. Shows a toast instead if an alert is open.
  ///
  /// - Parameter rename: called if the user chooses the typed title.
  package func ask(in window: UIWindow, rename: @escaping @MainActor () -> Void) {
    guard window.visibleAlert == nil, let presenter = window.visibleViewController else {
      let reason = "“\(old)” is called “\(now)” now."
      return window.record(.toast(Toast(reason: reason, typed: typed)))
    }
    let question = UIAlertController(
      title: "Renamed by somebody else",
      message: "“\(old)” is called “\(now)” now. You typed “\(typed)”.", preferredStyle: .alert)
    let theirs = UIAlertAction(title: "Keep Theirs", style: .cancel)
    question.addAction(theirs)
    // An accidental Return overwrites no title.
    question.preferredAction = theirs
    question.addAction(UIAlertAction(title: "Use Mine", style: .default) { _ in rename() })
    presenter.present(question, animated: true)
  }
}
