import Foundation

/// A search in the screen whose navigation item has this controller.
///
///     let search = UISearchController(searchResultsController: nil)
///     search.searchResultsUpdater = self
///     navigationItem.searchController = search
///
/// Source: UIKit, `UISearchController`. The screen itself shows the results; it is not dimmed
/// during a search.
open class UISearchController: UIViewController {
  /// The bar in which the user types.
  public let searchBar = UISearchBar()
  /// Updates the results when the search changes.
  open weak var searchResultsUpdater: (any UISearchResultsUpdating)?
  /// Hears of the start and the end of a search.
  open weak var delegate: (any UISearchControllerDelegate)?
  /// Stored for sources that set it: nothing obscures the screen.
  open var obscuresBackgroundDuringPresentation = false
  /// The searched screen.
  weak var host: UIViewController?

  /// Makes a search controller.
  ///
  /// - Parameter searchResultsController: must be `nil`: another controller traps, since a separate
  ///   screen for results is not supported.
  public init(searchResultsController: UIViewController?) {
    if searchResultsController != nil {
      fatalError(
        "UISearchController shows no results controller: pass nil, and show the results in the "
          + "screen that is searched")
    }
    super.init(nibName: nil, bundle: nil)
    searchBar.controller = self
  }

  public required init?(coder: NSCoder) { nil }

  open override var next: UIResponder? { host }

  /// Whether a search is going on. Setting it to false empties the search bar.
  open var isActive: Bool {
    get { isSearching }
    set { if newValue != isSearching { newValue ? begin() : end() } }
  }

  private var isSearching = false

  private func begin() {
    delegate?.willPresentSearchController(self)
    isSearching = true
    delegate?.didPresentSearchController(self)
    searchResultsUpdater?.updateSearchResults(for: self)
  }

  private func end() {
    delegate?.willDismissSearchController(self)
    isSearching = false
    searchBar.searchTextField.text = ""
    delegate?.didDismissSearchController(self)
    searchResultsUpdater?.updateSearchResults(for: self)
  }

  func searchTextDidChange() {
    if isSearching { searchResultsUpdater?.updateSearchResults(for: self) } else { isActive = true }
  }
}

/// Shows the results of a search.
///
/// Source: UIKit, `UISearchResultsUpdating`.
@MainActor
public protocol UISearchResultsUpdating: AnyObject {
  /// Called when the text changes, and when the search begins and ends.
  func updateSearchResults(for searchController: UISearchController)
}

/// Hears of the start and the end of a search. Every method has a default that does nothing.
///
/// Source: UIKit, `UISearchControllerDelegate`.
@MainActor
public protocol UISearchControllerDelegate: AnyObject {
  /// Called before a search begins.
  func willPresentSearchController(_ searchController: UISearchController)
  /// Called when a search has begun, before the results are updated.
  func didPresentSearchController(_ searchController: UISearchController)
  /// Called before a search ends.
  func willDismissSearchController(_ searchController: UISearchController)
  /// Called when a search has ended, before the results are updated.
  func didDismissSearchController(_ searchController: UISearchController)
}

extension UISearchControllerDelegate {
  /// Does nothing.
  public func willPresentSearchController(_ searchController: UISearchController) {}
  /// Does nothing.
  public func didPresentSearchController(_ searchController: UISearchController) {}
  /// Does nothing.
  public func willDismissSearchController(_ searchController: UISearchController) {}
  /// Does nothing.
  public func didDismissSearchController(_ searchController: UISearchController) {}
}
