import Foundation

/// Casts with `as` between a snapshot and its reference object, as on Apple's platforms.
extension NSDiffableDataSourceSnapshot: _ObjectiveCBridgeable {
  /// The reference object of the snapshot.
  public func _bridgeToObjectiveC() -> NSDiffableDataSourceSnapshotReference {
    NSDiffableDataSourceSnapshotReference(self)
  }

  /// Sets `result` to the typed value of `source`. Traps if an identifier is of another type.
  public static func _forceBridgeFromObjectiveC(
    _ source: NSDiffableDataSourceSnapshotReference, result: inout NSDiffableDataSourceSnapshot?
  ) {
    result = NSDiffableDataSourceSnapshot(source)
  }

  /// Sets `result` to the typed value of `source`, or to nil if an identifier is of another type.
  /// Returns whether it has a value.
  public static func _conditionallyBridgeFromObjectiveC(
    _ source: NSDiffableDataSourceSnapshotReference, result: inout NSDiffableDataSourceSnapshot?
  ) -> Bool {
    result = NSDiffableDataSourceSnapshot(ifTypesFit: source)
    return result != nil
  }

  /// The typed value of `source`, or an empty snapshot for nil. Traps if an identifier is of
  /// another type.
  public static func _unconditionallyBridgeFromObjectiveC(
    _ source: NSDiffableDataSourceSnapshotReference?
  ) -> NSDiffableDataSourceSnapshot {
    source.map { NSDiffableDataSourceSnapshot($0) } ?? NSDiffableDataSourceSnapshot()
  }

  /// Returns nil if an identifier is of another type.
  private init?(ifTypesFit reference: NSDiffableDataSourceSnapshotReference) {
    let erased = reference.snapshot
    let sections = erased.erasedSections
    guard
      erased is Self
        || sections.allSatisfy({ $0 is SectionIdentifierType })
          && sections.allSatisfy({ section in
            erased.erasedItems(in: section).allSatisfy { $0 is ItemIdentifierType }
          })
    else { return nil }
    self.init(reference)
  }
}
