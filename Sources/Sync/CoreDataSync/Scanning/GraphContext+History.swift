import CoreData

extension GraphContext {
  /// The transactions after a point of the history; nil if the history does not reach back to it.
  func transactions(after token: [UInt8]) throws -> [NSPersistentHistoryTransaction]? {
    guard let token = try self.token(token) else { return nil }
    let request = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
    request.resultType = .transactionsAndChanges
    do {
      return try transactions(request)
    } catch let error as NSError where Self.lostHistory.contains(error.code) {
      return nil
    }
  }

  /// The token of these bytes. Most questions are about one and the same point.
  private func token(_ bytes: [UInt8]) throws -> NSPersistentHistoryToken? {
    if let lastToken, lastToken.bytes == bytes { return lastToken.token }
    let token = try NSKeyedUnarchiver.unarchivedObject(
      ofClass: NSPersistentHistoryToken.self, from: Data(bytes))
    lastToken = token.map { (bytes, $0) }
    return token
  }

  /// The codes of a token that is too old, and of one of another store.
  private static let lostHistory = [NSPersistentHistoryTokenExpiredError, 134_501]
  /// The code of a store without history.
  private static let noHistory = 134_091

  /// What applications saved after a point of the history; nil if it does not reach back to it.
  func savedChanges(after token: [UInt8]) throws -> ScanInParts? {
    guard let token = try self.token(token) else { return nil }
    var objects = ObjectList()
    var origins = Origins()
    var changes = SavedChanges()
    var last: NSPersistentHistoryTransaction?
    let isWhole = try forEachTransaction(after: token) { transaction in
      last = transaction
      if transaction.author == Self.author { return }
      origins.add(transaction, at: time(transaction))
      for change in transaction.changes ?? []
      where change.changeType == .insert && isSynced(change) {
        objects.append(Self.uri(of: change.changedObjectID))
      }
      // Of a new object everything is looked at.
      addEdits(of: transaction, to: &changes) { !origins.wasInserted($0) }
    }
    guard isWhole else { return nil }
    if let last {
      changes.token = try Self.archive(last.token)
      changes.last = Standing.Transaction(last)
    }
    return ScanInParts(of: objects, from: origins, and: changes)
  }

  private func isSynced(_ change: NSPersistentHistoryChange) -> Bool {
    map.entity(named: change.changedObjectID.entity.name) != nil
  }

  /// Notes what was inserted, edited and deleted.
  func add(_ transaction: NSPersistentHistoryTransaction, to changes: inout SavedChanges) {
    for change in transaction.changes ?? []
    where change.changeType == .insert && isSynced(change) {
      let uri = Self.uri(of: change.changedObjectID)
      changes.inserted[uri] = time(transaction)
      changes.names[uri] = name(of: uri, from: origin(transaction))
    }
    addEdits(of: transaction, to: &changes) { _ in true }
  }

  /// Notes what was deleted, and edited of the objects that are included.
  private func addEdits(
    of transaction: NSPersistentHistoryTransaction, to changes: inout SavedChanges,
    where isIncluded: (_ uri: String) -> Bool
  ) {
    let time = time(transaction)
    let number = transaction.transactionNumber
    let origin = origin(transaction)
    var deleted: Set<String> = []
    for change in transaction.changes ?? [] where isSynced(change) {
      let uri = Self.uri(of: change.changedObjectID)
      switch change.changeType {
      case .insert: break
      case .delete: deleted.insert(uri)
      default:
        guard isIncluded(uri) else { continue }
        for property in change.updatedProperties ?? [] {
          changes.named[SavedChanges.Property(object: uri, name: property.name)] =
            SavedChanges.Naming(time: time, transaction: number, origin: origin)
        }
      }
    }
    if !deleted.isEmpty {
      changes.deletions.append(
        SavedChanges.Deletion(objects: deleted, time: time, transaction: number))
    }
  }

