import Dispatch
import Foundation
import Synchronization

/// How many contexts of a coordinator are at work at once on queues of their own; the others wait for their turn without a
/// thread.
///
/// What waits for a store holds a thread: one of ``WorkThreads``, since Dispatch has some 256 for everything that a program does
/// in the background, Swift's tasks included. A thread that has done a piece goes on with the next one: woken for each
/// piece, there would soon be more of them than places.
///
///     width   how many may begin now: a few as long as these keep the processors busy, up to `most` where they wait
///     most    what the coordinator was told
///     WorkPlaces   what all coordinators of the process have together
///
/// The width follows what happens while somebody waits, looked at every ten milliseconds: more than a few that compute only take
/// the processors from each other, and from everything else. It grows in any case as long as nothing ends, so that blocks
/// that wait for each other go on.
///
/// Sendable: `state` has its lock.
final class WorkLimit: Sendable {
  typealias Piece = @Sendable () -> Void

  /// Enough to keep a store busy, and few enough to leave threads to others.
  static let standard = 64

  /// Enough to keep the processors busy.
  fileprivate static let least = max(4, 2 * ProcessInfo.processInfo.activeProcessorCount)
  private static let pause = DispatchTimeInterval.milliseconds(10)
  private static let watch = DispatchQueue(label: "NSManagedObjectContext places")

  fileprivate struct State {
    var most = WorkLimit.standard
    var width = WorkLimit.least
    var running = 0
    var waiting = WaitingLine<Piece>()
    /// Whether the width is being looked at.
    var isWatched = false
    /// Since it was looked at.
    var hasEnded = false
    /// For how many looks nothing has ended while the processors were busy.
    var standstills = 0
  }

  private let state = Mutex(State())

  var most: Int {
    get { state.withLock { $0.most } }
    set {
      state.withLock { $0.most = max(1, newValue) }
      beginAll()
    }
  }

  /// Runs `piece` as soon as there is a place, on a thread that nobody else needs.
  func run(_ piece: @escaping Piece) {
    state.withLock { $0.waiting.append(piece) }
    beginAll()
  }

  /// The same for a piece that another one asks for: the thread that runs that one goes on with whatever is next.
  func runAfterThis(_ piece: @escaping Piece) { state.withLock { $0.waiting.append(piece) } }

  /// Begins as many as there are places for.
  func beginAll() {
    while let next = next() { WorkThreads.shared.run { self.work(next) } }
  }

  /// Runs a piece, and what is next as long as there is a place for it.
  private func work(_ first: @escaping Piece) {
    var piece: Piece? = first
    while let current = piece {
      current()
      leave()
      piece = next()
    }
  }

  private func leave() {
    state.withLock { state in
      state.running -= 1
      state.hasEnded = true
    }
    WorkPlaces.shared.leave()?.beginAll()
  }

  private func next() -> Piece? {
    let (next, isWatched) = state.withLock { state -> (Piece?, Bool) in
      guard !state.waiting.isEmpty else { return (nil, true) }
      if state.running < min(state.most, state.width),
        WorkPlaces.shared.enter(self, isFirst: state.running == 0)
      {
        state.running += 1
        return (state.waiting.takeFirst(), true)
      }
      defer { state.isWatched = true }
      return (nil, state.isWatched)
    }
    if !isWatched { lookLater(ProcessorTime()) }
    return next
  }

  private func lookLater(_ time: ProcessorTime) {
    Self.watch.asyncAfter(deadline: .now() + Self.pause) { self.look(time) }
  }

  private func look(_ last: ProcessorTime) {
    let time = ProcessorTime()
    let isBusy = time.isBusy(since: last)
    let goesOn = state.withLock { state in
      guard !state.waiting.isEmpty else {
        state.width = Self.least
        state.isWatched = false
        return false
      }
      state.adjust(isBusy: isBusy)
      return true
    }
    guard goesOn else { return }
    beginAll()
    lookLater(time)
  }
}

extension WorkLimit.State {
  mutating func adjust(isBusy: Bool) {
    standstills = isBusy && !hasEnded ? standstills + 1 : 0
    if !isBusy {
      width = min(max(most, WorkLimit.least), width * 2)
    } else if hasEnded {
      width = max(WorkLimit.least, width - width / 4)
    } else if standstills.isMultiple(of: 10) {
      width = min(max(most, WorkLimit.least), width + 1)
    }
    hasEnded = false
  }
}

/// What the process has used of the processors, at a time.
private struct ProcessorTime: Sendable {
  private let used: Double
  private let now: ContinuousClock.Instant

  init() {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    used = Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    now = .now
  }

  /// Whether most of what the machine has went to this process.
  func isBusy(since last: ProcessorTime) -> Bool {
    let length = (now - last.now) / .seconds(1)
    let cores = Double(ProcessInfo.processInfo.activeProcessorCount)
    return used - last.used > 0.6 * length * cores
  }
}
