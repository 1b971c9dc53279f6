import CoreData

#if canImport(UIKit)
  import UIKit
#else
  import ListKit
#endif

/// Connects a fetched results controller with a table view or a collection view: data source of the
/// view, delegate of the controller.
///
///     dataSource = FetchedResultsControllerDataSource(
///       tableView: tableView, reuseIdentifier: "Cell")
///     dataSource.delegate = self
///     dataSource.fetchedResultsController = controller
///
/// The ``delegate`` handles the objects. For a collection a closure makes the cells, and another
/// one the headers, whose text is ``sectionName(_:)``:
///
///     FetchedResultsControllerDataSource<Item>(collectionView: view) { view, path, item in
///       view.dequeueConfiguredReusableCell(using: registration, for: path, item: item)
///     }
@MainActor
public final class FetchedResultsControllerDataSource<Object: NSManagedObject>: NSObject {
  /// Configures cells, and deletes and moves objects.
  public weak var delegate: (any FetchedResultsControllerDataSourceDelegate<Object>)?
  /// The reuse identifier of a table's cells; empty for a collection.
  public let reuseIdentifier: String
  private weak var list: (any FetchedList)?
  let cellProvider: CellProvider?

  /// Whether a row shows its object and nothing else, so that every window with this list shows the
  /// same rows. False by default.
  ///
  /// Many windows with one list then cost little: what somebody changes is drawn once for all of
  /// them. What a row shows must come from the values of its object and of objects that it leads
  /// to: not from the window, the time, or what its user has done. Rows have names that are equal
  /// in all windows.
  public var sharesRows = false

  /// Makes the cell for an object in a collection.
  public typealias CellProvider =
    @MainActor (_ collectionView: UICollectionView, _ indexPath: IndexPath, _ object: Object) ->
    UICollectionViewCell

  /// Makes the headers and footers that the layout of a collection has. Without it such a layout
  /// traps.
  public var supplementaryViewProvider:
    (
      @MainActor (
        _ collectionView: UICollectionView, _ elementKind: String, _ indexPath: IndexPath
      ) -> UICollectionReusableView
    )?

  // The batch that the controller is reporting.
  var batch = RowPieces.Batch()
  var insertedSections = IndexSet()
  var deletedSections = IndexSet()
  // Changes while the data source is paused; nil while it is not.
  private var pending: PendingChanges?
  // A change by the user that the list shows already, while it is carried out in the model. The
  // controller's report of it must not be applied again.
  private var userChange: UserChange?

  private struct UserChange {
    /// The move that the list has made; nil for another change.
    let move: (from: IndexPath, to: IndexPath)?
    /// Whether the controller has reported a batch for this change.
    var isTold = false
  }

  private struct PendingChanges {
    var pieces: RowPieces
    /// A section was inserted or deleted. `RowPieces` tracks rows only: the list must be reloaded.
    var needsReload = false
  }

  /// Makes the data source of a table view.
  ///
  /// - Parameters:
  ///   - tableView: the view that shows the objects. Referenced weakly.
  ///   - reuseIdentifier: the identifier under which its cell class is registered.
  public init(tableView: UITableView, reuseIdentifier: String) {
    list = tableView
    self.reuseIdentifier = reuseIdentifier
    cellProvider = nil
    super.init()
    tableView.dataSource = self
  }

  /// Makes the data source of a collection view.
  ///
  /// - Parameters:
  ///   - collectionView: the view that shows the objects. Referenced weakly.
  ///   - cellProvider: makes the cell for an object.
  public init(collectionView: UICollectionView, cellProvider: @escaping CellProvider) {
    list = collectionView
    reuseIdentifier = ""
    self.cellProvider = cellProvider
    super.init()
    collectionView.dataSource = self
  }

  /// The controller whose objects are shown. Setting it fetches and reloads the list.
  ///
  /// An error of the fetch is passed to ``onError``.
  public var fetchedResultsController: NSFetchedResultsController<Object>? {
    didSet {
      fetching?.cancel()
      if !isFetched { list?.isPart = false }
      oldValue?.delegate = nil
      fetchedResultsController?.delegate = self
      if isFetched { isFetched = false } else { fetch() }
      load()
    }
  }

  // Whether the controller that is being set has already fetched.
  private var isFetched = false
  private var fetching: Task<Void, Never>?

