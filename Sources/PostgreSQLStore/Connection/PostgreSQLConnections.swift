/// The connections of all PostgreSQL stores of the process together. A store opens no more than
/// `NSPersistentStoreConnectionPoolMaxSizeKey` says; a process with a store for each of its tenants opens no more than this
/// says. Not Apple's.
public enum PostgreSQLConnections {
  /// How many there may be at once: 32, unless set otherwise; as many as the largest pool of a store in any case.
  ///
  /// A store that needs one beyond that gets the place of one that nobody uses, else its turn comes when another store
  /// gives one back, in the order in which they asked. Who waits longer than the store's timeout gets
  /// `NSPersistentStoreTimeoutError` (134090). Not counted are what listens for remote changes, one for each store that is added
  /// with `NSPersistentStoreRemoteChangeNotificationPostOptionKey`, and what is opened for a moment: to ask a silent server
  /// whether it is still at it, to copy or to destroy a store.
  public static var maximum: Int {
    get { ConnectionBudget.shared.maximum }
    set { ConnectionBudget.shared.maximum = newValue }
  }

  /// How many there are, used or not.
  public static var count: Int { ConnectionBudget.shared.count }
}
