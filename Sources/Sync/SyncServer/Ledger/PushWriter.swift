import CoreDataSync

/// Who pushes, and up to where it knows the zone.
struct PushWriter {
  let replica: ReplicaID
  let safe: Int64

  /// Whether a register was written by somebody else since.
  func hasNotSeen(_ numbered: LedgerRecord.Numbered) -> Bool {
    numbered.number > safe && numbered.register.clock.replica != replica
  }
}
