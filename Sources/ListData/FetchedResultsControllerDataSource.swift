import CoreData

#if canImport(UIKit)
  import UIKit
#else
  import ListKit
#endif

/// Stands between a fetched results controller and a table view, or a collection view: it is the
/// data source of the one and the delegate of the other.
///
///     dataSource = FetchedResultsControllerDataSource(tableView: tableView, reuseIdentifier: "Cell")
///     dataSource.delegate = self
///     dataSource.fetchedResultsController = controller
///
/// Everything about objects it leaves to its own ``delegate``. For a collection a closure makes the
/// cells, and another one the headers, which say ``sectionName(_:)``:
///
///     FetchedResultsControllerDataSource<Item>(collectionView: view) { view, path, item in
///       view.dequeueConfiguredReusableCell(using: registration, for: path, item: item)
///     }
@MainActor
public final class FetchedResultsControllerDataSource<Object: NSManagedObject>: NSObject {
  public weak var delegate: (any FetchedResultsControllerDataSourceDelegate<Object>)?
  /// Of the cells of a table.
  public let reuseIdentifier: String
  private weak var list: (any FetchedList)?
  let cellProvider: CellProvider?

  /// Makes the cell of an object in a collection.
  public typealias CellProvider =
    @MainActor (_ collectionView: UICollectionView, _ indexPath: IndexPath, _ object: Object) ->
    UICollectionViewCell

  /// Makes the headers and footers that the layout of a collection has.
  public var supplementaryViewProvider:
    (
      @MainActor (
        _ collectionView: UICollectionView, _ elementKind: String, _ indexPath: IndexPath
      ) -> UICollectionReusableView
    )?

  // The batch that the controller is telling of.
  var batch = RowPieces.Batch()
  var insertedSections = IndexSet()
  var deletedSections = IndexSet()
  // What has changed while nothing was shown; nil when the table follows at once.
  private var pending: PendingChanges?
  // The table shows the user's change already: what the controller says of it is no news.
  private var userChange: UserChange?

  private struct UserChange {
    /// The move that the table has made; nil for a change of another kind.
    let move: (from: IndexPath, to: IndexPath)?
    /// The controller has told of a change.
    var isTold = false
  }

  private struct PendingChanges {
    var pieces: RowPieces
    /// A section came or went: pieces know rows only, the table is loaded anew.
    var needsReload = false
  }

  public init(tableView: UITableView, reuseIdentifier: String) {
    list = tableView
    self.reuseIdentifier = reuseIdentifier
    cellProvider = nil
    super.init()
    tableView.dataSource = self
  }

  /// The data source of a collection.
  ///
  /// - Parameters:
  ///   - collectionView: what shows the objects.
  ///   - cellProvider: makes the cell of an object.
  public init(collectionView: UICollectionView, cellProvider: @escaping CellProvider) {
    list = collectionView
    reuseIdentifier = ""
    self.cellProvider = cellProvider
    super.init()
    collectionView.dataSource = self
  }

  /// The controller whose objects are shown. Setting it fetches, and loads the table.
  ///
  /// A fetch that fails is told to ``onError``.
  public var fetchedResultsController: NSFetchedResultsController<Object>? {
    didSet {
      fetching?.cancel()
      oldValue?.delegate = nil
      fetchedResultsController?.delegate = self
      if isFetched { isFetched = false } else { fetch() }
      load()
    }
  }

  // The controller that is being set has fetched already.
  private var isFetched = false
  private var fetching: Task<Void, Never>?

  /// Sets the controller when it has fetched, which it does while the main queue goes on; until then
  /// the table shows what it did.
  ///
  /// A controller that is set in the meantime, by this or otherwise, takes its place: an older fetch
  /// is given up. Fetches run one after the other. On Apple's platforms it fetches at once.
  ///
  /// - Parameters:
  ///   - pause: how long to wait for another one: of a text that is typed only the last is searched.
  ///   - firstRows: how many rows of a long list are shown as soon as they are found, while the rest of
  ///     it is still being fetched; 0 for all at once.
  ///   - completion: called when this controller's whole list is shown, or its error was told.
  ///   - onFirstRows: called once, when the table shows rows of this controller, all or the first.
  public func fetchInBackground(
    _ controller: NSFetchedResultsController<Object>, after pause: Duration = .zero,
    firstRows: Int = 0, completion: @escaping () -> Void = {},
    onFirstRows: @escaping () -> Void = {}
  ) {
    fetching?.cancel()
    let before = fetching
    let show: @MainActor () -> Void = { [weak self] in
      let isFirst = self?.fetchedResultsController !== controller
      self?.take(controller)
      if isFirst { onFirstRows() }
    }
    fetching = Task { [weak self] in
      do {
        try await Task.sleep(for: pause)
        await before?.value
        try Task.checkCancellation()
        try await controller.fetchForTable(firstRows: firstRows, show)
        try Task.checkCancellation()
      } catch is CancellationError {
        return
      } catch {
        self?.onError?(error)
        return completion()
      }
      show()
      completion()
    }
  }

