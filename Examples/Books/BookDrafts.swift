import CoreData

/// What has been edited of books and is not yet saved: kept in the user defaults, where a process that
/// was killed left it for the next one.
///
/// A draft counts for the book as it was when the draft was begun: once that has been saved, or changed
/// by somebody else, it is of no use.
struct BookDrafts {
  private static let key = "BookDrafts"
  /// Those of windows that are open are theirs.
  private static let run = UUID().uuidString

  private let defaults: UserDefaults

  init(_ defaults: UserDefaults = .standard) { self.defaults = defaults }

  private typealias Draft = [String: [String: Any]]

  private var drafts: [String: Draft] {
    get { defaults.dictionary(forKey: Self.key) as? [String: Draft] ?? [:] }
    nonmutating set {
      defaults.set(newValue, forKey: Self.key)
      // On Linux nothing reaches the disk without being asked to.
      defaults.synchronize()
    }
  }

  func keep(_ book: Book) {
    let values = book.changedValues().filter { !($0.value is NSNull) }
    if values.isEmpty { return forget(book) }
    let base = book.committedValues(forKeys: nil).filter { !($0.value is NSNull) }
    drafts[name(book)] = ["values": values, "base": base, "run": ["id": Self.run]]
  }

  func forget(_ book: Book) {
    guard drafts[name(book)] != nil else { return }
    drafts[name(book)] = nil
  }

  /// What an earlier process left of a book, for one window.
  func take(_ book: Book) -> [String: Any]? {
    guard let draft = drafts[name(book)], draft["run"]?["id"] as? String != Self.run else {
      return nil
    }
    let base = book.committedValues(forKeys: nil).filter { !($0.value is NSNull) }
    let isCurrent = NSDictionary(dictionary: base).isEqual(to: draft["base"] ?? [:])
    forget(book)
    return isCurrent ? draft["values"] : nil
  }

  private func name(_ book: Book) -> String { book.objectID.uriRepresentation().absoluteString }
}
