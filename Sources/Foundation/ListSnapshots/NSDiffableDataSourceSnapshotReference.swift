import Foundation

/// A snapshot as an object without static identifier types: `NSFetchedResultsController` passes one
/// to its delegate.
///
/// `snapshot as NSDiffableDataSourceSnapshot<String, NSManagedObjectID>` converts it to a typed
/// value, as does `NSDiffableDataSourceSnapshot(_:)`.
///
/// A reference can be made with a closure that makes the snapshot. The closure runs at the first
/// access to the snapshot, or never. Until then the data that it reads must not change, or the
/// snapshot shows the later state. A reference is not Sendable; its value is.
///
/// Follows https://developer.apple.com/documentation/uikit/nsdiffabledatasourcesnapshotreference
public class NSDiffableDataSourceSnapshotReference: NSObject, NSCopying {
  private enum Content {
    case value(any ErasedSnapshot)
    case deferred(() -> any ErasedSnapshot)
  }

  private var content: Content

  /// Makes an empty snapshot for identifiers of any hashable type.
  public override init() {
    content = .value(NSDiffableDataSourceSnapshot<AnyIdentifier, AnyIdentifier>())
  }

  /// Makes a reference to the snapshot. Identifiers that are added later must be of its types.
  public init<Section, Item>(_ snapshot: NSDiffableDataSourceSnapshot<Section, Item>) {
    content = .value(snapshot)
  }

  /// Makes a reference to the snapshot that `snapshot` returns. The closure runs at the first
  /// access.
  public init<Section, Item>(
    deferred snapshot: @escaping () -> NSDiffableDataSourceSnapshot<Section, Item>
  ) {
    content = .deferred(snapshot)
  }

  /// Makes an independent copy. Makes a deferred snapshot first; O(1) otherwise.
  public func copy(with zone: NSZone? = nil) -> Any {
    NSDiffableDataSourceSnapshotReference(erased: snapshot)
  }

  private init(erased: any ErasedSnapshot) {
    content = .value(erased)
  }

  /// Whether the snapshot exists already.
  package var isBuilt: Bool {
    if case .value = content { true } else { false }
  }

  /// The snapshot. The first access makes a deferred one.
  var snapshot: any ErasedSnapshot {
    switch content {
    case .value(let snapshot): return snapshot
    case .deferred(let make):
      let snapshot = make()
      content = .value(snapshot)
      return snapshot
    }
  }

  func apply(_ edit: SnapshotEdit) {
    var changed = snapshot
    // Releases the only other reference, so that the edit changes the snapshot in place.
    content = .value(NSDiffableDataSourceSnapshot<AnyIdentifier, AnyIdentifier>())
    changed.apply(edit)
    content = .value(changed)
  }
}

extension NSDiffableDataSourceSnapshot {
  /// Makes the typed value of a reference, with its marks for reloading. O(1) if the reference has
  /// a snapshot of these types, as a fetched results controller's has (`String` and
  /// `NSManagedObjectID`). Otherwise casts each identifier; one of another type traps.
  public init(_ reference: NSDiffableDataSourceSnapshotReference) {
    let erased = reference.snapshot
    self = erased as? Self ?? Self(casting: erased)
  }

  private init(casting erased: any ErasedSnapshot) {
    self.init()
    apply(.appendSections(erased.erasedSections))
    for section in erased.erasedSections {
      apply(.appendItems(erased.erasedItems(in: section), section: section))
    }
    apply(.reloadSections(erased.erasedReloadedSections))
    apply(.reloadItems(erased.erasedReloadedItems))
    apply(.reconfigureItems(erased.erasedReconfiguredItems))
  }
}
