extension FetchedResultsEngine {
  /// A batch on its way to the delegate.
  ///
  /// Swift cannot find out which optional methods a delegate has. So the first form is always
  /// called, and the default implementation of each method asks the engine for the next form:
  /// snapshot → difference (without sections) → classic methods, whose defaults do nothing.
  struct Delivery {
    /// nil for the snapshot of a fetch, which has no other form.
    var changes: ListChanges?
    var objects = ChangedObjects.none
    /// Objects of which only the identity has changed; relevant where identities stand for rows.
    var renames: [Rename] = []
  }

  /// The objects of a batch by word; a single object needs no table.
  enum ChangedObjects {
    case none
    case one(UInt64, NSManagedObject)
    case several([UInt64: NSManagedObject])

    subscript(word: UInt64) -> NSManagedObject? {
      switch self {
      case .none: nil
      case .one(let only, let object): only == word ? object : nil
      case .several(let objects): objects[word]
      }
    }
  }

  /// A temporary identity that has become permanent.
  struct Rename {
    let rank: Int
    let temporary: NSManagedObjectID
    let permanent: NSManagedObjectID
  }

  func deliver(_ changes: ListChanges, objects: ChangedObjects) {
    if isSilent { return }
    send(Delivery(changes: changes, objects: objects))
    if !subscribers.isEmpty { publish(changes) }
  }

  func deliverInitialSnapshot() { send(Delivery()) }

  func deliver(_ renames: [Rename]) {
    send(Delivery(changes: ListChanges(), renames: renames))
  }

  private func send(_ next: Delivery) {
    guard let controller, let delegate else { return }
    // A delegate that fetches in a callback may start another delivery during this one.
    let outer = delivery
    delivery = next
    let changes = next.changes
    let snapshot = NSDiffableDataSourceSnapshotReference(deferred: { [self] in
      let marked = (changes?.updates ?? []) + (changes?.moves ?? [])
      return self.snapshot(reloading: marked.map(\.word))
    })
    delegate.controller(controller, didChangeContentWith: snapshot)
    delivery = outer
  }

  /// Called by the default implementation of the snapshot method.
  func deliverDifference(_ delegate: any NSFetchedResultsControllerDelegate) {
    guard let changes = delivery?.changes, let controller else { return }
    if sectionNameKeyPath == nil, ObjectIdentifier(type(of: delegate)) != classicDelegate {
      let difference = difference(changes, renames: delivery?.renames ?? [])
      delegate.controller(controller, didChangeContentWith: difference)
    } else {
      deliverClassic(delegate)
    }
  }

  /// Called by the default implementation of the difference method. Remembers the delegate's class,
  /// so that no difference is made for it again.
  func deliverClassic(insteadOfDifference delegate: any NSFetchedResultsControllerDelegate) {
    classicDelegate = ObjectIdentifier(type(of: delegate))
    deliverClassic(delegate)
  }

  private func deliverClassic(_ delegate: any NSFetchedResultsControllerDelegate) {
    guard let delivery, let changes = delivery.changes, !changes.isEmpty, let controller else {
      return
    }
    delegate.controllerWillChangeContent(controller)
    for (index, section) in changes.deletedSections {
      delegate.controller(
        controller, didChange: info(section), atSectionIndex: index, for: .delete)
    }
    for (index, section) in changes.insertedSections {
      delegate.controller(
        controller, didChange: info(section), atSectionIndex: index, for: .insert)
    }
    func tell(
      _ word: UInt64, _ type: NSFetchedResultsChangeType, from old: ListPath?, to new: ListPath?
    ) {
      delegate.controller(
        controller, didChange: delivery.objects[word] ?? object(word),
        at: old.map(IndexPath.init), for: type, newIndexPath: new.map(IndexPath.init))
    }
    let ofObjects = options.splitsSectionMoves ? changes.splittingSectionMoves() : changes
    for change in ofObjects.deletions { tell(change.word, .delete, from: change.path, to: nil) }
    for change in ofObjects.insertions { tell(change.word, .insert, from: nil, to: change.path) }
    for move in ofObjects.moves { tell(move.word, .move, from: move.oldPath, to: move.newPath) }
    for move in ofObjects.updates { tell(move.word, .update, from: move.oldPath, to: nil) }
    delegate.controllerDidChangeContent(controller)
  }

  // MARK: - Forms

  private func difference(
    _ changes: ListChanges, renames: [Rename]
  ) -> CollectionDifference<NSManagedObjectID> {
    typealias Change = CollectionDifference<NSManagedObjectID>.Change
    if !renames.isEmpty { return difference(renames) }
    let removed: [(Int, UInt64)] =
      changes.deletions.map { ($0.rank, $0.word) } + changes.moves.map { ($0.oldRank, $0.word) }
    let inserted: [(Int, UInt64)] =
      changes.insertions.map { ($0.rank, $0.word) } + changes.moves.map { ($0.newRank, $0.word) }
    // Sorted as `CollectionDifference` keeps them: its initializer need not sort again.
    let steps =
      removed.sorted { $0.0 < $1.0 }.map {
        Change.remove(offset: $0, element: objectID($1), associatedWith: nil)
      }
      + inserted.sorted { $0.0 < $1.0 }.map {
        Change.insert(offset: $0, element: objectID($1), associatedWith: nil)
      }
    guard let difference = CollectionDifference(steps) else {
      preconditionFailure("A batch names a place of the list twice")
    }
    return difference
  }

  private func difference(_ renames: [Rename]) -> CollectionDifference<NSManagedObjectID> {
    typealias Change = CollectionDifference<NSManagedObjectID>.Change
    let steps = renames.flatMap { rename in
      [
        Change.remove(offset: rename.rank, element: rename.temporary, associatedWith: nil),
        Change.insert(offset: rename.rank, element: rename.permanent, associatedWith: nil),
      ]
    }
    guard let difference = CollectionDifference(steps) else {
      preconditionFailure("An object has got two identities at once")
    }
    return difference
  }

  /// A snapshot of the whole list. Of `words`, those still in the list are marked for reloading.
  private func snapshot(
    reloading words: [UInt64]
  ) -> NSDiffableDataSourceSnapshot<String, NSManagedObjectID> {
    var snapshot = NSDiffableDataSourceSnapshot<String, NSManagedObjectID>()
    guard let list else { return snapshot }
    for section in list.sections.all {
      let identifier = list.hasSectionNames ? section.name : Self.onlySection
      snapshot.appendSections([identifier])
      snapshot.appendItems(list.words(of: section).map(objectID), toSection: identifier)
    }
    snapshot.reloadItems(words.filter(list.order.contains).map(objectID))
    return snapshot
  }

  /// The section identifier of a list without section names.
  private static let onlySection = UUID().uuidString

  func objectID(_ word: UInt64) -> NSManagedObjectID {
    let packed = PackedIdentity(bits: word)
    let identity = delivery?.objects[word]?.objectID ?? identity(word)
    if packed.isTemporary { temporaryIDs[word] = identity }
    return identity
  }
}
