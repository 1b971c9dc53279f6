import CoreData
import Synchronization

/// Lets the windows of a store take over what others have saved, one window after the other.
///
///     save ─► every other window waits ─► slices of the main queue, the longest waiting first
///                                          └ a window takes over all that was saved meanwhile
///
/// Between two slices the main queue is everybody's: a user's deed waits for the windows of some of
/// the others, not of all. Each window has its turn the more seldom the more windows there are, and
/// then takes over several saves at once. A window whose user does something takes over everything
/// before it (`SavingScene`).
///
/// Sendable: its state is guarded by the lock; merges happen on the main queue.
final class MergePace: Sendable {
  /// The longest time that the windows of others keep the main queue at once.
  private static let slice = Duration.milliseconds(3)
  /// The share of the main queue's time that is left to everything else.
  private static let rest = 0.3
  /// The time that a window has at least, on average: of 500 windows each has ten turns a second.
  private static let turn = Duration.microseconds(200)

  private struct Follower {
    weak var context: WindowContext?
  }

  private struct State {
    /// In the order in which they began to wait, from `first` on.
    var waiting: [Follower] = []
    var first = 0
    /// Whether a slice is scheduled or running.
    var isRunning = false
    /// The earliest time of the next slice.
    var earliest = ContinuousClock.now

    mutating func next() -> Follower? {
      guard first < waiting.count else {
        waiting.removeAll(keepingCapacity: true)
        first = 0
        return nil
      }
      first += 1
      return waiting[first - 1]
    }
  }

  private let state = Mutex(State())

  /// Makes a context merge in its turn, which it must do automatically.
  func add(_ context: WindowContext) {
    let ask: @Sendable () -> Void = { [weak self, weak context] in
      if let context { self?.wait(context) }
    }
    context.askForTurn = ask
    context.mergeOnRequest(ask)
  }

  private func wait(_ context: WindowContext) {
    let start: ContinuousClock.Instant? = state.withLock { state in
      state.waiting.append(Follower(context: context))
      if state.isRunning { return nil }
      state.isRunning = true
      return state.earliest
    }
    if let start { schedule(at: start) }
  }

  private func schedule(at time: ContinuousClock.Instant) {
    let wait = time - .now
    guard wait > .zero else { return DispatchQueue.main.async { self.run() } }
    DispatchQueue.main.asyncAfter(deadline: .now() + wait / .seconds(1)) { self.run() }
  }

  /// Gives windows their turns for one slice.
  private func run() {
    let began = ContinuousClock.now
    var count = 0
    MainActor.assumeIsolated {
      repeat {
        guard let follower = state.withLock({ $0.next() }) else { break }
        follower.context?.takeTurn()
        count += 1
      } while .now - began < Self.slice
    }
    let ended = ContinuousClock.now
    let share = (ended - began) * (Self.rest / (1 - Self.rest))
    let earliest = max(ended + share, began + Self.turn * count)
    let isDone = state.withLock { state in
      state.earliest = earliest
      state.isRunning = state.first < state.waiting.count
      return !state.isRunning
    }
    if !isDone { schedule(at: earliest) }
  }
}
