#if Web
  import CoreData
  import Foundation

  /// Looks at the heads of zones when another process has saved.
  struct RemoteChanges: Sendable {
    let ledger: SyncLedger
    let board: WakeBoard
    let pool: WorkPool

    /// Until the task is cancelled.
    func follow() async {
      let (wakes, wake) = AsyncStream.makeStream(
        of: Void.self, bufferingPolicy: .bufferingNewest(1))
      let observer = NotificationCenter.default.addObserver(
        forName: .NSPersistentStoreRemoteChange, object: nil, queue: nil
      ) { _ in wake.yield() }
      defer { NotificationCenter.default.removeObserver(observer) }
      for await _ in wakes {
        let zones = board.zones
        // What fails now is looked at with the next save.
        let heads = try? await pool.run { [ledger] in try ledger.heads(of: zones) }
        board.note(heads ?? [:])
      }
    }
  }
#endif
