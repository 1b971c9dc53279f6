/// What a person is told of an edit that met somebody else's.
package enum EditWords {
  /// What was typed was for something that is no longer there.
  package static func gone(_ what: String, typed: String) -> String {
    typed.isEmpty ? what : "\(what) You typed: \(typed)"
  }

  /// Somebody else had changed the text since the person began to edit it.
  package static func replaced(_ theirs: String, by typed: String) -> String {
    "“\(typed)” has replaced “\(theirs)”, which somebody else typed meanwhile."
  }
}
