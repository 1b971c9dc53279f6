extension Array {
  /// The first index from which on `belongs` holds, which must be false of a prefix.
  func partitioningIndex(_ belongs: (Element) -> Bool) -> Int {
    var bounds = 0..<count
    while !bounds.isEmpty {
      let middle = bounds.lowerBound + bounds.count / 2
      bounds =
        belongs(self[middle])
        ? bounds.lowerBound..<middle : middle + 1..<bounds.upperBound
    }
    return bounds.lowerBound
  }
}
