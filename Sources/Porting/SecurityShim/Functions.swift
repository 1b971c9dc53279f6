import Foundation

// Functions for passwords. Passwords are kept in memory only, so that tests of code that uses a
// keychain run; each process starts with an empty keychain.

/// Adds a password.
/// - Parameters:
///   - attributes: `kSecClass`, `kSecValueData` and attributes of the item.
///   - result: receives the values that the `kSecReturn…` keys request.
/// - Returns: `errSecDuplicateItem` if an item has the same primary key; `errSecParam` if the class
///   is missing or unknown, if `kSecValueData` is no `Data`, or for `kSecAttrSynchronizableAny`;
///   `errSecUnimplemented` for classes other than passwords and for `kSecReturnRef`.
@discardableResult
public func SecItemAdd(
  _ attributes: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?
) -> OSStatus {
  Keychain.shared.add(attributes, result)
}

/// Finds passwords by their attributes, up to `kSecMatchLimit` many.
/// - Parameter result: receives the values that the `kSecReturn…` keys request: `Data`,
///   `[String: Any]`, or an array of these.
/// - Returns: `errSecItemNotFound` if there is none, `errSecParam` for an invalid limit, and the
///   errors of `SecItemAdd`.
@discardableResult
public func SecItemCopyMatching(
  _ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?
) -> OSStatus {
  Keychain.shared.copyMatching(query, result)
}

/// Changes attributes and secrets of all passwords that match a query, or of none.
/// - Returns: `errSecItemNotFound` if there is none, `errSecDuplicateItem` if an item would get the
///   primary key of another, and the errors of `SecItemAdd`.
@discardableResult
public func SecItemUpdate(_ query: CFDictionary, _ attributesToUpdate: CFDictionary) -> OSStatus {
  Keychain.shared.update(query, attributesToUpdate)
}

/// Deletes all passwords that match a query.
/// - Returns: `errSecItemNotFound` if there is none, and the errors of `SecItemAdd`.
@discardableResult
public func SecItemDelete(_ query: CFDictionary) -> OSStatus { Keychain.shared.delete(query) }

// MARK: - Random numbers

/// A generator of random numbers.
public struct SecRandomRef: Sendable {}

/// The system's generator of random numbers.
public let kSecRandomDefault: SecRandomRef? = SecRandomRef()

/// Fills memory with random bytes from the system's generator.
/// - Returns: `errSecSuccess`, or `errSecParam` for a negative count.
@discardableResult
public func SecRandomCopyBytes(
  _ generator: SecRandomRef?, _ count: Int, _ bytes: UnsafeMutableRawPointer
) -> Int32 {
  guard count >= 0 else { return errSecParam }
  var system = SystemRandomNumberGenerator()
  for place in 0..<count {
    bytes.storeBytes(
      of: UInt8.random(in: .min ... .max, using: &system), toByteOffset: place, as: UInt8.self)
  }
  return errSecSuccess
}
