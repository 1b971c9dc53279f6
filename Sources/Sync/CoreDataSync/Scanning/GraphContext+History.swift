import CoreData

extension GraphContext {
  /// The transactions after a point of the history; nil if the history does not reach back to it.
  func transactions(after token: [UInt8]) throws -> [NSPersistentHistoryTransaction]? {
    guard let token = try self.token(token) else { return nil }
    let request = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
    request.affectedStores = [store]
    request.resultType = .transactionsAndChanges
    do {
      let result = try context.execute(request) as? NSPersistentHistoryResult
      return result?.result as? [NSPersistentHistoryTransaction] ?? []
    } catch let error as NSError where Self.lostHistory.contains(error.code) {
      return nil
    } catch let error as NSError where error.code == Self.noHistory {
      throw SyncError.noHistory
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
  func savedChanges(after token: [UInt8]) throws -> SavedChanges? {
    guard let transactions = try transactions(after: token) else { return nil }
    var changes = SavedChanges()
    for transaction in transactions where transaction.author != Self.author {
      add(transaction, to: &changes)
    }
    if let last = transactions.last {
      changes.token = try Self.archive(last.token)
      changes.last = Standing.Transaction(last)
    }
    return changes
  }

  func add(_ transaction: NSPersistentHistoryTransaction, to changes: inout SavedChanges) {
    let time = time(transaction)
    let number = transaction.transactionNumber
    let origin = origin(transaction)
    var deleted: Set<String> = []
    for change in transaction.changes ?? [] {
      let id = change.changedObjectID
      guard map.entity(named: id.entity.name) != nil else { continue }
      let uri = Self.uri(of: id)
      switch change.changeType {
      case .insert:
        changes.inserted[uri] = time
        changes.names[uri] = name(of: uri, from: origin)
      case .delete: deleted.insert(uri)
      default:
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
  func everything(knowing known: Set<String>, at time: Int64) throws -> SavedChanges {
    var changes = SavedChanges()
    changes.isEverything = true
    changes.token = try currentToken()
    guard changes.token != nil else { throw SyncError.noHistory }
    let all = try allObjects()
    let history = try remainingChanges()
    changes.last = history.last
    for uri in all {
      let time = history.inserted[uri] ?? time
      changes.inserted[uri] = time
      changes.names[uri] = history.names[uri] ?? nameByValues(of: uri)
      // Of a new object everything is looked at.
      guard known.contains(uri), let object = object(uri), let entity = entity(of: object) else {
        continue
      }
      for name in entity.properties {
        let property = SavedChanges.Property(object: uri, name: name)
        changes.named[property] =
          history.named[property] ?? SavedChanges.Naming(time: time, transaction: nil)
      }
    }
    let gone = known.subtracting(all)
    if !gone.isEmpty {
      changes.deletions = [SavedChanges.Deletion(objects: gone, time: time, transaction: nil)]
    }
    return changes
  }

  /// What is left of the history, for the times of what it names.
  private func remainingChanges() throws -> SavedChanges {
    var changes = SavedChanges()
    let transactions = try transactions(since: .distantPast)
    for transaction in transactions where transaction.author != Self.author {
      add(transaction, to: &changes)
    }
    changes.last = transactions.last.map { Standing.Transaction($0) }
    return changes
  }

  /// What the history has after a time.
  func transactions(
    since date: Date, _ type: NSPersistentHistoryResultType = .transactionsAndChanges
  ) throws -> [NSPersistentHistoryTransaction] {
    let request = NSPersistentHistoryChangeRequest.fetchHistory(after: date)
    request.affectedStores = [store]
    request.resultType = type
    do {
      let result = try context.execute(request) as? NSPersistentHistoryResult
      return result?.result as? [NSPersistentHistoryTransaction] ?? []
    } catch let error as NSError where error.code == Self.noHistory {
      throw SyncError.noHistory
    }
  }

  // MARK: - Names

  /// The transaction in a word; nil where names are to be random.
  func origin(_ transaction: NSPersistentHistoryTransaction) -> String? {
    guard namesByOrigin else { return nil }
    let time = transaction.timestamp.timeIntervalSinceReferenceDate.bitPattern
    return "\(transaction.storeID) \(transaction.transactionNumber) \(time)"
  }

  func name(of uri: String, from origin: String?) -> RecordID? {
    origin.map { RecordID(named: "\(uriOfServer(uri)) \($0)", entity: "") }
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
