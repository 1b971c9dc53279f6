import Foundation

/// A part of an engine's work.
enum SyncPhase: Hashable, Sendable {
  /// The store is opened and the server says who it is: once.
  case setup
  /// Changes of others come into the application's store.
  case importing
  /// Changes of the application's store are sent.
  case exporting
}

/// Is told of an engine's work, one part after the other. Called on the engine.
protocol SyncPhaseListener: AnyObject, Sendable {
  func began(_ phase: SyncPhase, at start: Date)
  /// The phase that began last is over.
  func ended(with error: (any Error)?)
}

/// Tells the parts of an engine's work that did something or failed: a pull that brings nothing is
/// no import, and an attempt that fails as the one before is not told again.
struct SyncPhases {
  private struct Failure: Hashable {
    let phase: SyncPhase
    let text: String
  }
  private let listener: (any SyncPhaseListener)?
  private var isSetUp = false
  /// What is tried, and is told once it does something.
  private var tried = SyncPhase.setup
  private var since = Date()
  private var isTold = false
  /// What was told last, until something succeeds.
  private var failure: Failure?

  init(_ listener: (any SyncPhaseListener)?) { self.listener = listener }

  /// Something is tried; what was tried before has been done. Until the set-up is over it is the
  /// set-up that is tried.
  mutating func attempt(_ phase: SyncPhase) {
    let phase = isSetUp ? phase : .setup
    guard !isTold || phase != tried else { return }
    end(with: nil)
    tried = phase
    since = Date()
  }

  /// What is tried does something.
  mutating func begin() {
    if isTold { return }
    isTold = true
    listener?.began(tried, at: since)
  }

  /// The engine is set up.
  mutating func setUp() {
    if isSetUp { return }
    begin()
    end(with: nil)
    isSetUp = true
  }

  /// Everything is done. After a failure that is told even if there was nothing to do.
  mutating func succeed() {
    end(with: nil)
    guard let failure else { return }
    attempt(failure.phase)
    begin()
    end(with: nil)
  }

  mutating func fail(_ error: any Error) {
    let failure = Failure(phase: tried, text: "\(error)")
    let isEnd = error is CancellationError || error as? SyncError == .ended
    guard isTold || failure != self.failure && !isEnd else { return }
    begin()
    end(with: error)
    self.failure = failure
  }

  private mutating func end(with error: (any Error)?) {
    guard isTold else { return }
    isTold = false
    if error == nil { failure = nil }
    listener?.ended(with: error)
  }
}
