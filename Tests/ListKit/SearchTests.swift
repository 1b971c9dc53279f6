import Foundation
import Testing

@testable import ListKit

private final class Searcher: UIViewController, UISearchResultsUpdating, UISearchBarDelegate,
  UISearchControllerDelegate
{
  var lines: [String] = []
  let search = UISearchController(searchResultsController: nil)

  override func viewDidLoad() {
    search.searchResultsUpdater = self
    search.delegate = self
    search.searchBar.delegate = self
    navigationItem.searchController = search
  }

  func updateSearchResults(for searchController: UISearchController) {
    lines.append("update “\(searchController.searchBar.text ?? "")”")
  }

  func willPresentSearchController(_ searchController: UISearchController) {
    lines.append("will present")
  }
  func didDismissSearchController(_ searchController: UISearchController) {
    lines.append("did dismiss")
  }
  func searchBar(_ searchBar: UISearchBar, textDidChange searchText: String) {
    lines.append("text “\(searchText)”")
  }
  func searchBarSearchButtonClicked(_ searchBar: UISearchBar) { lines.append("search") }
  func searchBarCancelButtonClicked(_ searchBar: UISearchBar) { lines.append("cancel") }
}

@MainActor
@Suite struct SearchTests {
  private let window = UIWindow(frame: .zero)

  private func makeSearcher() -> Searcher {
    let searcher = Searcher()
    window.rootViewController = UINavigationController(rootViewController: searcher)
    window.makeKeyAndVisible()
    return searcher
  }

  private func type(_ text: String, into searcher: Searcher) {
    let field = searcher.search.searchBar.searchTextField
    field.beginEditing()
    field.receive(text)
  }

  @Test func everyChangeOfTheTextIsTold() {
    let searcher = makeSearcher()
    type("w", into: searcher)
    type("wo", into: searcher)
    // Nothing new.
    type("wo", into: searcher)
    #expect(
      searcher.lines == [
        "will present", "update “”", "text “w”", "update “w”", "text “wo”", "update “wo”",
      ])
    #expect(searcher.search.isActive)
  }

  @Test func cancellingEmptiesTheFieldAndEndsTheSearch() {
    let searcher = makeSearcher()
    type("wolf", into: searcher)
    searcher.lines = []
    searcher.search.searchBar.cancel()
    #expect(searcher.lines == ["cancel", "did dismiss", "update “”"])
    #expect(!searcher.search.isActive)
    #expect(searcher.search.searchBar.text == "")
  }

  @Test func returnIsTheSearchButton() {
    let searcher = makeSearcher()
    type("wolf", into: searcher)
    searcher.lines = []
    searcher.search.searchBar.searchTextField.pressReturn()
    #expect(searcher.lines == ["search"])
  }

  @Test func aTextThatIsSetInCodeSearchesToo() {
    let searcher = makeSearcher()
    searcher.search.searchBar.text = "wolf"
    #expect(searcher.lines == ["will present", "update “wolf”"])
    searcher.search.searchBar.text = "wolf"
    #expect(searcher.lines.count == 2)
  }

  @Test func theBarBelongsToTheWindowOfTheScreenThatIsSearched() {
    let searcher = makeSearcher()
    #expect(searcher.search.searchBar.searchTextField.window === window)
    #expect(searcher.search.searchBar.searchTextField.becomeFirstResponder())
    searcher.navigationController?.pushViewController(UIViewController(), animated: false)
    #expect(searcher.search.searchBar.window == nil)
  }
}