  /// Everything that the store has, as if all of it had just been changed, and what it no longer
  /// has of `known`.
  ///
  /// - Parameter isFirst: whether nothing was scanned before.
  func everything(
    knowing known: Set<String>, at time: Int64, isFirst: Bool
  ) throws -> ScanInParts {
    guard let token = try currentToken() else { throw SyncError.noHistory }
    let objects = try listOfObjects()
    while true {
      var origins = Origins()
      var changes = SavedChanges()
      (changes.isEverything, changes.isFirst) = (true, isFirst)
      changes.token = token
      let isWhole = try forEachTransaction(after: nil) { transaction in
        changes.last = Standing.Transaction(transaction)
        if transaction.author == Self.author { return }
        origins.add(transaction, at: self.time(transaction))
        addEdits(of: transaction, to: &changes) { isFirst || known.contains($0) }
      }
      // Somebody has deleted the beginning meanwhile.
      if !isWhole { continue }
      let gone = objects.missing(of: known)
      changes.deletions =
        gone.isEmpty ? [] : [SavedChanges.Deletion(objects: gone, time: time, transaction: nil)]
      return ScanInParts(of: objects, from: origins, and: changes)
    }
  }

  /// What the history has after a time.
  func transactions(
    since date: Date, _ type: NSPersistentHistoryResultType = .transactionsAndChanges
  ) throws -> [NSPersistentHistoryTransaction] {
    let request = NSPersistentHistoryChangeRequest.fetchHistory(after: date)
    request.resultType = type
    return try transactions(request)
  }

  private func transactions(
    _ request: NSPersistentHistoryChangeRequest
  ) throws -> [NSPersistentHistoryTransaction] {
    request.affectedStores = [store]
    do {
      let result = try context.execute(request) as? NSPersistentHistoryResult
      return result?.result as? [NSPersistentHistoryTransaction] ?? []
    } catch let error as NSError where error.code == Self.noHistory {
      throw SyncError.noHistory
    }
  }

  /// Goes through the transactions after a point of the history, some at a time. False if it does
  /// not reach back to it, or somebody deletes what is to come.
  private func forEachTransaction(
    after token: NSPersistentHistoryToken?, _ body: (NSPersistentHistoryTransaction) throws -> Void
  ) throws -> Bool {
    var last = token
    var count = 4
    while true {
      let request = NSPersistentHistoryChangeRequest.fetchHistory(after: last)
      request.resultType = .transactionsAndChanges
      request.fetchRequest = NSPersistentHistoryTransaction.fetchRequest
      request.fetchRequest?.fetchLimit = count
      let part: [NSPersistentHistoryTransaction]
      do {
        part = try transactions(request)
      } catch let error as NSError where Self.lostHistory.contains(error.code) {
        return false
      }
      try part.forEach(body)
      guard let token = part.last?.token, part.count >= count else { return true }
      last = token
      let changes = part.reduce(0) { $0 + ($1.changes?.count ?? 0) }
      count = changes > Self.changesAtOnce ? max(1, count / 2) : min(Self.changesAtOnce, count * 2)
    }
  }

  /// How many changes are read together, about.
  private static let changesAtOnce = 4_000

  // MARK: - Names

  /// The transaction in a word; nil where names are to be random.
  func origin(_ transaction: NSPersistentHistoryTransaction) -> String? {
    guard namesByOrigin else { return nil }
    return Standing.Transaction(transaction).origin(storeID: transaction.storeID)
  }

  func name(of uri: String, from origin: String?) -> RecordID? {
    guard namesByOrigin else { return nil }
    return origin.map { RecordID(named: "\(uriOfServer(uri)) \($0)", entity: "") }
  }

  /// The name of an object of which the history does not say where it comes from: copies of the
  /// store that have it with the same values have one name for it.
  func nameByValues(of uri: String) -> RecordID? {
    guard namesByOrigin, let object = object(uri), let entity = entity(of: object) else {
      return nil
    }
    let values = entity.attributes.keys.sorted().map { name in
      "\(name) \(value(of: name, ofObject: uri)?.fingerprint ?? 0)"
    }
    return name(of: uri, from: values.joined(separator: " "))
  }

  func deleteHistory(before token: [UInt8]) throws {
    let request = NSPersistentHistoryChangeRequest.deleteHistory(before: try self.token(token))
    request.affectedStores = [store]
    _ = try context.execute(request)
  }

  func currentToken() throws -> [UInt8]? {
    try coordinator.currentPersistentHistoryToken(fromStores: [store]).map(Self.archive)
  }

  private static func archive(_ token: NSPersistentHistoryToken) throws -> [UInt8] {
    Array(try NSKeyedArchiver.archivedData(withRootObject: token, requiringSecureCoding: true))
  }
}

extension Standing.Transaction {
  init(_ transaction: NSPersistentHistoryTransaction) {
    self.init(
      number: transaction.transactionNumber,
      time: transaction.timestamp.timeIntervalSinceReferenceDate)
  }
}
