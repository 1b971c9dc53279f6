extension Sequence where Element == SQLFragment {
  package func joined(separator: String) -> SQLFragment {
    SQLFragment(joining: self, separator: separator)
  }
}
