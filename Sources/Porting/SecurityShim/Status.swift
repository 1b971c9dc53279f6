/// The function succeeded.
public let errSecSuccess: OSStatus = 0
/// The keychain on this platform does not support the request.
public let errSecUnimplemented: OSStatus = -4
/// A parameter is missing or has a value of a wrong type.
public let errSecParam: OSStatus = -50
/// The item is locked, and no user interaction is allowed. Never returned here: items are never
/// locked.
public let errSecInteractionNotAllowed: OSStatus = -25308
/// The authentication failed. Never returned here: no user is asked.
public let errSecAuthFailed: OSStatus = -25293
/// The user cancelled the request. Never returned here: no user is asked.
public let errSecUserCanceled: OSStatus = -128
/// No keychain is available. Never returned here: the process always has a keychain.
public let errSecNotAvailable: OSStatus = -25291
/// A required entitlement is missing. Never returned here: access groups need no entitlement.
public let errSecMissingEntitlement: OSStatus = -34018
/// The data cannot be decoded. Never returned here: secrets are returned as they were added.
public let errSecDecode: OSStatus = -26275
/// A memory allocation failed. Never returned here.
public let errSecAllocate: OSStatus = -108
/// An internal error. Never returned here.
public let errSecInternalError: OSStatus = -26276
/// An item with the same primary key exists.
public let errSecDuplicateItem: OSStatus = -25299
/// No item matches the query.
public let errSecItemNotFound: OSStatus = -25300

/// The description of a status; nil for a status that this module never returns.
/// - Parameter reserved: pass nil, as on Apple's systems.
public func SecCopyErrorMessageString(
  _ status: OSStatus, _ reserved: UnsafeMutableRawPointer?
) -> CFString? {
  switch status {
  case errSecSuccess: "No error."
  case errSecUnimplemented: "Function or operation not implemented."
  case errSecParam: "One or more parameters passed to a function were not valid."
  case errSecDuplicateItem: "The specified item already exists in the keychain."
  case errSecItemNotFound: "The specified item could not be found in the keychain."
  default: nil
  }
}
