extension FetchedResultsEngine {
  /// Sends the changes to the readers of differences.
  func publish(_ changes: ListChanges) {
    var difference = FetchedResultsDifference()
    difference.deletedSections = changes.deletedSections.map(described)
    difference.insertedSections = changes.insertedSections.map(described)
    difference.deletions = changes.deletions.map { row($0.word, path: $0.path) }
    difference.insertions = changes.insertions.map { row($0.word, path: $0.path) }
    difference.moves = changes.moves.map {
      .init(
        objectID: objectID($0.word), source: IndexPath($0.oldPath),
        destination: IndexPath($0.newPath))
    }
    difference.updates = changes.updates.map { row($0.word, path: $0.oldPath) }
    subscribers.publish(difference)
  }

  private func described(
    _ section: (index: Int, section: FetchedSection)
  ) -> FetchedResultsDifference.Section {
    .init(index: section.index, name: section.section.name)
  }

  private func row(_ word: UInt64, path: ListPath) -> FetchedResultsDifference.Row {
    .init(objectID: objectID(word), indexPath: IndexPath(path))
  }
}
