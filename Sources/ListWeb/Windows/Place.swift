import Foundation

/// Where a window is, as an address says it: restoration identifiers from the root on.
struct Place: Equatable {
  /// What no page of ours asks for is cut.
  private static let mostLevels = 64

  let path: [String]

  init(_ path: [String]) { self.path = path }

  /// From the part of an address behind `/at/`.
  init(text: String) {
    path = text.split(separator: "/").prefix(Self.mostLevels)
      .compactMap { String($0).removingPercentEncoding }
  }

  /// With everything escaped but letters, digits and a few signs.
  var text: String {
    path.map { $0.addingPercentEncoding(withAllowedCharacters: Self.plain) ?? "" }
      .joined(separator: "/")
  }

  private static let plain = CharacterSet(
    charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~")

  /// The address of a new window there.
  var address: String { path.isEmpty ? "/" : "/at/\(text)" }

  func begins(with other: Place) -> Bool { path.starts(with: other.path) }
}
