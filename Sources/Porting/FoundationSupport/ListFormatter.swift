import Foundation

/// Joins items as a language lists them, as in "milk, eggs, and bread".
///
/// Source: developer.apple.com/documentation/foundation/listformatter
open class ListFormatter: Formatter {
  /// The language of the list; the user's by default.
  open var locale: Locale! = .autoupdatingCurrent
  /// What makes a text of each item; without it, items are described.
  open var itemFormatter: Formatter?

  /// Creates a formatter with the user's language.
  public override init() { super.init() }

  /// Formatters of this class have no archives.
  public required init?(coder: NSCoder) { nil }

  /// Joins texts in the user's language.
  open class func localizedString(byJoining strings: [String]) -> String {
    ListFormatter().joined(strings)
  }

  /// Joins items; nil if the item formatter has no text for one of them.
  open func string(from items: [Any]) -> String? {
    let texts = items.compactMap { item in
      itemFormatter.map { $0.string(for: item) } ?? String(describing: item)
    }
    return texts.count == items.count ? joined(texts) : nil
  }

  /// Joins the items of an array; nil if the object is none.
  open override func string(for obj: Any?) -> String? {
    (obj as? [Any]).flatMap { string(from: $0) }
  }

  private func joined(_ texts: [String]) -> String {
    texts.formatted(
      .list(type: .and, width: .standard).locale(locale ?? .autoupdatingCurrent))
  }
}
