import Foundation
import Undo

extension UndoManager {
  /// Registers a method call, with its argument, that undoes a change. The target is not retained.
  public func registerUndo(withTarget target: Any, selector: Selector, object anObject: Any?) {
    registerUndo(withTarget: target as AnyObject) { target in
      _ = Sending.call(selector, of: target, [anObject])
    }
  }

  /// Registers a call that undoes a change, with its arguments, which are evaluated immediately.
  /// Replaces `prepare(withInvocationTarget:)` in ported sources.
  public func prepareInvocation<Target: AnyObject, each Argument>(
    _ target: Target, _ arguments: repeat each Argument,
    invocation: @escaping (Target, repeat each Argument) -> Void
  ) {
    registerUndo(withTarget: target) { target in invocation(target, repeat each arguments) }
  }
}
