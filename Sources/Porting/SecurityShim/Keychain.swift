import Foundation

/// The keychain of the process, in memory only.
///
/// Sendable: `lock` guards the items.
final class Keychain: @unchecked Sendable {
  static let shared = Keychain()

  private struct Item {
    let identifier: Data
    /// Includes `kSecClass` and `kSecValueData`.
    var attributes: [String: Any]
  }

  private var items: [Item] = []
  private let lock = NSLock()

  // MARK: - The functions of the module

  func add(
    _ attributes: [String: Any], _ result: UnsafeMutablePointer<CFTypeRef?>?
  ) -> OSStatus {
    lock.withLock {
      if let problem = Self.problem(attributes) { return problem }
      var kept = attributes.filter { Self.isAttribute($0.key) || $0.key == kSecValueData }
      kept[kSecClass] = attributes[kSecClass]
      if attributes[kSecAttrSynchronizable].map(Self.isAny) == true { return errSecParam }
      if let data = kept[kSecValueData], !(data is Data) { return errSecParam }
      if items.contains(where: { Self.isSame($0.attributes, kept) }) { return errSecDuplicateItem }
      kept[kSecAttrAccessible] = kept[kSecAttrAccessible] ?? kSecAttrAccessibleWhenUnlocked
      let now = Date()
      kept[kSecAttrCreationDate] = kept[kSecAttrCreationDate] ?? now
      kept[kSecAttrModificationDate] = kept[kSecAttrModificationDate] ?? now
      let item = Item(identifier: Data(UUID().uuidString.utf8), attributes: kept)
      items.append(item)
      result?.pointee = Self.answer(item, attributes)
      return errSecSuccess
    }
  }

  func copyMatching(
    _ query: [String: Any], _ result: UnsafeMutablePointer<CFTypeRef?>?
  ) -> OSStatus {
    lock.withLock {
      if let problem = Self.problem(query) { return problem }
      guard let limit = Self.limit(query) else { return errSecParam }
      let found = items.filter { Self.matches($0, query) }
      guard !found.isEmpty else { return errSecItemNotFound }
      if limit == 1, query[kSecMatchLimit].map(Self.isAll) != true {
        result?.pointee = Self.answer(found[0], query)
      } else {
        let answers = found.prefix(limit).compactMap { Self.answer($0, query) }
        result?.pointee = answers.isEmpty ? nil : NSArray(array: answers)
      }
      return errSecSuccess
    }
  }

  func update(_ query: [String: Any], _ changes: [String: Any]) -> OSStatus {
    lock.withLock {
      if let problem = Self.problem(query) { return problem }
      let isKnown = changes.keys.allSatisfy { Self.isAttribute($0) || $0 == kSecValueData }
      guard isKnown, changes[kSecValueData].map({ $0 is Data }) != false else { return errSecParam }
      let places = items.indices.filter { Self.matches(items[$0], query) }
      guard !places.isEmpty else { return errSecItemNotFound }
      var changed = items
      for place in places {
        changed[place].attributes.merge(changes) { $1 }
        changed[place].attributes[kSecAttrModificationDate] = Date()
        let attributes = changed[place].attributes
        let others = changed.indices.filter { $0 != place }
        if others.contains(where: { Self.isSame(changed[$0].attributes, attributes) }) {
          return errSecDuplicateItem
        }
      }
      items = changed
      return errSecSuccess
    }
  }

  func delete(_ query: [String: Any]) -> OSStatus {
    lock.withLock {
      if let problem = Self.problem(query) { return problem }
      let count = items.count
      items.removeAll { Self.matches($0, query) }
      return items.count == count ? errSecItemNotFound : errSecSuccess
    }
  }

  // MARK: - Items and queries

  /// The attributes of Apple's primary keys, by class.
  private static let primaryKeys: [String: [String]] = [
    kSecClassGenericPassword: [
      kSecAttrAccessGroup, kSecAttrAccount, kSecAttrService, kSecAttrSynchronizable,
    ],
    kSecClassInternetPassword: [
      kSecAttrAccessGroup, kSecAttrAccount, kSecAttrAuthenticationType, kSecAttrPath, kSecAttrPort,
      kSecAttrProtocol, kSecAttrSecurityDomain, kSecAttrServer, kSecAttrSynchronizable,
    ],
  ]

