import CoreData

/// How long a store waits for its server, seconds.
///
///     connecting   each host of the address; nil as the address says, or ten
///     silence      an answer, until the server is asked by another connection whether it is still at it
///     answer       an answer, whatever the server says of itself
///     request      all of a request: its turn, a connection, what is tried again
///
/// A timeout of the store's is all of them: nobody waits longer for any one thing. Without one a statement that takes long
/// is waited for as long as its server says that it is at it, which one that hangs does not.
struct TimeLimits: Sendable {
  let connecting: TimeInterval?
  let silence: TimeInterval
  private(set) var answer: TimeInterval
  let request: TimeInterval

  /// Until another server has taken the place of a primary.
  private static let patience: TimeInterval = 60

  /// - Parameter timeout: what was asked for; nil when nothing was said.
  init(_ timeout: TimeInterval?) {
    connecting = timeout
    silence = timeout ?? 20
    answer = timeout ?? .infinity
    request = timeout ?? Self.patience
  }

  init(
    connecting: TimeInterval?, silence: TimeInterval, answer: TimeInterval, request: TimeInterval
  ) {
    self.connecting = connecting
    self.silence = silence
    self.answer = answer
    self.request = request
  }

  /// Of a save, whose statements are short: who waits for so long waits for somebody that hangs.
  var ofSaves: TimeLimits {
    var limits = self
    limits.answer = min(answer, request)
    return limits
  }

  /// Of what takes as long as there are rows, whatever was asked for: migrations, copies.
  var ofLongWork: TimeLimits {
    var limits = self
    limits.answer = .infinity
    return limits
  }

  /// Of a server beside others that could answer as well.
  func ofOneOfSeveral(within patience: TimeInterval) -> TimeLimits {
    TimeLimits(
      connecting: min(connecting ?? .infinity, patience), silence: min(silence, patience),
      answer: answer, request: min(request, patience))
  }

  /// Of the question whether a server is still at what it was asked for.
  static let ofQuestion = TimeLimits(3)
}
