import Foundation

extension NSURL {
  /// The URL as a Swift value. Nil for an address that `URL` cannot hold, such as an empty one:
  /// casting it would crash.
  package var bridged: URL? {
    URL(string: relativeString, encodingInvalidCharacters: false) == nil ? nil : self as URL
  }
}
