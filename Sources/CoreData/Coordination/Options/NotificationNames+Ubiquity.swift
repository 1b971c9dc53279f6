extension Notification.Name {
  /// Changes came from iCloud. Never posted.
  @available(*, deprecated, message: "Is never posted: there is no iCloud here")
  public static let NSPersistentStoreDidImportUbiquitousContentChanges = Self(
    "NSPersistentStoreDidImportUbiquitousContentChangesNotification")
}
