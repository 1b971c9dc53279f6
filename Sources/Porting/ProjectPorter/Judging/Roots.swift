/// Files left out for a reason of their own, with the number of other files left out because they
/// use these. A translation or a stand-in for a root with many others gains most.
struct Roots {
  struct Root {
    let left: LeftOut
    let others: Int
  }

  /// Roots in descending order of `others`.
  let all: [Root]

  init(_ leftOut: [LeftOut]) {
    // Files are identified by their names, as in `LeftOut.lacking`.
    let byName = Dictionary(
      leftOut.map { ($0.file.lastPathComponent, $0) }, uniquingKeysWith: { first, _ in first })
    var counts: [String: Int] = [:]
    for left in leftOut {
      var seen: Set<String> = []
      var name = left.lacking
      while let next = name.flatMap({ byName[$0]?.lacking }), let known = name,
        seen.insert(known).inserted
      {
        name = next
      }
      if let name { counts[name, default: 0] += 1 }
    }
    all = counts.compactMap { name, count in byName[name].map { Root(left: $0, others: count) } }
      .sorted {
        ($1.others, $0.left.file.lastPathComponent) < ($0.others, $1.left.file.lastPathComponent)
      }
  }
}
