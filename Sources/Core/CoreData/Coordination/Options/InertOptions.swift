import Synchronization

/// Options of stores that protect data on Apple's systems and do nothing here, which a program
/// would not notice: each is reported once.
enum InertOptions {
  private static let reported = Mutex<Set<String>>([])

  /// Reports the inert options of a store that was opened.
  static func report(_ options: StoreOptions) {
    let key = NSPersistentStoreFileProtectionKey
    guard let value = options[key], "\(value)" != FileProtectionType.none.rawValue,
      reported.withLock({ $0.insert(key).inserted })
    else { return }
    Console.warning(
      "the option \(key) has no effect on this platform: the permissions of the store's folder "
        + "protect its files, and an encrypted disk does.")
  }
}
