import CoreData

/// What a window has saved a moment ago.
///
/// Whoever deletes a list in that moment has not seen what was just put into it: it goes along, and
/// the person who has put it there is told, as when the list had been gone before.
@MainActor
final class RecentDeeds {
  fileprivate struct Deed {
    /// Held, so that the context tells of its deletion.
    let object: NSManagedObject
    let containers: [NSManagedObject]
    let name: String
    /// What its user has typed.
    let typed: [String]
    let isMove: Bool
    let isNew: Bool
  }

  /// So long nobody else can have seen and judged what was put into a list, or typed into a row. On
  /// a busy machine seconds pass before a window hears of another's save.
  nonisolated static let moments = (list: Duration.seconds(10), row: Duration.seconds(0.5))
  private let moments: (list: Duration, row: Duration)
  /// More are no deed of a person's.
  private static let most = 50

  private var unsaved: [Deed] = []
  private var saved: [(deed: Deed, time: ContinuousClock.Instant)] = []
  private var observations: [NotificationObservation] = []

  /// - Parameter tell: says something to the window's user.
  init(
    of context: NSManagedObjectContext,
    moments: (list: Duration, row: Duration) = RecentDeeds.moments,
    tell: @escaping @MainActor (String) -> Void
  ) {
    self.moments = moments
    observations = [
      NotificationObservation(of: .NSManagedObjectContextWillSave, object: context) {
        [weak self, weak context] _ in
        if let context { self?.note(context) }
      },
      NotificationObservation(of: .NSManagedObjectContextDidSave, object: context) {
        [weak self] _ in self?.keep()
      },
      NotificationObservation(of: .NSManagedObjectContextObjectsDidChange, object: context) {
        [weak self] in
        for words in self?.wordsOfDeletions($0) ?? [] { tell(words) }
      },
    ]
  }

  /// Whether others may delete a list or a row that has just been changed here.
  var isWatching: Bool {
    !unsaved.isEmpty || saved.contains { ContinuousClock.now - $0.time < moments.list }
  }

  private func note(_ context: NSManagedObjectContext) {
    unsaved = []
    let (inserted, updated) = (context.insertedObjects, context.updatedObjects)
    guard inserted.count <= Self.most else { return }
    unsaved = inserted.map { Deed($0, isNew: true) }
    // A list may be long whose rows are all given another place.
    guard updated.count <= Self.most else { return }
    unsaved += updated.map { Deed($0, isNew: false) }.filter { $0.isMove || !$0.typed.isEmpty }
  }

  private func keep() {
    let now = ContinuousClock.now
    saved = saved.filter { now - $0.time < moments.list } + unsaved.map { ($0, now) }
    unsaved = []
  }

  // MARK: - Deletions by others

  private func wordsOfDeletions(_ notification: Notification) -> [String] {
    guard !saved.isEmpty,
      let deleted = notification.userInfo?[NSDeletedObjectsKey] as? Set<NSManagedObject>
    else { return [] }
    let now = ContinuousClock.now
    // What this window deletes itself is in the store until that is saved.
    let lost = saved.filter {
      deleted.contains($0.deed.object) && !Self.isInStore($0.deed.object)
    }
    saved.removeAll { deleted.contains($0.deed.object) }
    return words(
      lost.filter { entry in
        let age = now - entry.time
        return age < moments.row
          || age < moments.list && entry.deed.containers.contains(where: Self.isGone)
      }.map(\.deed))
  }

  private static func isGone(_ object: NSManagedObject) -> Bool {
    object.isDeleted || object.managedObjectContext == nil
  }

  private static func isInStore(_ object: NSManagedObject) -> Bool {
    guard let context = object.managedObjectContext, let entity = object.entity.name else {
      return false
    }
    let request = NSFetchRequest<NSManagedObject>(entityName: entity)
    request.predicate = NSPredicate(format: "SELF == %@", object.objectID)
    request.includesPendingChanges = false
    return (try? context.count(for: request)) != 0
  }

  private func words(_ deeds: [Deed]) -> [String] {
    func typed(_ deeds: [Deed]) -> String {
      deeds.flatMap(\.typed).filter { !$0.isEmpty }.joined(separator: ", ")
    }
    var words: [String] = []
    let withLists = deeds.filter { $0.isNew && $0.containers.contains(where: Self.isGone) }
    if !typed(withLists).isEmpty {
      words.append("The list was deleted. You typed: \(typed(withLists))")
    }
    for deed in deeds where deed.isMove && deed.containers.contains(where: Self.isGone) {
      words.append("“\(deed.name)”, which you had just moved, was deleted with its list")
    }
    let others = deeds.filter { deed in
      !deed.isMove && !withLists.contains { $0.object === deed.object }
    }
    if !typed(others).isEmpty {
      words.append("That row was deleted. You typed: \(typed(others))")
    }
    return words
  }
}

extension RecentDeeds.Deed {
  fileprivate init(_ object: NSManagedObject, isNew: Bool) {
    let changed = object.changedValues()
    let containers = object.containers
    self.init(
      object: object, containers: containers.compactMap(\.owner), name: object.attributeTexts,
      typed: object.typedTexts,
      isMove: !isNew && containers.contains { changed[$0.relationship.name] != nil },
      isNew: isNew)
  }
}
