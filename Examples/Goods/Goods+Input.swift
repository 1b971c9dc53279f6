import CoreData
import ListApplication

// Typed values of goods.
extension Goods {
  /// Inserts goods with typed values.
  /// - Parameter locale: the reader's, for numbers in messages.
  /// - Throws: ``Refusals`` if values are invalid.
  @discardableResult
  static func insert(
    name: String, number: String, category: String, in context: NSManagedObjectContext,
    locale: Locale = .current
  ) throws -> Goods {
    var refusals = Refusals()
    if name.isEmpty { refusals.add("The name is empty.", to: "name") }
    let count = try refusals.value(of: "number") {
      try Numeral.whole(number, in: Int32.min...Int32.max, locale: locale)
    }
    try refusals.throwIfAny()
    let goods = Goods(context: context)
    goods.name = name
    goods.number = count ?? 0
    goods.category = Self.category(category)
    return goods
  }

  /// The category of a typed text. Every row has one, so that every section has a name.
  static func category(_ text: String) -> String { text.isEmpty ? "Other" : text }
}
