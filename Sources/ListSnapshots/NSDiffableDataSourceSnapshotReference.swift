import Foundation

/// A snapshot as an object, whose identifier types are not known: what
/// `NSFetchedResultsController` hands to its delegate.
///
/// `snapshot as NSDiffableDataSourceSnapshot<String, NSManagedObjectID>` makes the typed value of it, as does
/// `NSDiffableDataSourceSnapshot(_:)`.
///
/// A reference may be made with a closure that makes the snapshot; it runs when the reference is
/// first looked at, and never if nobody looks. Until then what the closure reads must not change,
/// or the snapshot is of the later moment. A reference is not Sendable; its value is.
///
/// Follows https://developer.apple.com/documentation/uikit/nsdiffabledatasourcesnapshotreference
public class NSDiffableDataSourceSnapshotReference: NSObject, NSCopying {
  private enum Content {
    case value(any ErasedSnapshot)
    case deferred(() -> any ErasedSnapshot)
  }

  private var content: Content

  /// Makes an empty snapshot that takes identifiers of any hashable type.
  public override init() {
    content = .value(NSDiffableDataSourceSnapshot<AnyIdentifier, AnyIdentifier>())
  }

  /// Makes a reference to the snapshot. Identifiers that are added later must be of its types.
  public init<Section, Item>(_ snapshot: NSDiffableDataSourceSnapshot<Section, Item>) {
    content = .value(snapshot)
  }

  /// Makes a reference to the snapshot that the closure makes when it is first looked at.
  public init<Section, Item>(
    deferred snapshot: @escaping () -> NSDiffableDataSourceSnapshot<Section, Item>
  ) {
    content = .deferred(snapshot)
  }

  /// Makes a copy that changes independently, looking at the snapshot. O(1) once it is built.
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

  /// The snapshot, made now if it does not exist yet.
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
    // The only other reference is given up, so that the change is made in place.
    content = .value(NSDiffableDataSourceSnapshot<AnyIdentifier, AnyIdentifier>())
    changed.apply(edit)
    content = .value(changed)
  }
}

extension NSDiffableDataSourceSnapshot {
  /// Makes the typed value of a reference, marks for reloading included. O(1) if the reference holds
  /// a snapshot of these types, as those of a fetched results controller do (`String` and
  /// `NSManagedObjectID`); otherwise each identifier is cast, and one of another type traps.
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
