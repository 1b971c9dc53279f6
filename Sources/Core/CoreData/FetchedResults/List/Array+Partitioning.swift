extension Array {
  /// The first index for which `belongs` holds; it must hold for all later indices too.
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
