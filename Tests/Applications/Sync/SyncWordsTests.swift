import CoreDataSync
import Foundation
import Testing

@testable import ListApplication

/// The line that says what sync is doing: never “Synced” while what others have saved may not have been counted.
@Suite struct SyncWordsTests {
  private static func status(
    _ activity: SyncStatus.Activity, toSend: Int = 0, toReceive: Int = 0, isFirst: Bool = false
  ) -> SyncStatus {
    SyncStatus(
      activity: activity, toSend: toSend, toReceive: toReceive, lastSync: isFirst ? nil : .now)
  }

  @Test(arguments: [
    (status(.idle), false, "Synced"), (status(.idle), true, "Synced"),
    (status(.syncing), false, "Synced"), (status(.syncing), true, "Syncing…"),
    (status(.syncing, isFirst: true), false, "Syncing…"),
    (status(.syncing, toSend: 2), true, "2 to send"),
    (status(.syncing, toReceive: 3), true, "3 to receive"),
  ])
  func aSyncThatLastsIsSaid(_ status: SyncStatus, lasts: Bool, expected: String) {
    #expect(SyncWords.line(status, isOn: true, lasts: lasts) == expected)
  }
}