  /// Shows what a controller has fetched.
  private func take(_ controller: NSFetchedResultsController<Object>) {
    if controller === fetchedResultsController { return load() }
    let task = fetching
    // What is shown from now on does not give up the rest of its own fetch.
    fetching = nil
    isFetched = true
    fetchedResultsController = controller
    fetching = task
  }

  /// Called with an error of a fetch.
  public var onError: ((any Error) -> Void)?

  /// Fetches anew and loads the table anew.
  public func reload() {
    fetch()
    load()
  }

  private func fetch() {
    do { try fetchedResultsController?.performFetch() } catch { onError?(error) }
  }

  private func load() {
    if isPaused { pending = PendingChanges(pieces: RowPieces(counts: counts)) }
    list?.reloadData()
  }

  /// The object of the row that is selected.
  public var selectedItem: Object? {
    list?.selectedPath.flatMap(object(at:))
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

  /// The name of a section, for its header; nil for no such section, or when there is no section
  /// key path.
  public func sectionName(_ section: Int) -> String? {
    guard let controller = fetchedResultsController, controller.sectionNameKeyPath != nil,
      let sections = controller.sections, sections.indices.contains(section)
    else { return nil }
    return sections[section].name
  }

  var counts: [Int] {
    fetchedResultsController?.sections?.map(\.numberOfObjects) ?? []
  }

  /// For a change that the table shows already, as after the user's dragging: what the controller
  /// tells of it moves no row a second time.
  public func performUserDriven(_ change: () -> Void) {
    perform(UserChange(move: nil), change)
  }

  /// The table has moved a row, and the model follows. A move that the model carries out in another way,
  /// or not at all, is given back to the table: rows stand where their objects do.
  func follow(moveFrom source: IndexPath, to target: IndexPath, _ change: () -> Void) {
    let change = perform(UserChange(move: (source, target)), change)
    // Nothing was told: the rows stand as before.
    if !change.isTold, source != target {
      list?.perform(RowPieces.Batch(moves: [(target, source)]), [], [])
    }
  }

  @discardableResult
  private func perform(_ change: UserChange, _ carryOut: () -> Void) -> UserChange {
    userChange = change
    carryOut()
    fetchedResultsController?.managedObjectContext.processPendingChanges()
    defer { userChange = nil }
    return userChange ?? change
  }

  // MARK: - From the controller to the list

  func beginBatch() {
    batch = RowPieces.Batch()
    insertedSections = []
    deletedSections = []
  }

  func endBatch() {
    splitMovesBetweenChangedSections()
    if pending != nil {
      pend()
    } else if let userChange, !userChange.isTold {
      self.userChange?.isTold = true
      follow(userChange)
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

  /// The list shows the user's change already. When the controller tells of another one, or of more, such as
  /// a row of another context that the change has come upon before its save was merged, the list is
  /// loaded anew.
  private func follow(_ change: UserChange) {
    let isMoveAlone =
      batch.moves.count <= 1 && batch.inserts.isEmpty && batch.deletes.isEmpty
      && insertedSections.isEmpty && deletedSections.isEmpty
    if isMoveAlone, change.move.map(isTold) ?? true {
      reconfigure(batch.moves.map(\.to) + (batch.moves.isEmpty ? batch.updates : []))
    } else {
      list?.reloadData()
    }
  }

  /// Whether the batch is this move. Of two neighbours that change places either may be the one that
  /// moved.
  private func isTold(_ move: (from: IndexPath, to: IndexPath)) -> Bool {
    guard let told = batch.moves.first else { return move.from == move.to }
    if told == move { return true }
    let areNeighbours =
      move.from.section == move.to.section && abs(move.from.row - move.to.row) == 1
    return areNeighbours && told == (move.to, move.from)
  }

  private func apply() {
    list?.perform(batch, deletedSections, insertedSections)
    // A list draws a row that moves as it was.
    reconfigure(batch.moves.map(\.to))
  }

  private func resume() {
    guard let pending else { return }
    self.pending = nil
    if pending.needsReload {
      list?.reloadData()
      return
    }
    let batch = pending.pieces.batch
    list?.perform(batch, [], [])
    reconfigure(batch.moves.map(\.to))
  }

  private func reconfigure(_ paths: [IndexPath]) {
    list?.reconfigure(paths)
  }
}

extension NSFetchedResultsController where ResultType: NSManagedObject {
  @MainActor
  fileprivate func fetchForTable(
    firstRows: Int, _ show: @escaping @MainActor () -> Void
  ) async throws {
    #if canImport(UIKit)
      try performFetch()
    #else
      try await performFetchInBackground(firstRows: firstRows, show)
    #endif
  }
}
