import Foundation

/// An array of pointers to objects that may keep them weakly; nil stands where one was freed.
public class NSPointerArray: NSObject {
  private let options: NSPointerFunctions.Options
  private var held: [HeldObject?] = []

  /// Creates an empty array.
  public init(options: NSPointerFunctions.Options = []) { self.options = options }

  public override convenience init() { self.init(options: []) }

  /// An array that keeps no objects.
  public class func weakObjects() -> NSPointerArray { NSPointerArray(options: .weakMemory) }
  /// An array that keeps its objects.
  public class func strongObjects() -> NSPointerArray { NSPointerArray() }

  private func holding(_ pointer: UnsafeMutableRawPointer?) -> HeldObject? {
    pointer.map { pointer in
      // The caller passes the address of a live object, as `Unmanaged.toOpaque` gives it.
      HeldObject(Unmanaged<AnyObject>.fromOpaque(pointer).takeUnretainedValue(), options)
    }
  }

  /// The address of the object at an index; nil if there is none, or if it was freed.
  public func pointer(at index: Int) -> UnsafeMutableRawPointer? {
    held[index]?.object.map { Unmanaged.passUnretained($0).toOpaque() }
  }

  /// Appends an object, or an empty place.
  public func addPointer(_ pointer: UnsafeMutableRawPointer?) { held.append(holding(pointer)) }

  /// Removes a place.
  public func removePointer(at index: Int) { held.remove(at: index) }

  /// Inserts an object, or an empty place.
  public func insertPointer(_ item: UnsafeMutableRawPointer?, at index: Int) {
    held.insert(holding(item), at: index)
  }

  /// Puts another object, or nothing, at an index.
  public func replacePointer(at index: Int, withPointer item: UnsafeMutableRawPointer?) {
    held[index] = holding(item)
  }

  /// Removes the places where there is nothing.
  public func compact() { held.removeAll { $0?.object == nil } }

  /// The number of places; setting it removes places at the end, or adds empty ones.
  public var count: Int {
    get { held.count }
    set {
      held = Array(held.prefix(newValue))
      held += Array(repeating: nil, count: newValue - held.count)
    }
  }

  /// The objects that are not freed.
  public var allObjects: [Any] { held.compactMap { $0?.object } }
}
