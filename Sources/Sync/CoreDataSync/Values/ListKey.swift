/// Keys of places in a list: texts of small digits, between any two of which there is another.
///
/// Those at either end of a list are numbers, whose first digit says how many others follow: a list
/// to which somebody adds at the end, or the beginning, has keys of a length that its logarithm
/// bounds.
enum ListKey {
  private static let digits = Array("0123456789abcdefghijklmnopqrstuvwxyz".utf8)
  /// The first digit of the smallest numbers from zero.
  private static let middle = 18

  /// Ascending keys strictly between two others; the ends are "" and nil.
  static func keys(_ count: Int, between low: String, _ high: String?) -> [String] {
    guard count > 0 else { return [] }
    guard let high else {
      return series(count, from: low) { number(after: $0) ?? between($0, nil) }
    }
    guard !low.isEmpty else {
      return series(count, from: high) { number(before: $0) ?? between("", $0) }.reversed()
    }
    let key = between(low, high)
    let half = count / 2
    return keys(half, between: low, key) + [key] + keys(count - half - 1, between: key, high)
  }

  private static func series(
    _ count: Int, from start: String, next: (String) -> String
  ) -> [String] {
    var keys: [String] = []
    keys.reserveCapacity(count)
    for _ in 0..<count { keys.append(next(keys.last ?? start)) }
    return keys
  }

  /// A key strictly between two others. No key ends with the lowest digit, so that there is room
  /// before it.
  private static func between(_ low: String, _ high: String?) -> String {
    let low = Array(low.utf8)
    var high = high.map { Array($0.utf8) }
    var key: [UInt8] = []
    for place in 0... {
      let lower = place < low.count ? value(low[place]) : 0
      let upper = high.map { place < $0.count ? value($0[place]) : digits.count } ?? digits.count
      if upper - lower > 1 {
        key.append(digits[(lower + upper) / 2])
        break
      }
      key.append(digits[lower])
      if upper > lower { high = nil }
    }
    return String(decoding: key, as: UTF8.self)
  }

  /// The next number above a key; nil above the largest.
  private static func number(after key: String) -> String? {
    var number = numberDigits(of: key)
    repeat {
      guard let place = number.lastIndex(where: { $0 < digits.count - 1 }), place > 0 else {
        return larger(number[0] + 1, than: key)
      }
      number[place] += 1
      for index in number.indices[(place + 1)...] { number[index] = 0 }
    } while number.last == 0
    let found = text(number)
    return found > key ? found : nil
  }

  /// The smallest number with this first digit.
  private static func larger(_ head: Int, than key: String) -> String? {
    guard head < digits.count else { return nil }
    let found = text([head] + Array(repeating: 0, count: length(head) - 1) + [1])
    return found > key ? found : nil
  }

  /// The next number below a key; nil below the smallest.
  private static func number(before key: String) -> String? {
    var number = numberDigits(of: key)
    repeat {
      if let place = number.lastIndex(where: { $0 > 0 }), place > 0 {
        number[place] -= 1
        for index in number.indices[(place + 1)...] { number[index] = digits.count - 1 }
      } else if number[0] > 0 {
        let head = number[0] - 1
        number = [head] + Array(repeating: digits.count - 1, count: length(head))
      } else {
        return nil
      }
    } while number.last == 0
    let found = text(number)
    return found < key ? found : nil
  }

  /// How many digits follow the first one of a number.
  private static func length(_ head: Int) -> Int {
    head < middle ? middle - head : head - middle + 1
  }

  /// The number that a key begins with; zero for none.
  private static func numberDigits(of key: String) -> [Int] {
    let values = key.utf8.map(value)
    let head = values.first ?? middle
    let rest = values.dropFirst().prefix(length(head))
    return [head] + rest + Array(repeating: 0, count: length(head) - rest.count)
  }

  private static func text(_ number: [Int]) -> String {
    String(decoding: number.map { digits[$0] }, as: UTF8.self)
  }

  /// Bytes that are no digits, which nobody writes, count as the lowest.
  private static func value(_ byte: UInt8) -> Int { digits.firstIndex(of: byte) ?? 0 }
}
