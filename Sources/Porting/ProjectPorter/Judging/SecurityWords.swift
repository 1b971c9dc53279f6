/// Names that the stand-in for Security has: keychain passwords and random bytes.
enum SecurityWords {
  /// Returns true if a word belongs to Security and is missing from the stand-in.
  static func isLacking(_ word: String) -> Bool {
    word != "Security" && !here.contains(word)
      && KnownModules.ofC("Security", words: CollectionOfOne(word))?.isEmpty == false
  }

  /// Functions by which a file is recognised as using Security when it sees the module only through
  /// Foundation.
  static let functions: Set<String> = [
    "SecItemAdd", "SecItemCopyMatching", "SecItemDelete", "SecItemUpdate", "SecRandomCopyBytes",
  ]

  static let here: Set<String> = [
    "CFBoolean", "CFData", "CFDictionary", "CFString", "CFTypeRef", "OSStatus",
    "SecCopyErrorMessageString", "SecItemAdd", "SecItemCopyMatching", "SecItemDelete",
    "SecItemUpdate", "SecRandomCopyBytes", "SecRandomRef", "errSecAllocate", "errSecAuthFailed",
    "errSecDecode", "errSecDuplicateItem", "errSecInteractionNotAllowed", "errSecInternalError",
    "errSecItemNotFound", "errSecMissingEntitlement", "errSecNotAvailable", "errSecParam",
    "errSecSuccess", "errSecUnimplemented", "errSecUserCanceled", "kCFBooleanFalse",
    "kCFBooleanTrue", "kSecAttrAccessGroup", "kSecAttrAccessible",
    "kSecAttrAccessibleAfterFirstUnlock", "kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly",
    "kSecAttrAccessibleAlways", "kSecAttrAccessibleAlwaysThisDeviceOnly",
    "kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly", "kSecAttrAccessibleWhenUnlocked",
    "kSecAttrAccessibleWhenUnlockedThisDeviceOnly", "kSecAttrAccount",
    "kSecAttrAuthenticationType", "kSecAttrComment", "kSecAttrCreationDate", "kSecAttrCreator",
    "kSecAttrDescription", "kSecAttrGeneric", "kSecAttrIsInvisible", "kSecAttrIsNegative",
    "kSecAttrLabel", "kSecAttrModificationDate", "kSecAttrPath", "kSecAttrPort",
    "kSecAttrProtocol", "kSecAttrProtocolHTTP", "kSecAttrProtocolHTTPS", "kSecAttrSecurityDomain",
    "kSecAttrServer", "kSecAttrService", "kSecAttrSynchronizable", "kSecAttrSynchronizableAny",
    "kSecAttrType", "kSecClass", "kSecClassCertificate", "kSecClassGenericPassword",
    "kSecClassIdentity", "kSecClassInternetPassword", "kSecClassKey", "kSecMatchLimit",
    "kSecMatchLimitAll", "kSecMatchLimitOne", "kSecRandomDefault", "kSecReturnAttributes",
    "kSecReturnData", "kSecReturnPersistentRef", "kSecReturnRef", "kSecUseDataProtectionKeychain",
    "kSecValueData", "kSecValuePersistentRef",
  ]
}
