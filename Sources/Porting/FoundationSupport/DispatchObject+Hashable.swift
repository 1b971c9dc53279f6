import Dispatch

/// Queues, groups and their kin are objects of Foundation on Apple's systems, and so equal only
/// themselves.
extension DispatchObject: @retroactive Equatable {
  public static func == (first: DispatchObject, second: DispatchObject) -> Bool {
    first === second || first.wrapped == second.wrapped && first.wrapped != nil
  }
}

extension DispatchObject: @retroactive Hashable {
  public func hash(into hasher: inout Hasher) {
    if let wrapped {
      hasher.combine(wrapped)
    } else {
      hasher.combine(ObjectIdentifier(self))
    }
  }
}

extension DispatchObject {
  /// The object of libdispatch. Swift wraps it anew each time that `DispatchQueue.main` is read, so
  /// the identity of the wrapper says nothing.
  fileprivate var wrapped: OpaquePointer? {
    Mirror(reflecting: self).descendant("__wrapped") as? OpaquePointer
  }
}
