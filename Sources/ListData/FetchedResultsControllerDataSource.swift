import CoreData

#if canImport(UIKit)
  import UIKit
#else
  import ListKit
#endif

/// Stands between a fetched results controller and a table view: it is the data source of the one
/// and the delegate of the other.
///
///     dataSource = FetchedResultsControllerDataSource(tableView: tableView, reuseIdentifier: "Cell")
///     dataSource.delegate = self
///     dataSource.fetchedResultsController = controller
///
/// Everything about objects it leaves to its own ``delegate``.
@MainActor
public final class FetchedResultsControllerDataSource<Object: NSManagedObject>: NSObject {
  public weak var delegate: (any FetchedResultsControllerDataSourceDelegate<Object>)?
  public let reuseIdentifier: String
  private weak var tableView: UITableView?

  // The batch that the controller is telling of.
  var batch = RowPieces.Batch()
  var insertedSections = IndexSet()
  var deletedSections = IndexSet()
  // What has changed while nothing was shown; nil when the table follows at once.
  private var pending: PendingChanges?
  // The table has made the user's move already: what the controller says of it is no news.
  private var isUserDriven = false

  private struct PendingChanges {
    var pieces: RowPieces
    /// A section came or went: pieces know rows only, the table is loaded anew.
    var needsReload = false
  }

  public init(tableView: UITableView, reuseIdentifier: String) {
    self.tableView = tableView
    self.reuseIdentifier = reuseIdentifier
    super.init()
    tableView.dataSource = self
  }

  /// The controller whose objects are shown. Setting it fetches, and loads the table.
  ///
  /// A fetch that fails is told to ``onError``.
  public var fetchedResultsController: NSFetchedResultsController<Object>? {
    didSet {
      oldValue?.delegate = nil
      fetchedResultsController?.delegate = self
      reload()
    }
  }

  /// Called with an error of a fetch.
  public var onError: ((any Error) -> Void)?

  /// Fetches anew and loads the table anew.
  public func reload() {
    do { try fetchedResultsController?.performFetch() } catch { onError?(error) }
    if isPaused { pending = PendingChanges(pieces: RowPieces(counts: counts)) }
    tableView?.reloadData()
  }

  /// The object of the row that is selected.
  public var selectedItem: Object? {
    tableView?.indexPathForSelectedRow.flatMap(object(at:))
  }

  /// The object of a row; nil when there is no such row.
  public func object(at path: IndexPath) -> Object? {
    guard path.section < counts.count, path.row < counts[path.section] else { return nil }
    return fetchedResultsController?.object(at: path)
  }

  /// While it is paused the table stands still; what changes is applied as one batch at the end.
  /// Set it while the table is covered.
  public var isPaused: Bool {
    get { pending != nil }
    set {
      guard newValue != isPaused else { return }
      if newValue {
        pending = PendingChanges(pieces: RowPieces(counts: counts))
      } else {
        resume()
      }
    }
  }

  var counts: [Int] {
    fetchedResultsController?.sections?.map(\.numberOfObjects) ?? []
  }

  /// For a change that the table shows already, as after the user's dragging: what the controller
  /// tells of it moves no row a second time.
  public func performUserDriven(_ change: () -> Void) {
    isUserDriven = true
    change()
    fetchedResultsController?.managedObjectContext.processPendingChanges()
    isUserDriven = false
  }

  // MARK: - From the controller to the table

  func beginBatch() {
    batch = RowPieces.Batch()
    insertedSections = []
    deletedSections = []
  }

  func endBatch() {
    splitMovesBetweenChangedSections()
    if pending != nil {
      pend()
    } else if isUserDriven {
      reconfigure(batch.moves.map(\.to))
    } else {
      apply()
    }
  }

  /// A table view moves no row out of a section that goes or into one that comes.
  private func splitMovesBetweenChangedSections() {
    let split = batch.moves.filter {
      deletedSections.contains($0.from.section) || insertedSections.contains($0.to.section)
    }
    guard !split.isEmpty else { return }
    batch.moves.removeAll {
      deletedSections.contains($0.from.section) || insertedSections.contains($0.to.section)
    }
    batch.deletes += split.map(\.from)
    batch.inserts += split.map(\.to)
  }

  private func pend() {
    if !insertedSections.isEmpty || !deletedSections.isEmpty { pending?.needsReload = true }
    if pending?.needsReload == false { pending?.pieces.apply(batch) }
  }

  private func apply() {
    guard let tableView else { return }
    let updates = batch.updates.filter { tableView.cellForRow(at: $0) != nil }
    tableView.beginUpdates()
    tableView.deleteSections(deletedSections, with: .automatic)
    tableView.insertSections(insertedSections, with: .automatic)
    update(tableView, batch.deletes, batch.inserts, batch.moves, updates)
    tableView.endUpdates()
    // A table draws a row that moves as it was.
    reconfigure(batch.moves.map(\.to))
  }

  private func resume() {
    guard let pending else { return }
    self.pending = nil
    guard let tableView else { return }
    if pending.needsReload { return tableView.reloadData() }
    let pieces = pending.pieces
    let updates = pieces.updates.filter { tableView.cellForRow(at: $0) != nil }
    tableView.beginUpdates()
    update(tableView, pieces.deletes, pieces.inserts, pieces.moves, updates)
    tableView.endUpdates()
    reconfigure(pieces.moves.map(\.to))
  }

  private func update(
    _ tableView: UITableView, _ deletes: [IndexPath], _ inserts: [IndexPath],
    _ moves: [(from: IndexPath, to: IndexPath)], _ updates: [IndexPath]
  ) {
    if !deletes.isEmpty { tableView.deleteRows(at: deletes, with: .automatic) }
    if !inserts.isEmpty { tableView.insertRows(at: inserts, with: .automatic) }
    for move in moves { tableView.moveRow(at: move.from, to: move.to) }
    if !updates.isEmpty { tableView.reconfigureRows(at: updates) }
  }

  private func reconfigure(_ paths: [IndexPath]) {
    guard let tableView else { return }
    let shown = paths.filter { tableView.cellForRow(at: $0) != nil }
    if !shown.isEmpty { tableView.reconfigureRows(at: shown) }
  }
}
