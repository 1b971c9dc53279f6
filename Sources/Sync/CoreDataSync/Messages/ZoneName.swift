/// What a zone may be called.
package enum ZoneName {
  /// Bytes of the longest.
  private static let longest = 128

  /// The rule, in words.
  package static let rule = "A zone's name has 1 to \(longest) bytes, none of them a control."

  package static func isValid(_ name: String) -> Bool {
    (1...longest).contains(name.utf8.count) && name.unicodeScalars.allSatisfy { $0.value >= 32 }
  }
}
