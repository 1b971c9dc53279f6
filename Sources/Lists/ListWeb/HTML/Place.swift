import Foundation

/// The position of a window in the application, as the page's address contains it: restoration
/// identifiers from the root on.
struct Place: Hashable {
  /// The maximum depth; deeper levels of an address are ignored.
  private static let mostLevels = 64

  let path: [String]

  init(_ path: [String]) { self.path = path }

  /// Parses the part of an address after `/at/`.
  init(text: String) {
    path = text.split(separator: "/").prefix(Self.mostLevels)
      .compactMap { String($0).removingPercentEncoding }
  }

  /// The path as a part of an address, with percent encoding for all but letters, digits and
  /// `-_.~`.
  var text: String {
    path.map { $0.addingPercentEncoding(withAllowedCharacters: Self.plain) ?? "" }
      .joined(separator: "/")
  }

  private static let plain = CharacterSet(
    charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~")

  /// The address that opens a new window at this place.
  var address: String { path.isEmpty ? "/" : "/at/\(text)" }

  func begins(with other: Place) -> Bool { path.starts(with: other.path) }
}
