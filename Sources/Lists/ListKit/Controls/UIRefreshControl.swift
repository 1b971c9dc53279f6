import Foundation

/// A control by which the user reloads a table's content; see `ListView.refreshControl`.
///
/// Source: UIKit, `UIRefreshControl`. It is drawn as a button above the rows, busy until
/// `endRefreshing()`. The button sends `.valueChanged`, whose actions do the work.
open class UIRefreshControl: UIControl {
  /// Whether the control is busy.
  open private(set) var isRefreshing = false {
    didSet { if isRefreshing != oldValue { setNeedsDisplay() } }
  }
  /// The button's text, such as the time of the last refresh.
  open var attributedTitle: NSAttributedString? { didSet { setNeedsDisplay() } }

  /// Makes the control busy without sending actions.
  open func beginRefreshing() { isRefreshing = true }
  /// Makes the control ready again. Call it when the work is done.
  open func endRefreshing() { isRefreshing = false }

  /// Refreshes for the user: makes the control busy and sends its actions. Does nothing while it is
  /// busy or disabled.
  package func pull() {
    guard isEnabled, !isRefreshing else { return }
    beginRefreshing()
    sendActions(for: [.valueChanged, .primaryActionTriggered])
  }
}
