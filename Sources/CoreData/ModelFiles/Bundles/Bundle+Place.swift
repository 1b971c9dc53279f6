import Foundation

extension Bundle {
  /// Whether both lie in the same folder: each call of `Bundle(for:)` makes another bundle.
  func isAtPlace(of other: Bundle) -> Bool {
    bundleURL.resolvingSymlinksInPath().path == other.bundleURL.resolvingSymlinksInPath().path
  }
}
