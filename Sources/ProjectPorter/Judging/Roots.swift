/// Files that are left out for a reason of their own, with how many others are left out for want of what they declare.
/// They are what a translation or a stand-in is worth most for.
struct Roots {
  struct Root {
    let left: LeftOut
    let others: Int
  }

  /// Those that take most others with them, first.
  let all: [Root]

  init(_ leftOut: [LeftOut]) {
    // Names stand for files, as they do where files are left out for each other.
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