  /// The status for an invalid or unsupported query; nil for a valid one.
  private static func problem(_ query: [String: Any]) -> OSStatus? {
    guard let name = query[kSecClass] as? String else { return errSecParam }
    if primaryKeys[name] == nil {
      let others = [kSecClassCertificate, kSecClassIdentity, kSecClassKey]
      return others.contains(name) ? errSecUnimplemented : errSecParam
    }
    return isOn(query[kSecReturnRef]) ? errSecUnimplemented : nil
  }

  /// Returns whether a key is an attribute of items, and not a parameter of the search.
  private static func isAttribute(_ key: String) -> Bool {
    key != kSecClass && !["m_", "r_", "u_", "v_"].contains { key.hasPrefix($0) }
  }

  private static func isSame(_ one: [String: Any], _ other: [String: Any]) -> Bool {
    guard let name = one[kSecClass] as? String, name == other[kSecClass] as? String,
      let keys = primaryKeys[name]
    else { return false }
    return keys.allSatisfy { isEqual(one[$0], other[$0], $0) }
  }

  private static func matches(_ item: Item, _ query: [String: Any]) -> Bool {
    guard item.attributes[kSecClass] as? String == query[kSecClass] as? String else { return false }
    if let identifier = query[kSecValuePersistentRef] {
      guard identifier as? Data == item.identifier else { return false }
    }
    if let wanted = query[kSecAttrSynchronizable], !isAny(wanted),
      isOn(wanted) != isOn(item.attributes[kSecAttrSynchronizable])
    {
      return false
    }
    // Without this key, a query matches only items that are not synchronized.
    if query[kSecAttrSynchronizable] == nil, isOn(item.attributes[kSecAttrSynchronizable]) {
      return false
    }
    return query.allSatisfy { key, value in
      !isAttribute(key) || key == kSecAttrSynchronizable
        || isEqual(value, item.attributes[key], key)
    }
  }

  private static func isEqual(_ one: Any?, _ other: Any?, _ key: String) -> Bool {
    if key == kSecAttrSynchronizable { return isOn(one) == isOn(other) }
    switch (one, other) {
    case (nil, nil): return true
    case (let one?, let other?):
      guard let one = one as? AnyHashable, let other = other as? AnyHashable else { return false }
      return one == other
    default: return false
    }
  }

  private static func isAny(_ value: Any) -> Bool {
    value as? String == kSecAttrSynchronizableAny
  }

  private static func isAll(_ value: Any) -> Bool { value as? String == kSecMatchLimitAll }

  private static func isOn(_ value: Any?) -> Bool {
    value as? Bool ?? (value as? NSNumber)?.boolValue ?? false
  }

  /// The maximum number of results; nil for an invalid limit.
  private static func limit(_ query: [String: Any]) -> Int? {
    guard let value = query[kSecMatchLimit] else { return 1 }
    if isAll(value) { return .max }
    if value as? String == kSecMatchLimitOne { return 1 }
    let number = value as? Int ?? (value as? NSNumber)?.intValue
    return number.flatMap { $0 > 0 ? $0 : nil }
  }

  /// The values of an item that a query requests; nil if it requests none.
  private static func answer(_ item: Item, _ query: [String: Any]) -> AnyObject? {
    let wantsData = isOn(query[kSecReturnData])
    let wantsIdentifier = isOn(query[kSecReturnPersistentRef])
    let data = item.attributes[kSecValueData] as? Data
    guard isOn(query[kSecReturnAttributes]) || wantsData && wantsIdentifier else {
      if wantsData { return data.map { NSData(data: $0) } }
      return wantsIdentifier ? NSData(data: item.identifier) : nil
    }
    var answer =
      isOn(query[kSecReturnAttributes])
      ? item.attributes.filter { $0.key != kSecValueData } : [:]
    if wantsData { answer[kSecValueData] = data }
    if wantsIdentifier { answer[kSecValuePersistentRef] = item.identifier }
    return NSDictionary(dictionary: answer)
  }
}
