extension [Int64] {
  var inOrderOnce: [Int64] {
    let isInOrder = zip(self, dropFirst()).allSatisfy { $0 < $1 }
    if isInOrder { return self }
    var result: [Int64] = []
    result.reserveCapacity(count)
    for key in sorted() where key != result.last { result.append(key) }
    return result
  }
}

extension Sequence where Element == Int64 {
  /// The keys as a JSON array: one parameter for any number of keys.
  var json: String { "[\(map(String.init).joined(separator: ","))]" }
}
