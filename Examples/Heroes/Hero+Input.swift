import CoreData
import ListApplication

// What a person types about a hero.
extension Hero {
  /// Takes over what was typed; nil is what stays as it is. Whether a hero may be without a name is for the
  /// model to say.
  func take(name: String?, secretIdentity: String?, sex: String?, birthday: String?) throws {
    let day = birthday.flatMap(Day.date)
    if let birthday, !birthday.isEmpty, day == nil {
      throw Refusal("“\(birthday)” is no day such as 1984-05-27.")
    }
    if let name { self.name = Self.name(name) }
    if let secretIdentity { self.secretIdentity = Self.name(secretIdentity) }
    if let sex { self.sex = sex.isEmpty ? nil : sex }
    if birthday != nil { self.birthday = day }
  }

  /// As they stand in the fields of a form.
  var texts: [String] { [name ?? "", secretIdentity ?? "", sex ?? "", birthdayText] }

  /// With a capital at its start, as names have; nothing for an empty text.
  private static func name(_ text: String) -> String? {
    let text = text.precomposedStringWithCanonicalMapping
    return text.isEmpty ? nil : text.prefix(1).uppercased() + text.dropFirst()
  }

  var birthdayText: String { birthday.map(Day.text) ?? "" }
}
