import CoreData

/// Follows a list while other processes save, through a fetched results controller: it reports what
/// a list in an application would show.
///
///     Watch.run ── StoreStamp changed ── RowVersions.changes
///       ── merge into the context ── controller ── WatchReport
package struct Watch: Sendable {
  package var entity: String
  package var condition: String?
  package var sort: String?
  package var columns: String?

  package init(entity: String) { self.entity = entity }

  /// Reports every row, then every change, until `wait` or `tell` returns false.
  ///
  /// - Parameters:
  ///   - wait: pauses; returns false to end.
  ///   - tell: receives a report; returns false to end.
  package func run(
    in store: OpenedStore, wait: () -> Bool, tell: @escaping (WatchReport) throws -> Bool
  ) throws {
    let entity = try store.entity(named: entity)
    let columns = try WatchedColumns(columns, of: entity)
    let request = NSFetchRequest<NSManagedObject>()
    request.entity = entity
    request.predicate = try condition.map(Condition(of: entity).option)
    request.sortDescriptors = try sort.map(Query.sortDescriptors) ?? []
    request.fetchBatchSize = 100
    let context = store.makeContext()
    // Read before the rows, so that no change is missed in between.
    var stamp = try StoreStamp(store)
    var versions = try RowVersions(store, entity: entity)
    let following = try Self.onQueue(of: context) {
      try FollowedList(request, in: context, columns: columns, tell: tell)
    }
    while try Self.onQueue(of: context, { try following.check() }), wait() {
      let now = try StoreStamp(store)
      guard now != stamp else { continue }
      stamp = now
      let changes = try versions.changes()
      guard !changes.isEmpty else { continue }
      NSManagedObjectContext.mergeChanges(fromRemoteContextSave: changes.data, into: [context])
    }
  }

  /// Runs `body` on the context's queue. An invalid key is a usage error.
  private static func onQueue<Result>(
    of context: NSManagedObjectContext, _ body: () throws -> Result
  ) throws -> Result {
    do { return try context.performAndWait { try body() } } catch {
      let told = ToolError(error)
      throw (error as NSError).code == CocoaError.Code.coreData.rawValue
        ? ToolError(.usage, description: told.description) : told
    }
  }
}

/// The columns of a watched object: attributes and key paths.
struct WatchedColumns {
  private let paths: [(name: String, path: String)]

  init(_ text: String?, of entity: NSEntityDescription) throws {
    guard let text else {
      let all = ColumnText(allOf: entity).names.filter { $0 != "objectID" }
      paths = all.map { ($0, $0) }
      return
    }
    let chosen = try ColumnText(text, of: entity)
    paths = try zip(chosen.names, chosen.properties).map { name, property in
      if let path = property as? String { return (name, path) }
      guard let expression = (property as? NSExpressionDescription)?.expression,
        expression.expressionType == .keyPath
      else {
        throw ToolError(
          .usage,
          description:
            "“\(name)” is computed of rows, which are not watched together: expected attributes and key paths, such as "
            + "author.name or chapters.@count.")
      }
      return (name, expression.keyPath)
    }
  }

  func values(of object: NSManagedObject) -> [WatchReport.Value] {
    paths.map { name, path in
      let value: String? =
        switch object.value(forKeyPath: path) {
        case let object as NSManagedObject: CellText.name(of: object.objectID)
        case let value?: CellText.text(of: value, Self.property(at: path, of: object.entity))
        case nil: nil
        }
      return WatchReport.Value(name: name, text: value)
    }
  }

  private static func property(
    at path: String, of entity: NSEntityDescription
  ) -> NSPropertyDescription? {
    let keys = path.split(separator: ".").map(String.init)
    let last = keys.dropLast().reduce(Optional(entity)) {
      $0?.relationshipsByName[$1]?.destinationEntity
    }
    return keys.last.flatMap { last?.propertiesByName[$0] }
  }
}

/// The list with its controller. Confined to the queue of its context.
private final class FollowedList: NSObject, NSFetchedResultsControllerDelegate {
  private let controller: NSFetchedResultsController<NSManagedObject>
  private let columns: WatchedColumns
  private let tell: (WatchReport) throws -> Bool
  private var failure: (any Error)?
  private var goesOn = true

  init(
    _ request: NSFetchRequest<NSManagedObject>, in context: NSManagedObjectContext,
    columns: WatchedColumns, tell: @escaping (WatchReport) throws -> Bool
  ) throws {
    controller = NSFetchedResultsController(
      fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
    self.columns = columns
    self.tell = tell
    super.init()
    controller.delegate = self
    try controller.performFetch()
    for row in 0..<(controller.sections?.first?.numberOfObjects ?? 0) {
      report(.row, object: controller.object(at: IndexPath(row: row, section: 0)), at: row)
    }
  }

  /// Whether to go on. Throws the error of a report that could not be written.
  func check() throws -> Bool {
    if let failure { throw failure }
    return goesOn
  }

  private func report(
    _ kind: WatchReport.Kind, object: NSManagedObject, at index: Int, from: Int? = nil
  ) {
    guard goesOn, failure == nil else { return }
    let report = WatchReport(
      kind: kind, object: CellText.name(of: object.objectID), index: index, from: from,
      values: kind == .delete ? [] : columns.values(of: object))
    do { goesOn = try tell(report) } catch { failure = error }
  }

  func controller(
    _ controller: NSFetchedResultsController<NSFetchRequestResult>, didChange anObject: Any,
    at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
  ) {
    guard let object = anObject as? NSManagedObject else { return }
    switch (type, indexPath?.row, newIndexPath?.row) {
    case (.insert, _, let new?): report(.insert, object: object, at: new)
    case (.delete, let old?, _): report(.delete, object: object, at: old)
    case (.move, let old?, let new?): report(.move, object: object, at: new, from: old)
    case (.update, let old?, let new): report(.update, object: object, at: new ?? old)
    default: break
    }
  }
}
