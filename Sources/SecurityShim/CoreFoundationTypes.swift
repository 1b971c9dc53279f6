import Foundation

// What calls of this module are written with: Core Foundation's values are Swift's here.

/// The status that functions of this module return; `errSecSuccess` is 0.
public typealias OSStatus = Int32
/// A dictionary of attributes: `query as CFDictionary` of one with keys of `String` or of `CFString`.
public typealias CFDictionary = [String: Any]
public typealias CFString = String
public typealias CFBoolean = Bool
public typealias CFData = Data
/// What a search gives: bridged to `Data`, to `[String: Any]`, or to an array of these.
public typealias CFTypeRef = AnyObject

public let kCFBooleanTrue: CFBoolean! = true
public let kCFBooleanFalse: CFBoolean! = false
