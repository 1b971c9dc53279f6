import Foundation

#if canImport(UIKit)
  import UIKit
#else
  import ListKit
#endif

/// What stands in the middle of a list without rows: what the list is for and its first act, how to
/// widen a search without a match, or why there is nothing.
package final class EmptyView: UIView {
  private let heading = UILabel()
  private let explanation = UILabel()
  private var button: UIButton?

  package override init(frame: CGRect) {
    super.init(frame: frame)
    heading.accessibilityIdentifier = "heading"
    heading.numberOfLines = 0
    explanation.numberOfLines = 0
    addSubview(heading)
  }

  package required init?(coder: NSCoder) { nil }

  /// Shows a text, an explanation below it, and a button.
  package func show(_ text: String, explanation words: String? = nil, action: UIAction? = nil) {
    heading.text = text
    heading.isHidden = text.isEmpty
    explanation.text = words
    explanation.removeFromSuperview()
    if words != nil { addSubview(explanation) }
    button?.removeFromSuperview()
    button = action.map { UIButton(type: .system, primaryAction: $0) }
    if let button { addSubview(button) }
  }

  /// Says that the rows are on their way.
  package func showLoading() { show("Loading…") }

  /// Says that the rows could not be read, with a button to read them again.
  package func showFailure(of what: String, retry: @escaping @MainActor () -> Void) {
    show(
      "\(what) could not be loaded", explanation: "Nothing was changed.",
      action: UIAction(title: "Try Again") { _ in retry() })
  }
}
