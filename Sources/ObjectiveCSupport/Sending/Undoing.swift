import Foundation
import Undo

extension UndoManager {
  /// Registers a method that undoes a change, with its argument. The target is not kept alive.
  public func registerUndo(withTarget target: Any, selector: Selector, object anObject: Any?) {
    registerUndo(withTarget: target as AnyObject) { target in
      _ = Sending.call(selector, of: target, [anObject])
    }
  }

  /// What `prepare(withInvocationTarget:)` is in ported sources: registers a call with its arguments, which are computed
  /// at once.
  public func prepareInvocation<Target: AnyObject, each Argument>(
    _ target: Target, _ arguments: repeat each Argument,
    invocation: @escaping (Target, repeat each Argument) -> Void
  ) {
    registerUndo(withTarget: target) { target in invocation(target, repeat each arguments) }
  }
}
