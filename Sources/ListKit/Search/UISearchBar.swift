import Foundation

/// The text field of a search bar. A renderer reports its text while it is typed.
///
/// Source: UIKit, `UISearchTextField`.
open class UISearchTextField: UITextField {}

/// A field for what is searched, and a Cancel button.
///
/// Source: UIKit, `UISearchBar`.
open class UISearchBar: UIView {
  public let searchTextField = UISearchTextField()
  open weak var delegate: (any UISearchBarDelegate)?
  /// The controller whose bar this is.
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

  open var text: String? {
    get { searchTextField.text }
    set {
      guard newValue ?? "" != searchTextField.text else { return }
      searchTextField.text = newValue
      controller?.searchTextDidChange()
    }
  }

  open var placeholder: String? {
    get { searchTextField.placeholder }
    set { searchTextField.placeholder = newValue }
  }

  /// The bar of a search controller is in no other view: it belongs to the window of the screen that
  /// is searched.
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

  /// What a renderer calls for the Cancel button.
  package func cancel() {
    delegate?.searchBarCancelButtonClicked(self)
    searchTextField.endEditing()
    controller?.isActive = false
  }
}

/// Told what the user does in a search bar; every method has a default that does nothing.
///
/// Source: UIKit, `UISearchBarDelegate`.
@MainActor
public protocol UISearchBarDelegate: AnyObject {
  func searchBarTextDidBeginEditing(_ searchBar: UISearchBar)
  func searchBarTextDidEndEditing(_ searchBar: UISearchBar)
  /// With each change that the user makes.
  func searchBar(_ searchBar: UISearchBar, textDidChange searchText: String)
  /// Return was pressed.
  func searchBarSearchButtonClicked(_ searchBar: UISearchBar)
  func searchBarCancelButtonClicked(_ searchBar: UISearchBar)
}

extension UISearchBarDelegate {
  public func searchBarTextDidBeginEditing(_ searchBar: UISearchBar) {}
  public func searchBarTextDidEndEditing(_ searchBar: UISearchBar) {}
  public func searchBar(_ searchBar: UISearchBar, textDidChange searchText: String) {}
  public func searchBarSearchButtonClicked(_ searchBar: UISearchBar) {}
  public func searchBarCancelButtonClicked(_ searchBar: UISearchBar) {}
}
