/// The methods of observing with the types that they have on Apple's systems, where every object
/// can observe: a protocol of a program's own, which a test's stand-in and `NSManagedObject`
/// conform to, may ask for them.
extension NSManagedObject {
  /// Adds an observer, whose class is a ``KeyValueObserver``.
  @_disfavoredOverload
  public func addObserver(
    _ observer: NSObject, forKeyPath keyPath: String, options: NSKeyValueObservingOptions,
    context: UnsafeMutableRawPointer?
  ) {
    addObserver(Self.checked(observer), forKeyPath: keyPath, options: options, context: context)
  }

  /// Ends an observation by an observer that was added with this context.
  @_disfavoredOverload
  public func removeObserver(
    _ observer: NSObject, forKeyPath keyPath: String, context: UnsafeMutableRawPointer?
  ) {
    removeObserver(Self.checked(observer), forKeyPath: keyPath, context: context)
  }

  /// Ends the last observation of a key path by an observer.
  @_disfavoredOverload
  public func removeObserver(_ observer: NSObject, forKeyPath keyPath: String) {
    removeObserver(Self.checked(observer), forKeyPath: keyPath)
  }

  private static func checked(_ observer: NSObject) -> any KeyValueObserver {
    guard let observer = observer as? any KeyValueObserver else {
      fatalError(
        "\(type(of: observer)) observes a managed object without being a KeyValueObserver: implement "
          + "observeValue(forKeyPath:of:change:context:) in it, and declare that it is one.")
    }
    return observer
  }
}
