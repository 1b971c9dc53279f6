import Foundation

/// Searches the screen whose navigation item has it.
///
///     let search = UISearchController(searchResultsController: nil)
///     search.searchResultsUpdater = self
///     navigationItem.searchController = search
///
/// Source: UIKit, `UISearchController`. Results are shown by the screen itself; nothing is dimmed
/// meanwhile.
open class UISearchController: UIViewController {
  public let searchBar = UISearchBar()
  open weak var searchResultsUpdater: (any UISearchResultsUpdating)?
  open weak var delegate: (any UISearchControllerDelegate)?
  /// Kept for sources that set it; there is nothing that would obscure the screen.
  open var obscuresBackgroundDuringPresentation = false
  /// The screen that is searched.
  weak var host: UIViewController?

  /// - Parameter searchResultsController: `nil`; a screen of its own for the results is not built, and
  ///   stops the program.
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

  /// Whether the user searches. Setting it to false empties the search bar.
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

/// Shows what a search finds.
///
/// Source: UIKit, `UISearchResultsUpdating`.
@MainActor
public protocol UISearchResultsUpdating: AnyObject {
  /// Called when the text changes, and when the search begins and ends.
  func updateSearchResults(for searchController: UISearchController)
}

/// Told when a search begins and ends; every method has a default that does nothing.
///
/// Source: UIKit, `UISearchControllerDelegate`.
@MainActor
public protocol UISearchControllerDelegate: AnyObject {
  func willPresentSearchController(_ searchController: UISearchController)
  func didPresentSearchController(_ searchController: UISearchController)
  func willDismissSearchController(_ searchController: UISearchController)
  func didDismissSearchController(_ searchController: UISearchController)
}

extension UISearchControllerDelegate {
  public func willPresentSearchController(_ searchController: UISearchController) {}
  public func didPresentSearchController(_ searchController: UISearchController) {}
  public func willDismissSearchController(_ searchController: UISearchController) {}
  public func didDismissSearchController(_ searchController: UISearchController) {}
}
