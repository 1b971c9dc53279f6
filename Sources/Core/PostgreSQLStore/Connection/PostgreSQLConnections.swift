/// Process-wide limit on connections of all PostgreSQL stores. Not part of Apple's API.
///
/// Each store has at most as many connections as `NSPersistentStoreConnectionPoolMaxSizeKey`
/// allows. This limit is for processes with many stores, such as one for each tenant.
public enum PostgreSQLConnections {
  /// The maximum number of connections at one time: 32 by default, and at least as many as the
  /// largest pool of a store.
  ///
  /// A store that needs a connection beyond the limit gets the budget of one that is unused. If
  /// there is none, it waits until another store releases one; waiting stores are served in order.
  /// After the store's timeout it throws `NSPersistentStoreTimeoutError` (134090). Not counted are
  /// listeners for remote changes, one for each store that is added with
  /// `NSPersistentStoreRemoteChangeNotificationPostOptionKey`, and short-lived connections: to
  /// check on a silent server, to copy or to destroy a store.
  public static var maximum: Int {
    get { ConnectionBudget.shared.maximum }
    set { ConnectionBudget.shared.maximum = newValue }
  }

  /// The current number of connections, used or unused.
  public static var count: Int { ConnectionBudget.shared.count }
}
