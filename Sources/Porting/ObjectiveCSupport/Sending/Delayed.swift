import Foundation
import Undo

extension NSObject {
  /// Calls a method by selector after a delay, from this thread's run loop in the default mode.
  /// Object and argument are retained until then.
  public func perform(
    _ aSelector: Selector, with anArgument: Any?, afterDelay delay: TimeInterval
  ) {
    perform(aSelector, with: anArgument, afterDelay: delay, inModes: [.default])
  }

  /// Calls a method by selector after a delay, from this thread's run loop in the given modes.
  public func perform(
    _ aSelector: Selector, with anArgument: Any?, afterDelay delay: TimeInterval,
    inModes modes: [RunLoop.Mode]
  ) {
    DelayedRequests.ofThisThread.add(
      DelayedRequest(target: self, selector: aSelector, argument: anArgument), delay, modes)
  }

  /// Cancels all delayed calls of this thread to an object.
  public class func cancelPreviousPerformRequests(withTarget aTarget: Any) {
    DelayedRequests.ofThisThread.cancel { $0.target === aTarget as AnyObject }
  }

  /// Cancels the delayed calls of this thread to one method with an equal argument.
  public class func cancelPreviousPerformRequests(
    withTarget aTarget: Any, selector aSelector: Selector, object anArgument: Any?
  ) {
    DelayedRequests.ofThisThread.cancel {
      $0.target === aTarget as AnyObject && $0.selector == aSelector
        && $0.isArgument(anArgument)
    }
  }

  /// Calls a method by selector on the main thread: directly if this is the main thread and `wait`
  /// is true, else through the main queue.
  public func performSelector(
    onMainThread aSelector: Selector, with arg: Any?, waitUntilDone wait: Bool
  ) {
    let request = DelayedRequest(target: self, selector: aSelector, argument: arg)
    switch (wait, Thread.isMainThread) {
    case (true, true): request.send()
    case (true, false): DispatchQueue.main.sync { request.send() }
    case (false, _): DispatchQueue.main.async { request.send() }
    }
  }

  /// Calls a method by selector on a new thread.
  public func performSelector(inBackground aSelector: Selector, with arg: Any?) {
    let request = DelayedRequest(target: self, selector: aSelector, argument: arg)
    Thread.detachNewThread { request.send() }
  }
}

/// A delayed call. Sendable as on Apple's systems: the caller is responsible for the safety of
/// calls on other threads.
private final class DelayedRequest: @unchecked Sendable {
  let target: AnyObject
  let selector: Selector
  private let argument: Any?

  init(target: AnyObject, selector: Selector, argument: Any?) {
    (self.target, self.selector, self.argument) = (target, selector, argument)
  }

  func send() {
    let takesOne = selector.description.hasSuffix(":")
    _ = Sending.call(selector, of: target, takesOne ? [argument] : [])
  }

  func isArgument(_ other: Any?) -> Bool {
    switch (argument, other) {
    case (nil, nil): true
    case (let one?, let other?):
      one as AnyObject === other as AnyObject
        || ((one as AnyObject) as? NSObject)?.isEqual(other as AnyObject) ?? false
    default: false
    }
  }
}

/// The delayed calls of a thread, stored in its thread dictionary.
private final class DelayedRequests {
  private var timers: [ObjectIdentifier: (request: DelayedRequest, timer: Timer)] = [:]

  static var ofThisThread: DelayedRequests {
    let dictionary = Thread.current.threadDictionary
    let key = "ObjectiveCSupport.delayed"
    if let known = dictionary[key] as? DelayedRequests { return known }
    let new = DelayedRequests()
    dictionary[key] = new
    return new
  }

  func add(_ request: DelayedRequest, _ delay: TimeInterval, _ modes: [RunLoop.Mode]) {
    let timer = Timer(timeInterval: max(delay, 0), repeats: false) { _ in
      // The timer fires on the thread that created it.
      DelayedRequests.ofThisThread.timers[ObjectIdentifier(request)] = nil
      request.send()
    }
    timers[ObjectIdentifier(request)] = (request, timer)
    for mode in modes { RunLoop.current.add(timer, forMode: mode) }
  }

  func cancel(where isMeant: (DelayedRequest) -> Bool) {
    for (identity, (request, timer)) in timers where isMeant(request) {
      timer.invalidate()
      timers[identity] = nil
    }
  }
}
