extension NSFetchedResultsController {
  /// The sections in order; nil before ``performFetch()``. Without a section key path there is one,
  /// with everything.
  public final var sections: [any NSFetchedResultsSectionInfo]? { engine.infos() }

  /// The titles of all sections, for an index; neighbours with one title share it.
  public final var sectionIndexTitles: [String] { engine.indexTitles().map(\.title) }

  /// The section that an entry of the index leads to.
  ///
  /// Traps when the index has no such entry.
  public final func section(
    forSectionIndexTitle title: String, at sectionIndex: Int
  ) -> Int {
    let titles = engine.indexTitles()
    guard titles.indices.contains(sectionIndex), titles[sectionIndex].title == title else {
      fatalError("Index title at \(sectionIndex) is not equal to '\(title)'")
    }
    return titles[sectionIndex].section
  }
}
