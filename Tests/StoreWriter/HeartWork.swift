import CoreData
import Synchronization

/// Many tasks at once ask for a store, while another one does nothing but beat each ten milliseconds.
///
///     background   performBackgroundTask of a container
///     perform      await perform of a context for each task
///
/// Begins when it is told a line, and prints a ``Report`` when the last task has ended.
final class HeartWork: Sendable {
  enum Call: String, Sendable, CaseIterable { case background, perform }

  enum Kind: String, Sendable {
    /// Fetches and saves.
    case save
    /// Counts.
    case count
  }

  struct Report: Codable, Sendable {
    var failures = 0
    /// Milliseconds between two beats: the longest, and as long as all but one in a hundred.
    var longestGap = 0.0
    var usualGap = 0.0
    var beats = 0
    /// How many threads the process had at most.
    var threads = 0
    /// Seconds from the first task to the last.
    var time = 0.0
  }

  private let container: NSPersistentContainer
  private let call: Call
  private let kind: Kind

  init(_ url: URL, _ call: Call, _ kind: Kind, timeout: TimeInterval) throws {
    (self.call, self.kind) = (call, kind)
    container = NSPersistentContainer(name: "Notes", managedObjectModel: WriterModel.make())
    let description = NSPersistentStoreDescription(url: url)
    if !url.isFileURL { description.type = "PostgreSQL" }
    description.timeout = timeout
    container.persistentStoreDescriptions = [description]
    var failure: (any Error)?
    container.loadPersistentStores { failure = $1 }
    if let failure { throw failure }
    let context = container.newBackgroundContext()
    try context.performAndWait { _ = try context.all("Note", sortedBy: "code") }
  }

  func run(tasks: Int) throws {
    StoreWriter.tell("ready")
    guard readLine() != nil else { return }
    let pulse = Pulse()
    let end = DispatchSemaphore(value: 0)
    Task.detached {
      let start = ContinuousClock.now
      let heart = Task.detached {
        var last = ContinuousClock.now
        while !Task.isCancelled {
          try? await Task.sleep(for: .milliseconds(10))
          let now = ContinuousClock.now
          pulse.append((now - last) / .milliseconds(1))
          last = now
          pulse.report.withLock { $0.threads = max($0.threads, Self.threads) }
        }
      }
      // It beats before there is anything to do.
      try? await Task.sleep(for: .milliseconds(50))
      await withTaskGroup(of: Bool.self) { group in
        for number in 0..<tasks { group.addTask { await self.work(number) } }
        for await isDone in group where !isDone { pulse.report.withLock { $0.failures += 1 } }
      }
      heart.cancel()
      pulse.report.withLock { $0.time = (ContinuousClock.now - start) / .seconds(1) }
      end.signal()
    }
    end.wait()
    let line = try JSONEncoder().encode(pulse.result)
    StoreWriter.tell(String(decoding: line, as: UTF8.self))
  }

  private final class Pulse: Sendable {
    let report = Mutex(Report())
    private let gaps = Mutex<[Double]>([])

    func append(_ gap: Double) { gaps.withLock { $0.append(gap) } }

    var result: Report {
      var report = report.withLock { $0 }
      let sorted = gaps.withLock { $0.sorted() }
      report.beats = sorted.count
      report.longestGap = sorted.last ?? 0
      report.usualGap = sorted.isEmpty ? 0 : sorted[sorted.count * 99 / 100]
      return report
    }
  }

  private func work(_ number: Int) async -> Bool {
    do {
      switch call {
      case .background:
        try await container.performBackgroundTask { try self.work(number, $0) }
      case .perform:
        let context = container.newBackgroundContext()
        try await context.perform { try self.work(number, context) }
      }
      return true
    } catch { return false }
  }

  private func work(_ number: Int, _ context: NSManagedObjectContext) throws {
    if kind == .save { context.insert("Note", ["code": "\(number)", "text": "a"]) }
    if kind == .save { try context.save() }
    _ = try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Note"))
  }

  private static var threads: Int {
    (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count) ?? 0
  }
}
