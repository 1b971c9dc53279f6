import CoreDataSync
import Foundation
import Synchronization

/// A line to the server that the user can interrupt: for the engine the server is away then, so it
/// goes on counting what is to be sent.
final class SyncSwitch: SyncTransport {
  private typealias Stream = AsyncThrowingStream<SyncWakeUp, any Error>.Continuation

  private struct State {
    var isOn = true
    var last = 0
    /// Streams of wake-ups that end when the switch is turned.
    var streams: [Int: Stream] = [:]
  }

  private let base: any SyncTransport
  private let state = Mutex(State())

  init(_ base: any SyncTransport) { self.base = base }

  /// The reason in the engine's status while the switch is off.
  static let reason = "You are offline."

  var isOn: Bool { state.withLock(\.isOn) }

  func turn(on isOn: Bool) {
    let streams = state.withLock { state in
      guard state.isOn != isOn else { return [Stream]() }
      state.isOn = isOn
      defer { state.streams = [:] }
      return Array(state.streams.values)
    }
    for stream in streams { stream.finish() }
  }

  private func check() throws {
    if !isOn { throw SyncTransportError(.unreachable, message: Self.reason) }
  }

  func greet(_ greeting: SyncGreeting) async throws -> SyncWelcome {
    try check()
    return try await base.greet(greeting)
  }

  func push(_ message: PushMessage) async throws -> Pushed {
    try check()
    return try await base.push(message)
  }

  func pull(_ request: PullRequest) async throws -> Pulled {
    try check()
    return try await base.pull(request)
  }

  /// While the switch is off, the stream is silent.
  func changes(in zones: [String]) -> AsyncThrowingStream<SyncWakeUp, any Error> {
    let (stream, continuation) = AsyncThrowingStream.makeStream(
      of: SyncWakeUp.self, bufferingPolicy: .bufferingNewest(64))
    let (number, isOn) = state.withLock { state in
      state.last += 1
      state.streams[state.last] = continuation
      return (state.last, state.isOn)
    }
    let forwarding = isOn ? Task { await forward(zones, to: continuation) } : nil
    continuation.onTermination = { [weak self] _ in
      forwarding?.cancel()
      self?.state.withLock { _ = $0.streams.removeValue(forKey: number) }
    }
    return stream
  }

  private func forward(_ zones: [String], to continuation: Stream) async {
    do {
      for try await wakeUp in base.changes(in: zones) { continuation.yield(wakeUp) }
      continuation.finish()
    } catch {
      continuation.finish(throwing: error)
    }
  }
}
