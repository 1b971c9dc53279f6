import Foundation
import Security
import Testing

/// A keychain's passwords, as wrappers of applications use them.
struct KeychainTests {
  /// Of this test alone: the keychain is the process's.
  private let service = UUID().uuidString

  private func query(_ account: String?, _ more: [CFString: Any] = [:]) -> CFDictionary {
    var query: [CFString: Any] = [
      kSecClass: kSecClassGenericPassword, kSecAttrService: service,
    ]
    query[kSecAttrAccount] = account
    return query.merging(more) { $1 } as CFDictionary
  }

  private func add(_ account: String, _ text: String, _ more: [CFString: Any] = [:]) -> OSStatus {
    SecItemAdd(query(account, more.merging([kSecValueData: Data(text.utf8)]) { $1 }), nil)
  }

  private func text(_ account: String) -> String? {
    var result: AnyObject?
    let status = SecItemCopyMatching(
      query(account, [kSecReturnData: true, kSecMatchLimit: kSecMatchLimitOne]), &result)
    guard status == errSecSuccess, let data = result as? Data else { return nil }
    return String(decoding: data, as: UTF8.self)
  }

  @Test func passwordsAreAddedReadChangedAndDeleted() {
    #expect(text("a") == nil)
    #expect(SecItemCopyMatching(query("a"), nil) == errSecItemNotFound)
    #expect(add("a", "one") == errSecSuccess)
    #expect(add("a", "two") == errSecDuplicateItem)
    #expect(add("b", "two") == errSecSuccess)
    #expect(text("a") == "one" && text("b") == "two")
    let change = [kSecValueData as String: Data("three".utf8)] as CFDictionary
    #expect(SecItemUpdate(query("a"), change) == errSecSuccess)
    #expect(text("a") == "three" && text("b") == "two")
    #expect(SecItemUpdate(query("c"), change) == errSecItemNotFound)
    #expect(SecItemDelete(query("a")) == errSecSuccess)
    #expect(SecItemDelete(query("a")) == errSecItemNotFound)
    #expect(text("a") == nil && text("b") == "two")
  }

  @Test func aSearchGivesWhatItAsksFor() throws {
    for account in ["a", "b"] { #expect(add(account, account) == errSecSuccess) }
    func search(_ more: [CFString: Any]) -> CFTypeRef? {
      var result: CFTypeRef?
      #expect(SecItemCopyMatching(query(nil, more), &result) == errSecSuccess)
      return result
    }
    #expect(search([:]) == nil)
    #expect(search([kSecReturnData: kCFBooleanTrue!]) as? Data == Data("a".utf8))
    let one = try #require(search([kSecReturnAttributes: true]) as? [String: Any])
    #expect(one[kSecAttrAccount as String] as? String == "a")
    #expect(one[kSecAttrCreationDate] is Date && one[kSecValueData] == nil)
    let all = try #require(
      search([kSecReturnAttributes: true, kSecReturnData: true, kSecMatchLimit: kSecMatchLimitAll])
        as? [[String: Any]])
    #expect(all.compactMap { $0[kSecValueData] as? Data } == ["a", "b"].map { Data($0.utf8) })
    #expect(
      (search([kSecReturnData: true, kSecMatchLimit: kSecMatchLimitAll]) as? [Data])?.count == 2)
    let reference = try #require(search([kSecReturnPersistentRef: true]) as? Data)
    var found: AnyObject?
    let byReference = query(nil, [kSecValuePersistentRef: reference, kSecReturnData: true])
    #expect(SecItemCopyMatching(byReference, &found) == errSecSuccess)
    #expect(found as? Data == Data("a".utf8))
    #expect(SecItemDelete(query(nil)) == errSecSuccess)
    #expect(SecItemCopyMatching(query(nil), nil) == errSecItemNotFound)
  }

  @Test func whatIsSynchronizedIsFoundWhereAQuerySaysSo() {
    #expect(add("a", "cloud", [kSecAttrSynchronizable: true]) == errSecSuccess)
    #expect(SecItemCopyMatching(query("a"), nil) == errSecItemNotFound)
    #expect(add("a", "here") == errSecSuccess)
    #expect(text("a") == "here")
    let any = query("a", [kSecAttrSynchronizable: kSecAttrSynchronizableAny])
    #expect(SecItemDelete(any) == errSecSuccess)
    #expect(text("a") == nil)
  }

  @Test func internetPasswordsHavePrimaryKeysOfTheirOwn() {
    func password(_ server: String, _ path: String) -> CFDictionary {
      [
        kSecClass: kSecClassInternetPassword, kSecAttrServer: server, kSecAttrPath: path,
        kSecAttrAccount: service, kSecValueData: Data(),
      ] as CFDictionary
    }
    #expect(SecItemAdd(password("a", "/"), nil) == errSecSuccess)
    #expect(SecItemAdd(password("a", "/b"), nil) == errSecSuccess)
    #expect(SecItemAdd(password("a", "/"), nil) == errSecDuplicateItem)
    let query = [
      kSecClass: kSecClassInternetPassword, kSecAttrAccount: service, kSecAttrPath: "/b",
    ]
    #expect(
      SecItemUpdate(query as CFDictionary, [kSecAttrPath: "/"] as CFDictionary)
        == errSecDuplicateItem)
    #expect(SecItemDelete(query as CFDictionary) == errSecSuccess)
  }

  @Test func whatCannotBeAnsweredHasAStatus() {
    #expect(SecItemAdd([kSecAttrAccount: "a"] as CFDictionary, nil) == errSecParam)
    #expect(SecItemAdd([kSecClass: "other"] as CFDictionary, nil) == errSecParam)
    for name in [kSecClassKey, kSecClassCertificate, kSecClassIdentity] {
      #expect(
        SecItemCopyMatching([kSecClass: name] as CFDictionary, nil) == errSecUnimplemented)
    }
    #expect(add("a", "x", [kSecReturnRef: true]) == errSecUnimplemented)
    #expect(SecItemAdd(query("a", [kSecValueData: "text"]), nil) == errSecParam)
    #expect(SecItemCopyMatching(query("a", [kSecMatchLimit: 0]), nil) == errSecParam)
    #expect(add("a", "x") == errSecSuccess)
    #expect(SecItemUpdate(query("a"), [kSecReturnData: true] as CFDictionary) == errSecParam)
    #expect(SecCopyErrorMessageString(errSecItemNotFound, nil) != nil)
    #expect(SecCopyErrorMessageString(-1, nil) == nil)
  }

  @Test func randomBytesFillTheirPlace() {
    var bytes = [UInt8](repeating: 0, count: 64)
    #expect(SecRandomCopyBytes(kSecRandomDefault, 32, &bytes) == errSecSuccess)
    #expect(bytes[..<32].contains { $0 != 0 } && bytes[32...].allSatisfy { $0 == 0 })
    #expect(SecRandomCopyBytes(kSecRandomDefault, -1, &bytes) == errSecParam)
  }
}
