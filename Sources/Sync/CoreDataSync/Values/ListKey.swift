/// Keys of places in a list: texts of small digits, between any two of which there is another.
enum ListKey {
  private static let digits = Array("0123456789abcdefghijklmnopqrstuvwxyz".utf8)

  /// A key strictly between two others; the ends are "" and nil. It never ends with the lowest
  /// digit, so that there is room before it.
  static func between(_ low: String, _ high: String?) -> String {
    let low = Array(low.utf8)
    var high = high.map { Array($0.utf8) }
    var key: [UInt8] = []
    for place in 0... {
      let lower = place < low.count ? number(low[place]) : 0
      let upper = high.map { place < $0.count ? number($0[place]) : digits.count } ?? digits.count
      if upper - lower > 1 {
        key.append(digits[(lower + upper) / 2])
        break
      }
      key.append(digits[lower])
      if upper > lower { high = nil }
    }
    return String(decoding: key, as: UTF8.self)
  }

  /// Bytes that are no digits, which nobody writes, count as the lowest.
  private static func number(_ byte: UInt8) -> Int { digits.firstIndex(of: byte) ?? 0 }
}
