import Foundation

/// Writes down the keys that a probe's accessors are asked for, in the order of asking.
///
/// Used by one thread, for one reading of one key path.
package final class KeyRecorder {
  package private(set) var keys: [String] = []
  /// Ends the reading where an accessor has nothing to return; nil where it must return.
  private let end: (() -> Never)?

  package init(end: (() -> Never)? = nil) { self.end = end }

  package func record(_ key: String) { keys.append(key) }

  /// For an accessor that may have been announced: a key is written down once.
  package func recordOnce(_ key: String) {
    if keys.last != key { keys.append(key) }
  }

  /// What an accessor of a type returns. The reading ends in it when there is no value of the type: all keys
  /// that can be known are known by then.
  package func value<T>(_ type: T.Type) -> T {
    if let value = SampleValue.make(type) { return value }
    if let end { end() }
    fatalError(
      "The key path leads on from “\(keys.joined(separator: "."))”, a \(type), of which nothing "
        + "further can be known here. Write the path as a string.")
  }
}

/// The reading of a key path from a probe.
enum KeyPathReading {
  /// The keys that a class's accessors were asked for; empty when it has no probe.
  static func keys(of keyPath: AnyKeyPath, from root: any KeyPathProbe.Type) -> [String] {
    let type = type(of: keyPath).valueType
    if type is any KeyPathProbe.Type || SampleValue.exists(type) {
      let recorder = KeyRecorder()
      read(keyPath, from: root, recorder)
      return recorder.keys
    }
    return keysUpToEnd(of: keyPath, from: root)
  }

  private static func read(
    _ keyPath: AnyKeyPath, from root: any KeyPathProbe.Type, _ recorder: KeyRecorder
  ) {
    guard let probe = root.makeProbe(recorder: recorder) else { return }
    _ = (probe as Any)[keyPath: keyPath]
  }

  /// The last accessor has to return a value of a type that none can be made of. So it never returns: a thread
  /// of its own waits in it to the end of the process. That happens once for such a key path.
  private static func keysUpToEnd(
    of keyPath: AnyKeyPath, from root: any KeyPathProbe.Type
  ) -> [String] {
    let ended = DispatchSemaphore(value: 0)
    // Used by the thread alone until it has signalled, and by this one after that.
    nonisolated(unsafe) let recorder = KeyRecorder {
      ended.signal()
      while true { sleep(.max) }
    }
    // Key paths and classes never change.
    nonisolated(unsafe) let (keyPath, root) = (keyPath, root)
    let thread = Thread {
      read(keyPath, from: root, recorder)
      ended.signal()
    }
    thread.stackSize = 1 << 18
    thread.start()
    ended.wait()
    return recorder.keys
  }
}
