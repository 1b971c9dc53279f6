import CoreData

/// Unsaved edits of books, kept in the user defaults so that they survive a killed process.
///
/// A draft is valid for the committed values of its book when it was made. After another save of
/// the book it is discarded.
struct BookDrafts {
  private static let key = "BookDrafts"
  /// Identifies this process; its drafts belong to open windows and are not handed to others.
  private static let run = UUID().uuidString

  private let defaults: UserDefaults

  init(_ defaults: UserDefaults = .standard) { self.defaults = defaults }

  private typealias Draft = [String: [String: Any]]

  private var drafts: [String: Draft] {
    get { defaults.dictionary(forKey: Self.key) as? [String: Draft] ?? [:] }
    nonmutating set {
      defaults.set(newValue, forKey: Self.key)
      // On Linux, user defaults are written to disk only on request.
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

  /// Removes a book's draft of an earlier process and returns its values; nil if there is none or
  /// it is outdated.
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
