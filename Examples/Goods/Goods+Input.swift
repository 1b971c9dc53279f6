import CoreData
import ListApplication

// Typed values of goods.
extension Goods {
  /// Inserts goods with typed values.
  /// - Throws: ``Refusal`` if a value is invalid.
  @discardableResult
  static func insert(
    name: String, number: String, category: String, in context: NSManagedObjectContext
  ) throws -> Goods {
    guard !name.isEmpty else { throw Refusal("The name is empty.") }
    let number: Int32 = try Numeral.whole(number)
    let goods = Goods(context: context)
    goods.name = name
    goods.number = number
    goods.category = Self.category(category)
    return goods
  }

  /// The category of a typed text. Every row has one, so that every section has a name.
  static func category(_ text: String) -> String { text.isEmpty ? "Other" : text }
}
