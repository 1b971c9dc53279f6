extension Notification.Name {
  /// Changes were imported from iCloud. Never posted.
  @available(*, deprecated, message: "Is never posted: there is no iCloud here")
  public static let NSPersistentStoreDidImportUbiquitousContentChanges = Self(
    "NSPersistentStoreDidImportUbiquitousContentChangesNotification")
}
