import CoreData
import ListApplication

// What a person types about a hero.
extension Hero {
  /// Takes over what was typed. Whether a hero may be without a name is for the model to say.
  func take(name: String, secretIdentity: String, sex: String, birthday: String) throws {
    let day = Day.date(birthday)
    guard birthday.isEmpty || day != nil else {
      throw Refusal("“\(birthday)” is no day such as 1984-05-27.")
    }
    self.name = Self.name(name)
    self.secretIdentity = Self.name(secretIdentity)
    self.sex = sex.isEmpty ? nil : sex
    self.birthday = day
  }

  /// With a capital at its start, as names have; nothing for an empty text.
  private static func name(_ text: String) -> String? {
    let text = text.precomposedStringWithCanonicalMapping
    return text.isEmpty ? nil : text.prefix(1).uppercased() + text.dropFirst()
  }

  var birthdayText: String { birthday.map(Day.text) ?? "" }
}
