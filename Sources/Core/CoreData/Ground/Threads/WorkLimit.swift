import Dispatch
import Foundation
import Synchronization

/// The limit for contexts of one coordinator that run at once on private queues; the others wait in
/// line without a thread.
///
/// A block that waits for a store holds a thread: one of ``WorkThreads``, since Dispatch has some
/// 256 threads for all background work of a program, Swift's tasks included. A thread that has
/// finished a block continues with the next one: waking a thread per block would soon need more
/// threads than there are places.
///
///     width        how many blocks may run now: few while these keep the processors busy, up to
///                  `most` while they wait
///     most         the limit set on the coordinator
///     WorkPlaces   the limit for all coordinators of the process together
///
/// While blocks wait, the width is adjusted every ten milliseconds: more than a few blocks that
/// compute only compete for the processors. If no block ends it grows regardless, so that blocks
/// that wait for each other make progress.
///
/// Sendable: `state` has a lock.
final class WorkLimit: Sendable {
  typealias Piece = @Sendable () -> Void

  /// Enough to keep a store busy, and few enough to leave threads to others.
  static let standard = 64

  /// The smallest width: enough to keep the processors busy.
  fileprivate static let least = max(4, 2 * ProcessInfo.processInfo.activeProcessorCount)
  private static let pause = DispatchTimeInterval.milliseconds(10)
  private static let watch = DispatchQueue(label: "NSManagedObjectContext places")

  fileprivate struct State {
    var most = WorkLimit.standard
    var width = WorkLimit.least
    var running = 0
    var waiting = WaitingLine<Piece>()
    /// Whether the periodic adjustment is scheduled.
    var isWatched = false
    /// Whether a block has ended since the last adjustment.
    var hasEnded = false
    /// The number of adjustments in a row at which the processors were busy and no block had ended.
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

  /// Runs `piece` as soon as the limits allow, on a thread of ``WorkThreads``.
  func run(_ piece: @escaping Piece) {
    state.withLock { $0.waiting.append(piece) }
    beginAll()
  }

  /// Queues a piece from inside another one: the thread of that piece goes on with the next piece
  /// in line.
  func runAfterThis(_ piece: @escaping Piece) { state.withLock { $0.waiting.append(piece) } }

  /// Starts as many waiting pieces as the limits allow.
  func beginAll() {
    while let next = next() { WorkThreads.shared.run { self.work(next) } }
  }

  /// Runs a piece, then the next ones in line for as long as the limits allow.
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

/// The processor time that the process has used, at one moment.
private struct ProcessorTime: Sendable {
  private let used: Double
  private let now: ContinuousClock.Instant

  init() {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    used = Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    now = .now
  }

  /// True if this process has used most of the machine's processor time since `last`.
  func isBusy(since last: ProcessorTime) -> Bool {
    let length = (now - last.now) / .seconds(1)
    let cores = Double(ProcessInfo.processInfo.activeProcessorCount)
    return used - last.used > 0.6 * length * cores
  }
}
