import Foundation
import Undo

/// Adds initialisers with target and selector to `Timer`, which return instances of a subclass.
public protocol TargetTimerFactory {}

extension Timer: TargetTimerFactory {
  /// Creates a timer that calls a method and adds it to the current run loop. The timer retains the
  /// object until it ends.
  @discardableResult public class func scheduledTimer(
    timeInterval ti: TimeInterval, target aTarget: Any, selector aSelector: Selector,
    userInfo: Any?,
    repeats yesOrNo: Bool
  ) -> Timer {
    let timer = Timer(
      timeInterval: ti, target: aTarget, selector: aSelector, userInfo: userInfo, repeats: yesOrNo)
    RunLoop.current.add(timer, forMode: .default)
    return timer
  }
}

extension TargetTimerFactory where Self: Timer {
  /// Creates a timer that calls a method, to be added to a run loop. The timer retains the object
  /// until it ends.
  public init(
    timeInterval ti: TimeInterval, target aTarget: Any, selector aSelector: Selector,
    userInfo: Any?,
    repeats yesOrNo: Bool
  ) {
    self.init(
      fireAt: Date(timeIntervalSinceNow: ti), interval: ti, target: aTarget, selector: aSelector,
      userInfo: userInfo, repeats: yesOrNo)
  }

  /// Creates a timer that calls a method and first fires at a date. The timer retains the object
  /// until it ends.
  public init(
    fireAt date: Date, interval ti: TimeInterval, target t: Any, selector s: Selector,
    userInfo ui: Any?, repeats rep: Bool
  ) {
    // Sound: the timer fires on the thread of its run loop, where it would call the object.
    nonisolated(unsafe) let target = t as AnyObject
    let timer = TargetTimer(fire: date, interval: ti, repeats: rep) { timer in
      _ = Sending.call(s, of: target, [timer])
    }
    timer.info = ui
    self = timer as! Self
  }
}

/// A timer with user info.
private final class TargetTimer: Timer {
  var info: Any?

  override var userInfo: Any? { info }
}
