import Foundation

extension Bundle {
  /// Returns whether both bundles are at the same path. Each call of `Bundle(for:)` returns a new
  /// object, so identity does not show it.
  func isAtPlace(of other: Bundle) -> Bool {
    bundleURL.resolvingSymlinksInPath().path == other.bundleURL.resolvingSymlinksInPath().path
  }
}
