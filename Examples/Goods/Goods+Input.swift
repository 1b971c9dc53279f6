import CoreData
import ListApplication

// What a person types about goods.
extension Goods {
  /// New goods from what was typed; throws a ``Refusal`` when it makes no sense.
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

  /// Every row has a category, so that every section has a name.
  static func category(_ text: String) -> String { text.isEmpty ? "Other" : text }
}
