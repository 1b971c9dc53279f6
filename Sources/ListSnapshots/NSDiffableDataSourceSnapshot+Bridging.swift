import Foundation

/// Lets casts convert between a snapshot and the object that stands for it, as on Apple's platforms.
extension NSDiffableDataSourceSnapshot: _ObjectiveCBridgeable {
  public func _bridgeToObjectiveC() -> NSDiffableDataSourceSnapshotReference {
    NSDiffableDataSourceSnapshotReference(self)
  }

  public static func _forceBridgeFromObjectiveC(
    _ source: NSDiffableDataSourceSnapshotReference, result: inout NSDiffableDataSourceSnapshot?
  ) {
    result = NSDiffableDataSourceSnapshot(source)
  }

  public static func _conditionallyBridgeFromObjectiveC(
    _ source: NSDiffableDataSourceSnapshotReference, result: inout NSDiffableDataSourceSnapshot?
  ) -> Bool {
    result = NSDiffableDataSourceSnapshot(ifTypesFit: source)
    return result != nil
  }

  public static func _unconditionallyBridgeFromObjectiveC(
    _ source: NSDiffableDataSourceSnapshotReference?
  ) -> NSDiffableDataSourceSnapshot {
    source.map { NSDiffableDataSourceSnapshot($0) } ?? NSDiffableDataSourceSnapshot()
  }

  /// nil where an identifier is of another type.
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
