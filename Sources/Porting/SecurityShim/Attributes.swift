// Keys and values of a query, with the strings that they have on Apple's systems.

// MARK: - Classes

/// Key of the item's class.
public let kSecClass: CFString = "class"
/// Class of generic passwords.
public let kSecClassGenericPassword: CFString = "genp"
/// Class of internet passwords.
public let kSecClassInternetPassword: CFString = "inet"
/// Class of certificates. Not supported here: functions return `errSecUnimplemented`.
public let kSecClassCertificate: CFString = "cert"
/// Class of cryptographic keys. Not supported here: functions return `errSecUnimplemented`.
public let kSecClassKey: CFString = "keys"
/// Class of identities. Not supported here: functions return `errSecUnimplemented`.
public let kSecClassIdentity: CFString = "idnt"

// MARK: - Attributes of items

/// Access group; a string.
public let kSecAttrAccessGroup: CFString = "agrp"
/// Condition under which the item can be read; see the values below.
public let kSecAttrAccessible: CFString = "pdmn"
/// Account name; a string.
public let kSecAttrAccount: CFString = "acct"
/// Authentication type of an internet password.
public let kSecAttrAuthenticationType: CFString = "atyp"
/// Comment; a string.
public let kSecAttrComment: CFString = "icmt"
/// Creation date; set when the item is added.
public let kSecAttrCreationDate: CFString = "cdat"
/// Creator; a number.
public let kSecAttrCreator: CFString = "crtr"
/// Description; a string.
public let kSecAttrDescription: CFString = "desc"
/// Data of the client, for generic passwords.
public let kSecAttrGeneric: CFString = "gena"
/// Whether the item is hidden from lists; a truth value.
public let kSecAttrIsInvisible: CFString = "invi"
/// Whether the password is invalid and must be entered; a truth value.
public let kSecAttrIsNegative: CFString = "nega"
/// Label; a string.
public let kSecAttrLabel: CFString = "labl"
/// Date of the last change; set when the item is added or updated.
public let kSecAttrModificationDate: CFString = "mdat"
/// Path of an internet password's URL; a string.
public let kSecAttrPath: CFString = "path"
/// Port of an internet password; a number.
public let kSecAttrPort: CFString = "port"
/// Protocol of an internet password.
public let kSecAttrProtocol: CFString = "ptcl"
/// Protocol value: HTTP.
public let kSecAttrProtocolHTTP: CFString = "http"
/// Protocol value: HTTPS.
public let kSecAttrProtocolHTTPS: CFString = "htps"
/// Security domain of an internet password; a string.
public let kSecAttrSecurityDomain: CFString = "sdmn"
/// Server of an internet password; a string.
public let kSecAttrServer: CFString = "srvr"
/// Service of a generic password; a string.
public let kSecAttrService: CFString = "svce"
/// Whether the item is synchronized; a truth value. Part of the primary key here, otherwise without
/// effect.
public let kSecAttrSynchronizable: CFString = "sync"
/// Value of `kSecAttrSynchronizable` in a query: matches synchronized items and others.
public let kSecAttrSynchronizableAny: CFString = "syna"
/// Type; a number.
public let kSecAttrType: CFString = "type"
/// The secret; `Data`.
public let kSecValueData: CFString = "v_Data"
/// Persistent reference to an item; `Data`.
public let kSecValuePersistentRef: CFString = "v_PersistentRef"

// MARK: - Accessibility: items can always be read here

/// Readable after the first unlock.
public let kSecAttrAccessibleAfterFirstUnlock: CFString = "ck"
/// Readable after the first unlock; not transferred to other devices.
public let kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly: CFString = "cku"
/// Always readable.
public let kSecAttrAccessibleAlways: CFString = "dk"
/// Always readable; not transferred to other devices.
public let kSecAttrAccessibleAlwaysThisDeviceOnly: CFString = "dku"
/// Readable while unlocked, if a passcode is set; not transferred to other devices.
public let kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly: CFString = "akpu"
/// Readable while unlocked; the default.
public let kSecAttrAccessibleWhenUnlocked: CFString = "ak"
/// Readable while unlocked; not transferred to other devices.
public let kSecAttrAccessibleWhenUnlockedThisDeviceOnly: CFString = "aku"

// MARK: - Results of a search

/// Key of the maximum number of results: a number or one of the values below.
public let kSecMatchLimit: CFString = "m_Limit"
/// All results, as an array.
public let kSecMatchLimitAll: CFString = "m_LimitAll"
/// One result; the default.
public let kSecMatchLimitOne: CFString = "m_LimitOne"
/// Whether a search returns attributes; a truth value.
public let kSecReturnAttributes: CFString = "r_Attributes"
/// Whether a search returns the secret; a truth value.
public let kSecReturnData: CFString = "r_Data"
/// Whether a search returns the persistent reference; a truth value.
public let kSecReturnPersistentRef: CFString = "r_PersistentRef"
/// Whether a search returns a reference. Not supported here: functions return
/// `errSecUnimplemented`.
public let kSecReturnRef: CFString = "r_Ref"
/// Whether to use the data protection keychain; ignored here.
public let kSecUseDataProtectionKeychain: CFString = "u_DataProtection"
