/// Texts for a user whose edit met another user's.
package enum EditWords {
  /// The text for an edit whose object no longer exists: `what`, with the typed text if there is
  /// any.
  package static func gone(_ what: String, typed: String) -> String {
    typed.isEmpty ? what : "\(what) You typed: \(typed)"
  }
}
