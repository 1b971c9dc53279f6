import Foundation

/// The user's way to ask for a table's content anew: a table's `refreshControl`.
///
/// Source: UIKit, `UIRefreshControl`. It is drawn as a button above the rows, which says that it is
/// busy until `endRefreshing()`; what is asked for are its actions for `.valueChanged`.
open class UIRefreshControl: UIControl {
  open private(set) var isRefreshing = false {
    didSet { if isRefreshing != oldValue { setNeedsDisplay() } }
  }
  /// Says what is refreshed, or when it was last.
  open var attributedTitle: NSAttributedString? { didSet { setNeedsDisplay() } }

  /// Shows that refreshing goes on; those who listen are not told.
  open func beginRefreshing() { isRefreshing = true }
  open func endRefreshing() { isRefreshing = false }

  /// The user asked for it.
  package func pull() {
    guard isEnabled, !isRefreshing else { return }
    beginRefreshing()
    sendActions(for: [.valueChanged, .primaryActionTriggered])
  }
}
