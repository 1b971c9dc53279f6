/// The item was found, added, changed or deleted.
public let errSecSuccess: OSStatus = 0
/// The keychain here does not do what was asked for.
public let errSecUnimplemented: OSStatus = -4
/// An attribute is missing, or has a value of another type.
public let errSecParam: OSStatus = -50
/// Never returned here: nothing is locked.
public let errSecInteractionNotAllowed: OSStatus = -25308
/// Never returned here: nobody is asked.
public let errSecAuthFailed: OSStatus = -25293
/// Never returned here: nobody is asked.
public let errSecUserCanceled: OSStatus = -128
/// Never returned here: the process has a keychain.
public let errSecNotAvailable: OSStatus = -25291
/// Never returned here: there are no access groups to be entitled to.
public let errSecMissingEntitlement: OSStatus = -34018
/// Never returned here: data comes back as it was added.
public let errSecDecode: OSStatus = -26275
/// Never returned here.
public let errSecAllocate: OSStatus = -108
/// Never returned here.
public let errSecInternalError: OSStatus = -26276
/// There is an item with the same primary key.
public let errSecDuplicateItem: OSStatus = -25299
/// No item has the attributes that a query names.
public let errSecItemNotFound: OSStatus = -25300

/// What a status means; nil where this module returns no such status.
/// - Parameter reserved: nil, as on Apple's systems.
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
