/// What an item is made of, without any library.
struct ItemValues {
  let title: String
  let order: Int64
  /// Seconds since the first moment of 2001, as the store keeps them.
  let date: Double
  let value: Double

  private static let words = ["Groceries", "Letters", "Repairs", "Journeys", "Recipes", "Accounts"]

  /// Deterministic values. Titles are longer than what Swift keeps inside a string, as real ones are.
  static func make(count: Int) -> [ItemValues] {
    (0..<count).map(ItemValues.init)
  }

  init(_ number: Int) {
    title = "\(Self.words[number % Self.words.count]) number \(number)"
    order = Int64(2 * number)
    date = 700_000_000 + Double(number)
    value = Double(number) / 8
  }
}
