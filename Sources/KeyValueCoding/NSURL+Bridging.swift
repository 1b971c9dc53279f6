import Foundation

extension NSURL {
  /// The same as a value; nil for an address that no `URL` can be, an empty one for example: a cast of such a one
  /// stops the program.
  package var bridged: URL? {
    URL(string: relativeString, encodingInvalidCharacters: false) == nil ? nil : self as URL
  }
}
