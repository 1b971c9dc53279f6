import Foundation
import Undo

/// Lets a timer be made with a target and a selector, as one of another class.
public protocol TargetTimerFactory {}

extension Timer: TargetTimerFactory {
  /// A timer of the current run loop that calls an object's method. It keeps the object alive until it ends.
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
  /// A timer to be added to a run loop, which calls an object's method. It keeps the object alive until it ends.
  public init(
    timeInterval ti: TimeInterval, target aTarget: Any, selector aSelector: Selector,
    userInfo: Any?,
    repeats yesOrNo: Bool
  ) {
    self.init(
      fireAt: Date(timeIntervalSinceNow: ti), interval: ti, target: aTarget, selector: aSelector,
      userInfo: userInfo, repeats: yesOrNo)
  }

  /// The same, fired for the first time at a date.
  public init(
    fireAt date: Date, interval ti: TimeInterval, target t: Any, selector s: Selector,
    userInfo ui: Any?, repeats rep: Bool
  ) {
    // Sound because the timer fires on the thread of its run loop, as it would call the object.
    nonisolated(unsafe) let target = t as AnyObject
    let timer = TargetTimer(fire: date, interval: ti, repeats: rep) { timer in
      _ = Sending.call(s, of: target, [timer])
    }
    timer.info = ui
    self = timer as! Self
  }
}

/// A timer with an object for whoever it calls.
private final class TargetTimer: Timer {
  var info: Any?

  override var userInfo: Any? { info }
}
