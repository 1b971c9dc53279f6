import Foundation

// Apple's bridge lets Foundation's value types be variable arguments (`uuid as CVarArg`). Here each
// is passed as the object of Foundation to which it bridges. A client that has such a conformance
// must remove its own.

extension NSObject: @retroactive CVarArg {
  /// The address of the object, not retained: the caller that passes the argument keeps the object
  /// alive.
  public var _cVarArgEncoding: [Int] {
    [Int(bitPattern: Unmanaged.passUnretained(self).toOpaque())]
  }
}

extension UUID: @retroactive CVarArg, @retroactive _CVarArgObject {
  /// The value as `NSUUID`.
  public var _cVarArgObject: any CVarArg { self as NSUUID }
  /// The address of the value as `NSUUID`.
  public var _cVarArgEncoding: [Int] { _cVarArgObject._cVarArgEncoding }
}

extension Date: @retroactive CVarArg, @retroactive _CVarArgObject {
  /// The value as `NSDate`.
  public var _cVarArgObject: any CVarArg { self as NSDate }
  /// The address of the value as `NSDate`.
  public var _cVarArgEncoding: [Int] { _cVarArgObject._cVarArgEncoding }
}

extension URL: @retroactive CVarArg, @retroactive _CVarArgObject {
  /// The value as `NSURL`.
  public var _cVarArgObject: any CVarArg { self as NSURL }
  /// The address of the value as `NSURL`.
  public var _cVarArgEncoding: [Int] { _cVarArgObject._cVarArgEncoding }
}

extension Data: @retroactive CVarArg, @retroactive _CVarArgObject {
  /// The value as `NSData`.
  public var _cVarArgObject: any CVarArg { self as NSData }
  /// The address of the value as `NSData`.
  public var _cVarArgEncoding: [Int] { _cVarArgObject._cVarArgEncoding }
}

extension Decimal: @retroactive CVarArg, @retroactive _CVarArgObject {
  /// The value as `NSDecimalNumber`.
  public var _cVarArgObject: any CVarArg { self as NSDecimalNumber }
  /// The address of the value as `NSDecimalNumber`.
  public var _cVarArgEncoding: [Int] { _cVarArgObject._cVarArgEncoding }
}

extension Array: @retroactive CVarArg, @retroactive _CVarArgObject {
  /// The value as `NSArray`.
  public var _cVarArgObject: any CVarArg { NSArray(array: self) }
  /// The address of the value as `NSArray`.
  public var _cVarArgEncoding: [Int] { _cVarArgObject._cVarArgEncoding }
}

extension Set: @retroactive CVarArg, @retroactive _CVarArgObject {
  /// The value as `NSSet`.
  public var _cVarArgObject: any CVarArg { NSSet(set: self) }
  /// The address of the value as `NSSet`.
  public var _cVarArgEncoding: [Int] { _cVarArgObject._cVarArgEncoding }
}

extension Dictionary: @retroactive CVarArg, @retroactive _CVarArgObject {
  /// The value as `NSDictionary`.
  public var _cVarArgObject: any CVarArg { NSDictionary(dictionary: self) }
  /// The address of the value as `NSDictionary`.
  public var _cVarArgEncoding: [Int] { _cVarArgObject._cVarArgEncoding }
}
