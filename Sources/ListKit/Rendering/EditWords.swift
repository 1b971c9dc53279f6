/// What a person is told of an edit that met somebody else's.
package enum EditWords {
  /// What was typed was for something that is no longer there.
  package static func gone(_ what: String, typed: String) -> String {
    typed.isEmpty ? what : "\(what) You typed: \(typed)"
  }
}
