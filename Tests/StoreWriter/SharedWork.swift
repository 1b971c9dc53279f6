import CoreData
import TestSupport

/// Works on a store that another process works on too, and follows what that one does by notifications and
/// history alone. It has ``counters`` counters in the store, and starts with none of the notes.
///
///     own column of a counter   by property, the object's side winning: each process counts in its own
///     shared column             with errors of conflicts, read anew and tried again
///     contested notes           both insert the same codes; one of each is to be left
///     notes of its own          inserted, some of them deleted
///
/// Begins when it is told a line. Prints a ``Report`` when the time is over, then reads the number of the last transaction of the store, waits
/// until it has been told of it, and prints what it has seen of the other.
final class SharedWork: @unchecked Sendable {
  // Sendable: everything is used by the context's queue, one call after the other.
  static let counters = 4
  private static let contested = 40

  struct Report: Codable, Sendable {
    /// How often each counter's own column was counted up.
    var own = [Int](repeating: 0, count: SharedWork.counters)
    var shared = 0
    var inserted = 0
    var deleted = 0
    var saves = 0
    var retries = 0
  }

  struct Seen: Codable, Sendable {
    /// The transactions of the other process.
    var transactions: [Int64] = []
    /// The counters as merged from history, each with its first, second and shared column.
    var counters: [[Int]] = []
    /// Milliseconds from a transaction to its notification.
    var medianDelay = 0.0
    var longDelay = 0.0
  }

  private let author: String
  private let context: NSManagedObjectContext
  private let follower: HistoryFollower
  private var random: SplitMix64
  private var report = Report()

  init(_ coordinator: NSPersistentStoreCoordinator, author: String, seed: UInt64) throws {
    self.author = author
    context = WriterModel.context(coordinator, author: author)
    follower = try HistoryFollower(coordinator, author: author)
    random = SplitMix64(seed: seed)
  }

  func run(seconds: Double) throws {
    StoreWriter.tell("ready")
    guard readLine() != nil else { return }
    let end = ContinuousClock.now + .seconds(seconds)
    // On a busy machine the time may be over before anything was done.
    while ContinuousClock.now < end || report.saves == 0 {
      try context.performAndWait { try step() }
    }
    try StoreWriter.tell(json: report)
    guard let line = readLine(), let last = Int64(line) else { return }
    try StoreWriter.tell(json: try follower.wait(for: last))
  }

  private func step() throws {
    switch Int.random(in: 0..<10, using: &random) {
    case 0..<4: try countOwn()
    case 4..<6: try countShared()
    case 6..<8: try writeContested()
    default: try writeOwn()
    }
    // Small and full of stale rows: conflicts are what this is about.
    if Int.random(in: 0..<20, using: &random) == 0 { context.reset() }
  }

  private func counter(_ number: Int) throws -> NSManagedObject {
    let found = try context.all(
      "Counter", sortedBy: "number", NSPredicate(format: "number == %d", number))
    guard let counter = found.first else { fatalError("The store lacks the counter \(number)") }
    return counter
  }

  private func save(_ policy: NSMergePolicy) throws {
    context.mergePolicy = policy
    try context.save()
    report.saves += 1
  }

  // MARK: - Steps

  private func countOwn() throws {
    let number = Int.random(in: 0..<Self.counters, using: &random)
    let counter = try counter(number)
    counter.setValue((counter.value(forKey: author) as? Int ?? 0) + 1, forKey: author)
    try save(.mergeByPropertyObjectTrump)
    report.own[number] += 1
  }

  private func countShared() throws {
    let counter = try counter(0)
    while true {
      counter.setValue((counter.value(forKey: "shared") as? Int ?? 0) + 1, forKey: "shared")
      do {
        try save(.error)
        report.shared += 1
        return
      } catch let error as NSError where error.code == NSManagedObjectMergeError {
        report.retries += 1
        context.refresh(counter, mergeChanges: false)
      }
    }
  }

  private func writeContested() throws {
    let code = "contested \(Int.random(in: 0..<Self.contested, using: &random))"
    context.insert("Note", ["code": code, "writer": author])
    try save(Bool.random(using: &random) ? .mergeByPropertyObjectTrump : .mergeByPropertyStoreTrump)
  }

  private func writeOwn() throws {
    report.inserted += 1
    context.insert("Note", ["code": "\(author) \(report.inserted)", "writer": author])
    let old = "\(author) \(report.inserted - 5)"
    if report.inserted % 3 == 0, let note = try context.note(old) {
      context.delete(note)
      report.deleted += 1
    }
    try save(.mergeByPropertyStoreTrump)
  }
}
