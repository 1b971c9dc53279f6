extension Sequence where Element == SQLFragment {
  package func joined(separator: String) -> SQLFragment {
    var result = SQLFragment()
    for (index, fragment) in enumerated() {
      if index > 0 { result.pieces.append(.text(separator)) }
      result.pieces += fragment.pieces
    }
    return result
  }
}
