import Foundation

/// What an application writes is its user's alone: the store with its log, external data, backups
/// and the key. Files that exist keep their permissions.
package enum PrivateFiles {
  /// Files that the process makes from now on have the permissions 0600, and folders 0700. SQLite
  /// gives the files beside a store the permissions of the store.
  package static func begin() { umask(0o077) }
}
