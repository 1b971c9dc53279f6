import Foundation

/// Stands for the data that a drag offers to other applications; here drags stay within a window.
///
/// Source: Foundation on Apple's platforms, `NSItemProvider`.
@MainActor
public final class NSItemProvider {
  public init() {}
}

/// Something that is dragged.
///
/// Source: UIKit, `UIDragItem`.
@MainActor
public final class UIDragItem {
  public let itemProvider: NSItemProvider
  /// What the item is, for the drop's side in the same application.
  public var localObject: Any?

  public init(itemProvider: NSItemProvider) { self.itemProvider = itemProvider }
}

/// A drag from its start to its end; it is also what a drop sees of it.
///
/// Source: UIKit, `UIDragSession`, `UIDropSession`.
@MainActor
public protocol UIDragDropSession: AnyObject {
  var items: [UIDragItem] { get }
}

@MainActor
public protocol UIDragSession: UIDragDropSession {
  var localContext: Any? { get set }
}

@MainActor
public protocol UIDropSession: UIDragDropSession {
  var localDragSession: (any UIDragSession)? { get }
}

/// Source: UIKit, `UITableViewDragDelegate`.
@MainActor
public protocol UITableViewDragDelegate: AnyObject {
  /// What the drag of a row carries; none means that the row cannot be dragged onto others.
  func tableView(
    _ tableView: UITableView, itemsForBeginning session: any UIDragSession, at indexPath: IndexPath
  ) -> [UIDragItem]
}
