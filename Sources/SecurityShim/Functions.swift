import Foundation

// The functions for passwords. They keep them in the process alone: tests of a keychain's users run, and each run begins
// with an empty keychain.

/// Adds a password.
/// - Parameters:
///   - attributes: `kSecClass`, `kSecValueData` and attributes of the item.
///   - result: where what `kSecReturn…` asks for is put.
/// - Returns: `errSecDuplicateItem` where there is one with the same primary key, `errSecParam` where a class or data is
///   missing or of another type, `errSecUnimplemented` for classes other than passwords and for `kSecReturnRef`.
@discardableResult
public func SecItemAdd(
  _ attributes: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?
) -> OSStatus {
  Keychain.shared.add(attributes, result)
}

/// Finds passwords by their attributes: one, or as many as `kSecMatchLimit` says.
/// - Parameter result: where what `kSecReturn…` asks for is put: `Data`, `[String: Any]`, or an array of these.
/// - Returns: `errSecItemNotFound` where there is none, and the errors of `SecItemAdd`.
@discardableResult
public func SecItemCopyMatching(
  _ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?
) -> OSStatus {
  Keychain.shared.copyMatching(query, result)
}

/// Changes attributes and data of the passwords that a query finds, all or none.
/// - Returns: `errSecItemNotFound` where there is none, `errSecDuplicateItem` where one would have the primary key of
///   another, and the errors of `SecItemAdd`.
@discardableResult
public func SecItemUpdate(_ query: CFDictionary, _ attributesToUpdate: CFDictionary) -> OSStatus {
  Keychain.shared.update(query, attributesToUpdate)
}

/// Deletes the passwords that a query finds.
/// - Returns: `errSecItemNotFound` where there is none, and the errors of `SecItemAdd`.
@discardableResult
public func SecItemDelete(_ query: CFDictionary) -> OSStatus { Keychain.shared.delete(query) }

// MARK: - Random numbers

/// The system's generator of random numbers.
public struct SecRandomRef: Sendable {}

public let kSecRandomDefault: SecRandomRef? = SecRandomRef()

/// Fills memory with random bytes of the system's.
/// - Returns: `errSecParam` for a negative count.
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
