import Foundation

/// The data that a drag offers to other applications. Empty: drags stay within a window here.
///
/// Source: Foundation on Apple's platforms, `NSItemProvider`.
@MainActor
public final class NSItemProvider {
  /// Makes a provider without data.
  public init() {}
}

/// A dragged item.
///
/// Source: UIKit, `UIDragItem`.
@MainActor
public final class UIDragItem {
  /// The provider that the item was made with.
  public let itemProvider: NSItemProvider
  /// The application's own object for the item, read by the drop's side.
  public var localObject: Any?

  /// Makes an item.
  public init(itemProvider: NSItemProvider) { self.itemProvider = itemProvider }
}

/// A drag from its start to its end, as both sides see it.
///
/// Source: UIKit, `UIDragSession`, `UIDropSession`.
@MainActor
public protocol UIDragDropSession: AnyObject {
  /// The dragged items.
  var items: [UIDragItem] { get }
}

/// A drag as its source sees it.
@MainActor
public protocol UIDragSession: UIDragDropSession {
  /// The application's own object for the drag.
  var localContext: Any? { get set }
}

/// A drag as its target sees it.
@MainActor
public protocol UIDropSession: UIDragDropSession {
  /// The session of a drag that began in this application; here it always did.
  var localDragSession: (any UIDragSession)? { get }
}

/// Supplies the items of a drag.
///
/// Source: UIKit, `UITableViewDragDelegate`.
@MainActor
public protocol UITableViewDragDelegate: AnyObject {
  /// Returns the items for the drag of a row. A row without items cannot be dropped onto others.
  func tableView(
    _ tableView: UITableView, itemsForBeginning session: any UIDragSession, at indexPath: IndexPath
  ) -> [UIDragItem]
}
