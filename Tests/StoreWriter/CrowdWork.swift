import CoreData
import Synchronization
import TestSupport

/// Many contexts of one process save to a store on a server, beside other such processes, while a list follows what all
/// of them save.
///
///     notes of its own    each context inserts its codes one after the other, and changes the one before
///     shared counter      with errors of conflicts, read anew and tried again
///
/// Begins when it is told a line. Prints a ``Report`` when the time is over, then reads the number of the last
/// transaction, waits until the list has come so far, and prints what it ``Seen``.
final class CrowdWork: Sendable {
  struct Report: Codable, Sendable {
    /// How many notes each context has saved.
    var notes: [Int] = []
    var shared = 0
    var conflicts = 0
    /// What was no conflict that was asked for.
    var errors: [String] = []
  }

  struct Seen: Codable, Sendable {
    var count = 0
    /// Whether the list is what a fetch in a new context finds.
    var isFresh = false
    /// Transactions of other processes.
    var transactions = 0
    /// Milliseconds from the beginning of a save to the list in this process.
    var medianDelay = 0.0
    var longDelay = 0.0
  }

  private let author: String
  private let coordinator: NSPersistentStoreCoordinator
  private let list: ListFollower
  private let report: Mutex<Report>

  init(_ url: URL, author: String, contexts: Int) throws {
    self.author = author
    coordinator = try WriterModel.coordinator(url, type: .init(rawValue: "PostgreSQL"))
    list = try ListFollower(coordinator, author: author)
    report = Mutex(Report(notes: [Int](repeating: 0, count: contexts)))
  }

  func run(seconds: Double) throws {
    StoreWriter.tell("ready")
    guard readLine() != nil else { return }
    let end = ContinuousClock.now + .seconds(seconds)
    let group = DispatchGroup()
    let count = report.withLock { $0.notes.count }
    for number in 0..<count {
      group.enter()
      let thread = Thread {
        self.work(number, until: end)
        group.leave()
      }
      thread.start()
    }
    group.wait()
    try StoreWriter.tell(json: report.withLock { $0 })
    guard let line = readLine(), let last = Int64(line) else { return }
    try StoreWriter.tell(json: try list.wait(for: last))
  }

  // MARK: - One context

  private func work(_ number: Int, until end: ContinuousClock.Instant) {
    let context = WriterModel.context(coordinator, author: author)
    // On a busy machine the time may be over before anybody has done anything.
    while ContinuousClock.now < end
      || report.withLock({ $0.notes[number] < 2 && $0.errors.isEmpty })
    {
      do {
        try context.performAndWait {
          try writeNote(number, context)
          if Int.random(in: 0..<10) == 0 { try countShared(context) }
        }
      } catch {
        report.withLock { $0.errors.append("\(error)") }
        context.performAndWait { context.rollback() }
      }
    }
  }

  private func writeNote(_ number: Int, _ context: NSManagedObjectContext) throws {
    let saved = report.withLock { $0.notes[number] }
    if let before = try context.note("\(author) \(number) \(saved)") {
      before.setValue("followed", forKey: "text")
    }
    let code = "\(author) \(number) \(saved + 1)"
    context.insert("Note", ["code": code, "writer": author])
    try context.save()
    report.withLock { $0.notes[number] += 1 }
  }

  private func countShared(_ context: NSManagedObjectContext) throws {
    guard let counter = try context.all("Counter", sortedBy: "number").first else { return }
    context.refresh(counter, mergeChanges: false)
    while true {
      counter.setValue((counter.value(forKey: "shared") as? Int ?? 0) + 1, forKey: "shared")
      do {
        try context.save()
        return report.withLock { $0.shared += 1 }
      } catch let error as NSError where error.code == NSManagedObjectMergeError {
        report.withLock { $0.conflicts += 1 }
        context.refresh(counter, mergeChanges: false)
      }
    }
  }
}

/// A list of all notes, which follows by notifications and history alone.
///
/// Sendable: everything is used by the context's queue, but for `progress`, which has its lock.
private final class ListFollower: NSObject, NSFetchedResultsControllerDelegate,
  @unchecked Sendable
{
  private let author: String
  private let coordinator: NSPersistentStoreCoordinator
  private let context: NSManagedObjectContext
  private let controller: NSFetchedResultsController<NSManagedObject>
  private var token: NSPersistentHistoryToken?
  private var delays: [TimeInterval] = []
  private var last: Int64 = 0
  private let progress = NSLock()
  private var observer: (any NSObjectProtocol)?

  init(_ coordinator: NSPersistentStoreCoordinator, author: String) throws {
    self.author = author
    self.coordinator = coordinator
    let context = WriterModel.context(coordinator, author: author)
    self.context = context
    token = coordinator.currentPersistentHistoryToken(fromStores: nil)
    let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
    request.sortDescriptors = [NSSortDescriptor(key: "code", ascending: true)]
    controller = NSFetchedResultsController(
      fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
    super.init()
    // Without a delegate a list does not follow.
    controller.delegate = self
    try context.performAndWait { try controller.performFetch() }
    observer = NotificationCenter.default.addObserver(
      forName: .NSPersistentStoreRemoteChange, object: coordinator, queue: nil
    ) { [weak self] _ in
      guard let self else { return }
      self.context.perform { self.follow() }
    }
  }

  private func follow() {
    do {
      let request = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
      let result = try context.execute(request) as? NSPersistentHistoryResult
      let transactions = result?.result as? [NSPersistentHistoryTransaction] ?? []
      guard let newest = transactions.last else { return }
      // All at once: a list that is behind catches up.
      let changes = transactions.flatMap { $0.changes ?? [] }
      let keys = [NSInsertedObjectIDsKey, NSUpdatedObjectIDsKey, NSDeletedObjectIDsKey]
      let identities = keys.enumerated().map { type, key in
        (key, Set(changes.filter { $0.changeType.rawValue == type }.map(\.changedObjectID)))
      }
      NSManagedObjectContext.mergeChanges(
        fromRemoteContextSave: Dictionary(uniqueKeysWithValues: identities), into: [context])
      let now = Date()
      delays += transactions.filter { $0.author != author }
        .map { now.timeIntervalSince($0.timestamp) }
      token = newest.token
      progress.withLock { last = newest.transactionNumber }
    } catch { fatalError("The history could not be read: \(error)") }
  }

  func wait(for number: Int64) throws -> CrowdWork.Seen {
    try Patience.wait(for: "the transaction \(number)") { progress.withLock { last >= number } }
    let fresh = WriterModel.context(coordinator, author: author)
    let wanted = try fresh.performAndWait { try lines(fresh.all("Note", sortedBy: "code")) }
    return context.performAndWait {
      let sorted = delays.sorted().map { $0 * 1000 }
      let found = lines(controller.fetchedObjects ?? [])
      return CrowdWork.Seen(
        count: found.count, isFresh: found == wanted, transactions: sorted.count,
        medianDelay: sorted.isEmpty ? 0 : sorted[sorted.count / 2],
        longDelay: sorted.isEmpty ? 0 : sorted[sorted.count * 95 / 100])
    }
  }

  private func lines(_ notes: [NSManagedObject]) -> [String] {
    notes.map { "\($0.value(forKey: "code") ?? "") \($0.value(forKey: "text") ?? "")" }
  }
}
