import CoreData
import Synchronization
import TestSupport

/// Many contexts of one process edit a store on a server that is cut off, goes silent, is killed and comes back.
///
/// Each context has notes of its own, which it inserts, edits, deletes, and changes by batch requests; all count
/// up one shared counter. Every edit is acknowledged, or in doubt when it ended in an error: it may have been carried
/// out or not. A note in doubt is not touched again.
///
/// Begins when it is told a line, and ends when it is told another one. Prints an ``Account`` then.
final class FleetWork: Sendable {
  struct Account: Codable, Sendable {
    /// The texts that a note may have, by its code; nil stands for a note that is not there.
    var notes: [String: [String?]] = [:]
    /// How often the counter was counted up, and how often that is in doubt.
    var counted = 0
    var countsInDoubt = 0
    var acknowledged = 0
    var conflicts = 0
    /// Edits that ended in an error, by its code.
    var failures: [String: Int] = [:]
    /// Seconds of the edit that took longest.
    var longest = 0.0

    /// Both accounts as one.
    mutating func add(_ other: Account) {
      notes.merge(other.notes) { $1 }
      counted += other.counted
      countsInDoubt += other.countsInDoubt
      acknowledged += other.acknowledged
      conflicts += other.conflicts
      failures.merge(other.failures, uniquingKeysWith: +)
      longest = max(longest, other.longest)
    }
  }

  private let author: String
  private let coordinator: NSPersistentStoreCoordinator
  private let seed: UInt64

  /// - Parameter timeout: of the store, in seconds.
  init(_ url: URL, author: String, timeout: Double, seed: UInt64) throws {
    self.author = author
    self.seed = seed
    coordinator = try WriterModel.coordinator(
      url, type: .init(rawValue: "PostgreSQL"),
      [NSPersistentStoreTimeoutOption: timeout, NSPersistentStoreConnectionPoolMaxSizeKey: 4])
  }

  func run(contexts: Int) throws {
    StoreWriter.tell("ready")
    guard readLine() != nil else { return }
    let isOver = Atomic(false)
    let group = DispatchGroup()
    let whole = Mutex(Account())
    for number in 0..<contexts {
      group.enter()
      let thread = Thread {
        let editor = FleetEditor(
          self.coordinator, name: "\(self.author) \(number)",
          SplitMix64(seed: self.seed &+ UInt64(number)))
        while !isOver.load(ordering: .relaxed) { editor.edit() }
        whole.withLock { $0.add(editor.account) }
        group.leave()
      }
      thread.start()
    }
    _ = readLine()
    isOver.store(true, ordering: .relaxed)
    group.wait()
    let account = whole.withLock { $0 }
    try StoreWriter.tell(json: account)
  }
}

/// One context, and what became of its edits. Used by one thread.
private final class FleetEditor {
  private(set) var account = FleetWork.Account()
  private let context: NSManagedObjectContext
  private let name: String
  private var random: SplitMix64
  private var last = 0
  private var start = ContinuousClock.now
  /// Its notes that are there without a doubt.
  private var known: [String: String] = [:]

  init(_ coordinator: NSPersistentStoreCoordinator, name: String, _ random: SplitMix64) {
    context = WriterModel.context(coordinator, author: name)
    self.name = name
    self.random = random
  }

  func edit() {
    start = .now
    switch Int.random(in: 0..<10, using: &random) {
    case 0..<4: insert()
    case 4..<6: change()
    case 6: delete()
    case 7: changeAll()
    default: count()
    }
    noteTime()
  }

  /// A conflict that is tried again is another edit.
  private func noteTime() {
    account.longest = max(account.longest, (ContinuousClock.now - start) / .seconds(1))
    start = .now
  }

  /// Carries out an edit that gives notes other texts, and notes what became of it.
  private func carryOut(_ texts: [String: String?], _ body: () throws -> Void) {
    do {
      try context.performAndWait(body)
      account.acknowledged += 1
      for (code, text) in texts {
        known[code] = text
        account.notes[code] = [text]
      }
    } catch {
      note(error)
      for (code, text) in texts {
        account.notes[code] = [known[code], text]
        known[code] = nil
      }
      context.performAndWait { context.reset() }
    }
  }

  private func note(_ error: any Error) {
    account.failures["\((error as NSError).code)", default: 0] += 1
  }

  private func insert() {
    let count = Int.random(in: 1...3, using: &random)
    let codes = (1...count).map { "\(name) \(last + $0)" }
    last += count
    carryOut(Dictionary(uniqueKeysWithValues: codes.map { ($0, "new") })) {
      for code in codes {
        context.insert("Note", ["code": code, "text": "new", "writer": name])
      }
      try context.save()
    }
  }

  private func change() {
    guard let code = known.keys.sorted().randomElement(using: &random) else { return }
    let text = "changed \(account.acknowledged)"
    carryOut([code: text]) {
      guard let note = try context.note(code) else { throw CocoaError(.fileNoSuchFile) }
      note.setValue(text, forKey: "text")
      try context.save()
    }
  }

  private func delete() {
    guard let code = known.keys.sorted().randomElement(using: &random) else { return }
    carryOut([code: nil]) {
      guard let note = try context.note(code) else { throw CocoaError(.fileNoSuchFile) }
      context.delete(note)
      try context.save()
    }
  }

  /// By a batch request, past the context. Notes in doubt belong to another writer by then.
  private func changeAll() {
    let codes = known.keys.sorted().prefix(20)
    if codes.isEmpty { return }
    let text = "batch \(account.acknowledged)"
    carryOut(Dictionary(uniqueKeysWithValues: codes.map { ($0, text) })) {
      let request = NSBatchUpdateRequest(entityName: "Note")
      request.predicate = NSPredicate(format: "code IN %@", Array(codes))
      request.propertiesToUpdate = ["text": text]
      try context.execute(request)
      context.refreshAllObjects()
    }
  }

  /// All contexts of all processes count the same counter up: a conflict is tried again.
  private func count() {
    do {
      try context.performAndWait {
        guard let counter = try context.all("Counter", sortedBy: "number").first else { return }
        context.refresh(counter, mergeChanges: false)
        while true {
          counter.setValue((counter.value(forKey: "shared") as? Int ?? 0) + 1, forKey: "shared")
          do { return try context.save() } catch let error as NSError
            where error.code == NSManagedObjectMergeError
          {
            account.conflicts += 1
            noteTime()
            context.refresh(counter, mergeChanges: false)
          }
        }
      }
      account.counted += 1
      account.acknowledged += 1
    } catch {
      note(error)
      account.countsInDoubt += 1
      context.performAndWait { context.reset() }
    }
  }
}
