import CoreData

extension SyncSession {
  /// How the application's store and sync's own stand to each other.
  enum Kinship {
    /// Both are of one day, or nothing has been synced yet.
    case same
    /// Sync's store is missing.
    case lost
    /// The application's store is a new one.
    case stranger
    /// Sync's store is the newer one.
    case ahead
    /// Sync's store is the older one.
    case behind
  }

  /// The last commit that the store has: the one of its metadata, or a later one of which its
  /// history speaks, since an application may have set the metadata to what they once were.
  func lastCommit() throws -> String? {
    let mark = batchOfStore
    if mark == state.standing.batch { return mark }
    let notes = try graph.transactions(since: .distantPast, .transactionsOnly)
      .compactMap { CommitNote(contextName: $0.contextName)?.batch }
    let last = notes.max { CommitNote.number(ofBatch: $0) < CommitNote.number(ofBatch: $1) }
    return CommitNote.number(ofBatch: last) > CommitNote.number(ofBatch: mark) ? last : mark
  }

  /// Each of the two names the other: the store has the number of sync's last commit, and those of
  /// which its history speaks; sync's store has the number and the time of the last transaction
  /// that it has read.
  func kinship() throws -> (Kinship, isNews: (Standing.Transaction) -> Bool) {
    let standing = state.standing
    let mark = try lastCommit()
    guard standing.token != nil else { return (mark == nil ? .same : .lost, { _ in true }) }
    guard standing.storeUUID == storeUUID else { return (.stranger, { _ in true }) }
    let (own, stored) = (
      CommitNote.number(ofBatch: standing.batch), CommitNote.number(ofBatch: mark)
    )
    // A store that was only read has a mark without a commit.
    let isSame = mark == standing.batch || stored == 0 && own == 0
    guard let scanned = standing.scanned else {
      return (stored > own ? .behind : stored < own ? .ahead : .same, { _ in true })
    }
    let isLater: (Standing.Transaction) -> Bool = { $0.number > scanned.number }
    let near = try graph.transactions(
      since: Date(timeIntervalSinceReferenceDate: scanned.time - 1), .transactionsOnly)
    if near.contains(where: { Standing.Transaction($0) == scanned }) {
      if stored < own { return (.ahead, isLater) }
      let isUnknown = near.contains { transaction in
        let note = CommitNote(contextName: transaction.contextName)
        return isLater(Standing.Transaction(transaction)) && note != nil
          && note?.batch != standing.batch
      }
      return (isUnknown || !isSame ? .behind : .same, isLater)
    }
    let numbers = try graph.transactions(since: .distantPast, .transactionsOnly).map {
      $0.transactionNumber
    }
    guard let first = numbers.min(), first <= scanned.number else {
      // Somebody has purged the history.
      return (stored > own ? .behind : stored < own ? .ahead : .same, isLater)
    }
    return (.ahead, { $0.time > scanned.time })
  }

  /// What has to be learned anew; nil where both stores are of one day.
  func relearned() throws -> SavedChanges? {
    let (kinship, isNews) = try kinship()
    if kinship == .same { return nil }
    let changes = try graph.relearned(
      knowing: knownObjects, at: clock(),
      countersAreUnknown: kinship == .ahead || kinship == .lost
        || kinship == .stranger && batchOfStore != nil,
      isNews: isNews)
    // A store that was made of another, with all its objects, has them under other names.
    if kinship == .stranger, !(changes.relearning?.unexplained.isEmpty ?? true) {
      throw SyncError.otherStore
    }
    return changes
  }
}
