/// Gives buttons the letters of their titles as keys: the first one that nothing else has.
struct LetterPool {
  private var taken: Set<Character>

  /// The letters that move, search, undo and so on wherever there is a list.
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
