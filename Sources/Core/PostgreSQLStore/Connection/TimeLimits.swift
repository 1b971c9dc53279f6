import CoreData

/// Time limits for the server, in seconds.
///
///     connecting   for each host of the address; nil for the address's own limit, or 10
///     silence      without data, until another connection checks whether the server still works
///     answer       without data, whatever the server reports
///     request      for a whole request: waiting for a connection, and retries
///
/// A timeout of the store sets all of these limits. Without one, a long statement may run for as
/// long as its server reports that it works on it; a hanging server does not report that.
struct TimeLimits: Sendable {
  let connecting: TimeInterval?
  let silence: TimeInterval
  private(set) var answer: TimeInterval
  let request: TimeInterval

  /// Seconds within which a failover should have replaced the primary.
  private static let patience: TimeInterval = 60

  /// - Parameter timeout: the store's timeout; nil for the defaults.
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

  /// For saves, whose statements are short: a long wait means that another transaction hangs.
  var ofSaves: TimeLimits {
    var limits = self
    limits.answer = min(answer, request)
    return limits
  }

  /// For migrations and copies, whose duration depends on the number of rows, regardless of the
  /// store's timeout.
  var ofLongWork: TimeLimits {
    var limits = self
    limits.answer = .infinity
    return limits
  }

  /// For one of several servers that could answer a request.
  func ofOneOfSeveral(within patience: TimeInterval) -> TimeLimits {
    TimeLimits(
      connecting: min(connecting ?? .infinity, patience), silence: min(silence, patience),
      answer: answer, request: min(request, patience))
  }

  /// For the check whether a server still works on a statement.
  static let ofQuestion = TimeLimits(3)
}
