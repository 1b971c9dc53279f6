import Foundation

@testable import CoreDataSync

/// Where an engine stands still: between two steps, or waiting for the server.
enum Stop {
  case step(EngineStep)
  case push(PushMessage)
  case pull(PullRequest)
  /// The engine has ended, with an error if it is not a crash.
  case ended((any Error)?)
}

/// How an engine goes on from there.
enum Go {
  case on
  case pushed(Pushed)
  case pulled(Pulled)
  /// No answer has come.
  case unanswered
  /// The server, or what is before it, takes less at once.
  case tooLarge
  case crash
}

struct Crash: Error {}

/// Lets an engine and its test take turns: one of the two runs at a time.
///
/// Sendable: the lock guards everything.
final class Gate: @unchecked Sendable {
  private let lock = NSLock()
  private var stop: Stop?
  private var stopWaiter: CheckedContinuation<Stop, Never>?
  private var go: Go?
  private var goWaiter: CheckedContinuation<Go, Never>?
  /// A crash ends whatever comes after it.
  private var hasCrashed = false

  /// The engine stands still until it is told to go on.
  func pause(_ stop: Stop) async -> Go {
    if lock.withLock({ hasCrashed }) { return .crash }
    return await withCheckedContinuation { continuation in
      let waiter = lock.withLock {
        goWaiter = continuation
        let waiter = stopWaiter
        stopWaiter = nil
        if waiter == nil { self.stop = stop }
        return waiter
      }
      waiter?.resume(returning: stop)
    }
  }

  /// The engine has ended.
  func end(_ error: (any Error)?) {
    let waiter = lock.withLock {
      let waiter = stopWaiter
      stopWaiter = nil
      if waiter == nil { stop = .ended(error) }
      return waiter
    }
    waiter?.resume(returning: .ended(error))
  }

  /// Waits until the engine stands still for the first time.
  func firstStop() async -> Stop { await nextStop() }

  /// Lets the engine go on to where it stands still again.
  func resume(_ go: Go) async -> Stop {
    let waiter = lock.withLock {
      let waiter = goWaiter
      goWaiter = nil
      if case .crash = go { hasCrashed = true }
      return waiter
    }
    waiter?.resume(returning: go)
    return await nextStop()
  }

  private func nextStop() async -> Stop {
    await withCheckedContinuation { continuation in
      let stop = lock.withLock { () -> Stop? in
        if let stop = self.stop {
          self.stop = nil
          return stop
        }
        stopWaiter = continuation
        return nil
      }
      if let stop { continuation.resume(returning: stop) }
    }
  }
}

/// A network whose every message stops at the gate.
struct GatedTransport: SyncTransport {
  let gate: Gate
  let welcome: @Sendable () -> SyncWelcome

  func greet(_ greeting: SyncGreeting) async throws -> SyncWelcome { welcome() }

  func push(_ message: PushMessage) async throws -> Pushed {
    switch await gate.pause(.push(message)) {
    case .pushed(let answer): return answer
    case .tooLarge: throw SyncTransportError(.tooLarge, message: "too large")
    case .crash: throw Crash()
    default: throw SyncTransportError(.unreachable, message: "lost")
    }
  }

  func pull(_ request: PullRequest) async throws -> Pulled {
    switch await gate.pause(.pull(request)) {
    case .pulled(let answer): return answer
    case .crash: throw Crash()
    default: throw SyncTransportError(.unreachable, message: "lost")
    }
  }

  func changes(in zones: [String]) -> AsyncThrowingStream<SyncWakeUp, any Error> {
    AsyncThrowingStream { $0.finish() }
  }
}
