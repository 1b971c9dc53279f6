/// Keys of places in a list: texts of small digits, between any two of which there is another.
///
/// What one device puts in one place, at once or one after the other, has a key in common, ended by
/// the device's sign, and numbers after it: two devices that add at the same place have their
/// members one after the other, not in turns, and keys do not grow with their number. A number's
/// first digit says how many others follow.
enum ListKey {
  private static let digits = Array("0123456789abcdefghijklmnopqrstuvwxyz".utf8)
  /// The first digit of the smallest numbers from zero.
  private static let middle = 18

  /// The sign of a replica: two digits, the last of which is not the lowest.
  static func sign(of replica: ReplicaID) -> String {
    let (rest, last) = replica.number.quotientAndRemainder(dividingBy: UInt64(digits.count - 1))
    let first = Int(rest % UInt64(digits.count))
    return String(decoding: [digits[first], digits[Int(last) + 1]], as: UTF8.self)
  }

  /// Ascending keys strictly between two others; the ends are "" and nil.
  ///
  /// - Parameter sign: who puts something there, as ``sign(of:)`` has it.
  static func keys(_ count: Int, between low: String, _ high: String?, sign: String) -> [String] {
    guard count > 0 else { return [] }
    // What follows, or goes before, members of the same device is one row with them.
    if let run = Run(of: low, sign: sign) {
      let keys = run.keys(count) { number(after: $0) }
      if keys.count == count, keys[0] > low, high.map({ keys[count - 1] < $0 }) ?? true {
        return keys
      }
    }
    if let high, let run = Run(of: high, sign: sign), !run.number.isEmpty {
      let keys = Array(run.keys(count) { number(before: $0) }.reversed())
      if keys.count == count, keys[0] > low, keys[count - 1] < high { return keys }
    }
    let place =
      switch (low, high) {
      case (_, nil): number(after: low) ?? between(low, nil)
      case ("", let high?): number(before: high) ?? between("", high)
      case (_, let high?): between(low, high)
      }
    // At the beginning of a list, numbers leave room before the first.
    let run = Run(place: place + sign, number: "")
    let first = low.isEmpty ? [] : [run.place]
    return first + run.keys(count - first.count) { number(after: $0) }
  }

  /// A key of members that one device has put in one place.
  private struct Run {
    let place: String
    let number: String

    init(place: String, number: String) { (self.place, self.number) = (place, number) }

    /// Nil for a key with another sign.
    init?(of key: String, sign: String) {
      let values = key.utf8.map(value)
      // A number may end as the sign does.
      for size in 2..<max(2, values.count - 1) where length(values[values.count - size]) == size - 1
      {
        let place = key.dropLast(size)
        guard place.hasSuffix(sign) else { continue }
        self.init(place: String(place), number: String(key.suffix(size)))
        return
      }
      guard key.hasSuffix(sign) else { return nil }
      self.init(place: key, number: "")
    }

    /// Keys one after the other, up to the last that there is.
    func keys(_ count: Int, next: (String) -> String?) -> [String] {
      var keys: [String] = []
      keys.reserveCapacity(count)
      var number = number
      while keys.count < count, let following = next(number) {
        keys.append(place + following)
        number = following
      }
      return keys
    }
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
