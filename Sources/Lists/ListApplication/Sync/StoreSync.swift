import CoreData
import CoreDataSync
import Foundation

#if canImport(UIKit)
  import UIKit
#else
  import ListKit
#endif

/// Syncs the store of an application: an engine, what it says in each window, and a switch to go
/// offline.
@MainActor
final class StoreSync {
  private let engine: SyncEngine
  private let line: SyncSwitch
  private let words: SyncWords
  /// Repairs what devices have made of the store together, each by itself.
  private let mend: (@Sendable (NSManagedObjectContext) throws -> [String])?
  private let say: (String) -> Void
  private let background: NSManagedObjectContext
  private var windows: [WeakLine] = []
  private var following: Task<Void, Never>?
  /// The begin of the sync that goes on.
  private var begin: ContinuousClock.Instant?
  private var told = 0
  private var complaint: String?
  private var mended: Date?
  /// Messages for the next window.
  private var waiting: [String] = []

  private struct WeakLine {
    weak var line: SyncLine?
  }

  /// The time between two drawings of the line.
  private static let pause = Duration.milliseconds(200)
  /// The time after which a sync is said to go on. Most are shorter, and nothing to look at.
  private static let patience = Duration.milliseconds(500)

  /// - Parameters:
  ///   - say: writes a line to standard error.
  ///   - mend: called after changes of other devices.
  init(
    _ target: SyncTarget, stack: PersistentStack, configuration: SyncConfiguration,
    mend: (@Sendable (NSManagedObjectContext) throws -> [String])?,
    say: @escaping (String) -> Void
  ) {
    line = SyncSwitch(URLSessionSyncTransport(server: target.server, key: target.key))
    var configuration = configuration
    configuration.zone = target.zone
    engine = SyncEngine(
      coordinator: stack.persistentStoreCoordinator, configuration: configuration, transport: line)
    words = SyncWords(coordinator: stack.persistentStoreCoordinator)
    background = stack.makeBackgroundContext()
    self.mend = mend
    self.say = say
  }

  func start() async {
    await engine.start()
    let statuses = engine.statuses
    following = Task { [weak self] in
      for await status in statuses {
        guard let self else { return }
        show(status)
        // Ends with the task.
        try? await Task.sleep(for: Self.pause)
      }
    }
  }

  /// Ends the engine. What is not sent now is sent at the next start.
  func close() async {
    following?.cancel()
    let (ends, end) = AsyncStream.makeStream(of: Void.self)
    Task { [engine] in
      // A file that cannot be closed ends with the process.
      try? await engine.close()
      end.finish()
    }
    // The process ends, whatever the engine waits for: saves are in the store by now.
    let limit = Task {
      try? await Task.sleep(for: .seconds(5))
      end.finish()
    }
    for await _ in ends {}
    limit.cancel()
  }

  // MARK: - Windows

  /// Shows in a window what sync is doing.
  func add(to root: UIViewController) -> SyncLine? {
    let columns = root as? ColumnsController
    guard columns != nil || root is UINavigationController else { return nil }
    let line = SyncLine(root) { [weak self] in self?.turn() }
    columns?.onChange = { [weak line] in line?.drawAgain() }
    windows.removeAll { $0.line == nil }
    windows.append(WeakLine(line: line))
    line.show(SyncWords.line(engine.status, isOn: self.line.isOn), isOn: self.line.isOn)
    return line
  }

  /// What there was to tell when nobody looked.
  func takeNews() -> [String] {
    defer { waiting = [] }
    return waiting
  }

  private func turn() {
    line.turn(on: !line.isOn)
    show(engine.status)
    // The status says what came of it.
    Task { [engine] in try? await engine.syncNow() }
  }

  private func show(_ status: SyncStatus) {
    time(status)
    let lasts = begin.map { .now - $0 >= Self.patience } ?? false
    let text = SyncWords.line(status, isOn: line.isOn, lasts: lasts)
    for window in windows { window.line?.show(text, isOn: line.isOn) }
    tell(status)
    complain(status)
    if let last = status.lastSync, last != mended, status.activity == .idle {
      mended = last
      repair()
    }
  }

  /// Measures how long a sync takes, and has it shown when that is long. What another program has
  /// saved is counted only once it has been read.
  private func time(_ status: SyncStatus) {
    guard status.activity == .syncing else {
      begin = nil
      return
    }
    guard begin == nil else { return }
    begin = .now
    Task { [weak self] in
      // Nobody cancels it.
      try? await Task.sleep(for: Self.patience)
      guard let self, engine.status.activity == .syncing else { return }
      show(engine.status)
    }
  }

  private func tell(_ status: SyncStatus) {
    let count = min(status.lossCount - told, status.losses.count)
    told = status.lossCount
    guard count > 0 else { return }
    let losses = Array(status.losses.suffix(count))
    Task { [background, words] in
      let messages = await background.perform {
        defer { background.reset() }
        return words.messages(losses, in: background)
      }
      announce(messages)
    }
  }

  private func announce(_ messages: [String]) {
    let lines = windows.compactMap(\.line)
    if lines.isEmpty { waiting = (waiting + messages).suffix(10) }
    for message in messages { for line in lines { line.tell(message) } }
  }

  /// What needs somebody to do something, once.
  private func complain(_ status: SyncStatus) {
    guard case .stopped(let reason) = status.activity else {
      if status.activity == .idle { complaint = nil }
      return
    }
    guard complaint != reason else { return }
    complaint = reason
    say("not synced: \(reason)")
  }

  private func repair() {
    guard let mend else { return }
    Task { [background, weak self] in
      do {
        let messages = try await background.perform {
          defer { background.reset() }
          return try mend(background)
        }
        self?.announce(messages)
      } catch {
        self?.say("not mended: \(error.localizedDescription)")
      }
    }
  }
}

/// The zone of a server that a store is synced with.
struct SyncTarget: Sendable {
  let server: URL
  let zone: String
  let key: String
}
