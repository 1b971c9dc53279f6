import Foundation

// Types in calls of this module: Core Foundation's values are Swift's values here.

/// The result of a function of this module; `errSecSuccess` is 0.
public typealias OSStatus = Int32
/// A dictionary of attributes. `query as CFDictionary` works for dictionaries with keys of `String`
/// or `CFString`.
public typealias CFDictionary = [String: Any]
/// A string.
public typealias CFString = String
/// A truth value.
public typealias CFBoolean = Bool
/// Bytes.
public typealias CFData = Data
/// The result of a search; can be cast to `Data`, to `[String: Any]`, or to an array of these.
public typealias CFTypeRef = AnyObject

/// The truth value true.
public let kCFBooleanTrue: CFBoolean! = true
/// The truth value false.
public let kCFBooleanFalse: CFBoolean! = false
