/// The indices of a longest strictly increasing subsequence. O(n log n).
func longestIncreasingSubsequence(_ values: [Int]) -> [Int] {
  // tails[length - 1]: the index of the least value that ends an increasing sequence of this
  // length.
  var tails: [Int] = []
  var previous = [Int](repeating: -1, count: values.count)
  for (index, value) in values.enumerated() {
    let length = tails.partitioningIndex { values[$0] >= value }
    if length > 0 { previous[index] = tails[length - 1] }
    if length == tails.count { tails.append(index) } else { tails[length] = index }
  }
  var result: [Int] = []
  var index = tails.last ?? -1
  while index >= 0 {
    result.append(index)
    index = previous[index]
  }
  return result.reversed()
}
