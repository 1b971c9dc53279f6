import CoreData
import ListApplication

// Typed values of a hero.
extension Hero {
  /// Applies typed values; nil leaves a value unchanged. The model decides whether a name is
  /// required.
  /// - Throws: ``Refusals`` if the birthday is none.
  func take(name: String?, secretIdentity: String?, sex: String?, birthday: String?) throws {
    var refusals = Refusals()
    let day = try refusals.value(of: "birthday") {
      try birthday.flatMap { $0.isEmpty ? nil : try Day.birthday($0) }
    }
    try refusals.throwIfAny()
    if let name { self.name = Self.name(name) }
    if let secretIdentity { self.secretIdentity = Self.name(secretIdentity) }
    if let sex { self.sex = sex.isEmpty ? nil : sex }
    if birthday != nil { self.birthday = day }
  }

  /// The sexes that the form offers, none among them.
  static let sexes = [("", "None"), ("female", "Female"), ("male", "Male"), ("other", "Other")]
    .map { (value: $0.0, title: $0.1) }

  /// The values as texts, in the order of the form's fields.
  var texts: [String] { [name ?? "", secretIdentity ?? "", sex ?? "", birthdayText] }

  /// The text with a capital first letter; nil for an empty text.
  private static func name(_ text: String) -> String? {
    let text = text.precomposedStringWithCanonicalMapping
    return text.isEmpty ? nil : text.prefix(1).uppercased() + text.dropFirst()
  }

  var birthdayText: String { birthday.map(Day.text) ?? "" }
}
