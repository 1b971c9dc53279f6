/// Assigns letters of their titles to buttons as keys: the first letter that is free.
struct LetterPool {
  private var taken: Set<Character>

  /// The letters with a fixed meaning in lists, such as moving, searching and undo.
  static let reserved: Set<Character> = [
    "j", "k", "h", "l", "g", "G", "q", "d", "r", "u", "U", "J", "K", "M", "Z", "?", "/", "'", ".",
    " ", "[", "]",
  ]

  init(taken: Set<Character> = Self.reserved) { self.taken = taken }

  mutating func letter(for title: String) -> Character? {
    for character in title.lowercased() where character.isASCII && character.isLetter {
      if taken.insert(character).inserted { return character }
    }
    return nil
  }
}
