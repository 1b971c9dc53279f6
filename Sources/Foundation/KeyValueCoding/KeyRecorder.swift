import Foundation

/// The keys that were read from a probe's accessors, in order.
///
/// Used by one thread, for one reading of one key path.
package final class KeyRecorder {
  package private(set) var keys: [String] = []
  /// Ends the reading when an accessor has no value to return; nil if accessors must return.
  private let end: (() -> Never)?

  package init(end: (() -> Never)? = nil) { self.end = end }

  package func record(_ key: String) { keys.append(key) }

  /// Records a key, unless it is the last one recorded: the accessor may have announced it before.
  package func recordOnce(_ key: String) {
    if keys.last != key { keys.append(key) }
  }

  /// The value that an accessor of a type returns. If there is no value of the type, `end` ends the
  /// reading: all keys that can be known are recorded by then. Traps without `end`.
  package func value<T>(_ type: T.Type) -> T {
    if let value = SampleValue.make(type) { return value }
    if let end { end() }
    fatalError(
      "The key path leads on from “\(keys.joined(separator: "."))”, a \(type), of which nothing "
        + "further can be known here. Write the path as a string.")
  }
}

/// Reads key paths from a probe.
enum KeyPathReading {
  /// The keys that were read from a class's accessors; empty if the class has no probe.
  static func keys(of keyPath: AnyKeyPath, from root: any KeyPathProbe.Type) -> [String] {
    let type = type(of: keyPath).valueType
    if type is any KeyPathProbe.Type || SampleValue.exists(type) {
      let recorder = KeyRecorder()
      read(keyPath, from: root, recorder: recorder)
      return recorder.keys
    }
    return keysUpToEnd(of: keyPath, from: root)
  }

  private static func read(
    _ keyPath: AnyKeyPath, from root: any KeyPathProbe.Type, recorder: KeyRecorder
  ) {
    guard let probe = root.makeProbe(recorder: recorder) else { return }
    _ = (probe as Any)[keyPath: keyPath]
  }

  /// The keys of a path whose last accessor has to return a value that cannot be made. That
  /// accessor never returns: a thread of its own waits in it until the process ends. That happens
  /// once per key path.
  private static func keysUpToEnd(
    of keyPath: AnyKeyPath, from root: any KeyPathProbe.Type
  ) -> [String] {
    let ended = DispatchSemaphore(value: 0)
    // Only the new thread uses the recorder until it signals; only this thread after that.
    nonisolated(unsafe) let recorder = KeyRecorder {
      ended.signal()
      while true { sleep(.max) }
    }
    // Key paths and classes never change.
    nonisolated(unsafe) let (keyPath, root) = (keyPath, root)
    let thread = Thread {
      read(keyPath, from: root, recorder: recorder)
      ended.signal()
    }
    thread.stackSize = 1 << 18
    thread.start()
    ended.wait()
    return recorder.keys
  }
}