  /// Fetches without blocking the main queue and sets the controller when it has fetched. Until
  /// then the list keeps its content.
  ///
  /// Setting another controller, by this method or directly, cancels the fetch. Fetches run one
  /// after the other. On Apple's platforms this method fetches synchronously on the main actor.
  ///
  /// - Parameters:
  ///   - controller: the controller to set, which has not fetched yet.
  ///   - pause: a delay before the fetch. Another call during the delay cancels this one, so that
  ///     of a typed search text only the last version is searched.
  ///   - firstRows: the number of rows of a long list that are shown as soon as they are found,
  ///     while the rest is being fetched; 0 shows all at once.
  ///   - completion: called when the whole list is shown, or after ``onError``. Not called for a
  ///     cancelled fetch.
  ///   - onFirstRows: called once, when the list shows rows of this controller: all or the first.
  public func fetchInBackground(
    _ controller: NSFetchedResultsController<Object>, after pause: Duration = .zero,
    firstRows: Int = 0, completion: @escaping () -> Void = {},
    onFirstRows: @escaping () -> Void = {}
  ) {
    fetching?.cancel()
    let before = fetching
    let show: @MainActor (_ isWhole: Bool) -> Void = { [weak self] isWhole in
      let isFirst = self?.fetchedResultsController !== controller
      self?.list?.isPart = !isWhole
      self?.take(controller)
      if isFirst { onFirstRows() }
    }
    fetching = Task { [weak self] in
      do {
        try await Task.sleep(for: pause)
        await before?.value
        try Task.checkCancellation()
        try await controller.fetchForTable(firstRows: firstRows) { show(false) }
        try Task.checkCancellation()
      } catch is CancellationError {
        return
      } catch {
        self?.onError?(error)
        return completion()
      }
      show(true)
      completion()
    }
  }

  /// Shows the rows that a controller has fetched so far.
  private func take(_ controller: NSFetchedResultsController<Object>) {
    if controller === fetchedResultsController { return load() }
    let task = fetching
    // Setting the controller cancels `fetching`, which may still be reading the rest of this list.
    fetching = nil
    isFetched = true
    fetchedResultsController = controller
    fetching = task
  }

  /// Called with the error of a failed fetch.
  public var onError: ((any Error) -> Void)?

  /// Fetches again and reloads the list.
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

  /// The object of the selected row.
  public var selectedItem: Object? {
    list?.selectedPath.flatMap(object(at:))
  }

  /// The object of a row; nil for a path out of bounds.
  public func object(at path: IndexPath) -> Object? {
    guard let sections = fetchedResultsController?.sections, path.section < sections.count,
      path.row < sections[path.section].numberOfObjects
    else { return nil }
    return fetchedResultsController?.object(at: path)
  }

  /// Whether the list is frozen. Setting it to false applies the changes made meanwhile as one
  /// batch. Set it while the list is covered.
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

  /// The name of a section, for its header; nil for an index out of bounds and without a section
  /// name key path.
  public func sectionName(_ section: Int) -> String? {
    guard let controller = fetchedResultsController, controller.sectionNameKeyPath != nil,
      let sections = controller.sections, sections.indices.contains(section)
    else { return nil }
    return sections[section].name
  }

  var counts: [Int] {
    fetchedResultsController?.sections?.map(\.numberOfObjects) ?? []
  }

  /// Carries out a change that the list shows already, such as a drag by the user. The controller's
  /// report of it moves no row again.
  public func performUserDriven(_ change: () -> Void) {
    perform(UserChange(move: nil), change)
  }

  /// Moves an object in the model after the list has moved its row. If the model moves it
  /// differently or not at all, the list is corrected to the order of the objects.
  func follow(moveFrom source: IndexPath, to target: IndexPath, _ change: () -> Void) {
    let change = perform(UserChange(move: (source, target)), change)
    // No report: the objects are in their old order.
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

  /// Replaces moves out of deleted sections and into inserted ones by deletes and inserts: a table
  /// view does not accept such moves.
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

  /// Checks the controller's report of a user's change, which the list shows already. If it is
  /// another change, or contains more, the list is reloaded: for example a row of another context
  /// that was found before its save was merged.
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

  /// Whether the batch is exactly this move. If two neighbours change places, either may be the one
  /// that was moved.
  private func isTold(_ move: (from: IndexPath, to: IndexPath)) -> Bool {
    guard let told = batch.moves.first else { return move.from == move.to }
    if told == move { return true }
    let areNeighbours =
      move.from.section == move.to.section && abs(move.from.row - move.to.row) == 1
    return areNeighbours && told == (move.to, move.from)
  }

  private func apply() {
    list?.perform(batch, deletedSections, insertedSections)
    // A list does not redraw the cells of moved rows.
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
