extension FetchedList {
  /// The section for a new object between `rank - 1` and `rank`: a neighbour's section of that
  /// name, an emptied section of that name between the neighbours, or a new section.
  ///
  /// If the name belongs elsewhere, `misplaced` is called and the object joins a neighbour's
  /// section: a table then still shows every object once, in order.
  func section(
    for entry: ListEntry, _ rank: Int, made: inout [FetchedSection],
    misplaced: (Misplacement) -> Void
  ) -> FetchedSection {
    guard hasSectionNames else { return sections[0] }
    let name = entry.sectionName ?? ""
    let before = rank > 0 ? sections.section(containing: rank - 1).section : nil
    let after = rank < count ? sections.section(containing: rank).section : nil
    if let before, before.name == name { return before }
    if let after, after.name == name { return after }
    if let emptied = emptied(name, after: before, before: after) { return emptied }
    if let neighbour = before ?? after, before === after || isTaken(name) {
      misplaced(Misplacement(word: entry.word, rank: rank, name: name))
      return neighbour
    }
    let section = FetchedSection(name: name, size: 0)
    sections.insert(section, after: before)
    sectionsByName[name] = section
    made.append(section)
    return section
  }

  private func isTaken(_ name: String) -> Bool { (sectionsByName[name]?.size ?? 0) > 0 }

  private func emptied(
    _ name: String, after before: FetchedSection?, before after: FetchedSection?
  ) -> FetchedSection? {
    guard let known = sectionsByName[name], known.size == 0 else { return nil }
    let index = sections.index(of: known)
    if let before, index < sections.index(of: before) { return nil }
    if let after, index > sections.index(of: after) { return nil }
    return known
  }
}
