/// Finds the sections of an ordered list.
///
/// If the order groups the names (the first sort descriptor sorts by the stored section key), the
/// boundaries are found by binary search, so that few objects of a long list with few sections are
/// read. Otherwise every object's name is read.
struct SectionScanner {
  private static let batch = 512
  private static let scannedAtMost = 256

  let words: ContiguousArray<UInt64>
  let reader: ContextListReader

  /// - Throws: code 134060 with Apple's text if the objects of a section are not contiguous.
  func sections(areGrouped: Bool) throws -> [FetchedSection] {
    guard !words.isEmpty else { return [] }
    if areGrouped, words.count > Self.scannedAtMost { return grouped() }
    let names = scanned()
    var sections: [(name: Int, size: Int)] = []
    var seen: Set<Int> = []
    for (rank, name) in names.numbers.enumerated() {
      if sections.last?.name == Int(name) {
        sections[sections.count - 1].size += 1
      } else if seen.insert(Int(name)).inserted {
        sections.append((Int(name), 1))
      } else {
        throw Self.outOfOrder(rank, name: names.texts[Int(name)])
      }
    }
    return sections.map { FetchedSection(name: names.texts[$0.name], size: $0.size) }
  }

  /// The section name of every object, as an index into `texts`: many objects share few names.
  private func scanned() -> (texts: [String], numbers: [UInt32]) {
    var texts: [String] = []
    var known: [String: UInt32] = [:]
    var numbers = [UInt32](repeating: 0, count: words.count)
    // In the order of the primary keys: neighbours share a page of the file.
    let ranks = words.indices.sorted { words[$0] < words[$1] }
    for start in stride(from: 0, to: ranks.count, by: Self.batch) {
      let batch = ranks[start..<min(start + Self.batch, ranks.count)]
      for (rank, name) in zip(batch, reader.sectionNames(batch.map { words[$0] })) {
        let number = known[name] ?? UInt32(texts.count)
        if number == texts.count {
          known[name] = number
          texts.append(name)
        }
        numbers[rank] = number
      }
    }
    return (texts, numbers)
  }

  static func outOfOrder(_ rank: Int, name: String) -> NSError {
    let reason = outOfOrderText(rank, name: name)
    FetchedResultsLog.error(reason)
    return CoreDataError.make(.coreData, reason: reason)
  }

  /// Apple's text has its quotation marks in these positions.
  static func outOfOrderText(_ rank: Int, name: String) -> String {
    "The fetched object at index \(rank) has an out of order section name '\(name). "
      + "Objects must be sorted by section name'"
  }

  // MARK: - Binary search

  /// Two ranks; if their names differ, a section ends between them.
  private struct Gap {
    let low: Int
    let lowName: String
    let high: Int
    let highName: String
  }

  private func grouped() -> [FetchedSection] {
    let ends = reader.sectionNames([words[0], words[words.count - 1]])
    var gaps = [Gap(low: 0, lowName: ends[0], high: words.count - 1, highName: ends[1])]
    var starts: [(rank: Int, name: String)] = [(0, ends[0])]
    while !gaps.isEmpty {
      gaps.removeAll { $0.lowName == $0.highName }
      starts += gaps.filter { $0.high == $0.low + 1 }.map { ($0.high, $0.highName) }
      gaps = halves(gaps.filter { $0.high > $0.low + 1 })
    }
    starts.sort { $0.rank < $1.rank }
    let ranks = starts.map(\.rank).dropFirst() + [words.count]
    return zip(starts, ranks).map { FetchedSection(name: $0.name, size: $1 - $0.rank) }
  }

  private func halves(_ gaps: [Gap]) -> [Gap] {
    let middles = gaps.map { ($0.low + $0.high) / 2 }
    var names: [String] = []
    for start in stride(from: 0, to: middles.count, by: Self.batch) {
      let ranks = middles[start..<min(start + Self.batch, middles.count)]
      names += reader.sectionNames(ranks.map { words[$0] })
    }
    return zip(gaps, zip(middles, names)).flatMap { gap, middle in
      [
        Gap(low: gap.low, lowName: gap.lowName, high: middle.0, highName: middle.1),
        Gap(low: middle.0, lowName: middle.1, high: gap.high, highName: gap.highName),
      ]
    }
  }
}
