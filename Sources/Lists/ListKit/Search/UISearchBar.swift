import Foundation

/// The text field of a search bar. Renderers report its text while it is typed.
///
/// Source: UIKit, `UISearchTextField`.
open class UISearchTextField: UITextField {}

/// A search field with a Cancel button.
///
/// Source: UIKit, `UISearchBar`.
open class UISearchBar: UIView {
  /// The text field of the bar.
  public let searchTextField = UISearchTextField()
  /// Hears of the user's input.
  open weak var delegate: (any UISearchBarDelegate)?
  /// The search controller that owns the bar.
  weak var controller: UISearchController?

  public override init(frame: CGRect) {
    super.init(frame: frame)
    addSubview(searchTextField)
    searchTextField.returnKeyType = .search
    follow(.editingDidBegin) { $0.didBegin() }
    follow(.editingChanged) { $0.didType() }
    follow(.editingDidEndOnExit) { $0.delegate?.searchBarSearchButtonClicked($0) }
    follow(.editingDidEnd) { $0.delegate?.searchBarTextDidEndEditing($0) }
  }

  public required init?(coder: NSCoder) { nil }

  /// The searched text. Setting it updates the search results, and begins a search.
  open var text: String? {
    get { searchTextField.text }
    set {
      guard newValue ?? "" != searchTextField.text else { return }
      searchTextField.text = newValue
      controller?.searchTextDidChange()
    }
  }

  /// The text that an empty field shows.
  open var placeholder: String? {
    get { searchTextField.placeholder }
    set { searchTextField.placeholder = newValue }
  }

  /// The window of the searched screen, for the bar of a search controller, which is in no view.
  open override var window: UIWindow? { super.window ?? controller?.host?.viewIfLoaded?.window }
  open override var next: UIResponder? { superview == nil ? controller : super.next }

  private func follow(_ event: UIControl.Event, _ body: @escaping @MainActor (UISearchBar) -> Void)
  {
    searchTextField.addAction(UIAction { [weak self] _ in self.map(body) }, for: event)
  }

  private func didBegin() {
    delegate?.searchBarTextDidBeginEditing(self)
    controller?.isActive = true
  }

  private func didType() {
    delegate?.searchBar(self, textDidChange: text ?? "")
    controller?.searchTextDidChange()
  }

  /// Presses the Cancel button for the user: ends editing and the search.
  package func cancel() {
    delegate?.searchBarCancelButtonClicked(self)
    searchTextField.endEditing()
    controller?.isActive = false
  }
}

/// Hears of the user's input in a search bar. Every method has a default that does nothing.
///
/// Source: UIKit, `UISearchBarDelegate`.
@MainActor
public protocol UISearchBarDelegate: AnyObject {
  /// Called when editing begins.
  func searchBarTextDidBeginEditing(_ searchBar: UISearchBar)
  /// Called when editing has ended.
  func searchBarTextDidEndEditing(_ searchBar: UISearchBar)
  /// Called for each change by the user.
  func searchBar(_ searchBar: UISearchBar, textDidChange searchText: String)
  /// Called when Return is pressed.
  func searchBarSearchButtonClicked(_ searchBar: UISearchBar)
  /// Called when the Cancel button is pressed, before editing ends.
  func searchBarCancelButtonClicked(_ searchBar: UISearchBar)
}

extension UISearchBarDelegate {
  /// Does nothing.
  public func searchBarTextDidBeginEditing(_ searchBar: UISearchBar) {}
  /// Does nothing.
  public func searchBarTextDidEndEditing(_ searchBar: UISearchBar) {}
  /// Does nothing.
  public func searchBar(_ searchBar: UISearchBar, textDidChange searchText: String) {}
  /// Does nothing.
  public func searchBarSearchButtonClicked(_ searchBar: UISearchBar) {}
  /// Does nothing.
  public func searchBarCancelButtonClicked(_ searchBar: UISearchBar) {}
}
