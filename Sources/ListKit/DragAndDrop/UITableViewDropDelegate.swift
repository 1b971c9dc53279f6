import Foundation

public enum UIDropOperation: UInt, Sendable {
  case cancel, forbidden, copy, move
}

/// What a table would do with a drop.
///
/// Source: UIKit, `UITableViewDropProposal`.
@MainActor
public final class UITableViewDropProposal {
  public enum Intent: Int, Sendable {
    case unspecified
    case insertAtDestinationIndexPath
    case insertIntoDestinationIndexPath
    case automatic
  }

  public let operation: UIDropOperation
  public let intent: Intent

  public init(operation: UIDropOperation, intent: Intent = .unspecified) {
    self.operation = operation
    self.intent = intent
  }
}

/// One of the things dropped.
///
/// Source: UIKit, `UITableViewDropItem`.
@MainActor
public protocol UITableViewDropItem {
  var dragItem: UIDragItem { get }
  var sourceIndexPath: IndexPath? { get }
}

/// A drop that is to be carried out.
///
/// Source: UIKit, `UITableViewDropCoordinator`.
@MainActor
public protocol UITableViewDropCoordinator: AnyObject {
  var items: [any UITableViewDropItem] { get }
  var destinationIndexPath: IndexPath? { get }
  var proposal: UITableViewDropProposal { get }
  var session: any UIDropSession { get }
}

/// Lets rows be dropped onto rows.
///
/// Source: UIKit, `UITableViewDropDelegate`. Reduced: drags within one table; dropping between rows
/// is `tableView(_:moveRowAt:to:)`, dropping onto a row comes here with the intent
/// `.insertIntoDestinationIndexPath`.
@MainActor
public protocol UITableViewDropDelegate: AnyObject {
  func tableView(_ tableView: UITableView, canHandle session: any UIDropSession) -> Bool
  func tableView(
    _ tableView: UITableView, dropSessionDidUpdate session: any UIDropSession,
    withDestinationIndexPath destinationIndexPath: IndexPath?
  ) -> UITableViewDropProposal
  func tableView(
    _ tableView: UITableView, performDropWith coordinator: any UITableViewDropCoordinator)
}

extension UITableViewDropDelegate {
  public func tableView(_ tableView: UITableView, canHandle session: any UIDropSession) -> Bool {
    true
  }
  public func tableView(
    _ tableView: UITableView, dropSessionDidUpdate session: any UIDropSession,
    withDestinationIndexPath destinationIndexPath: IndexPath?
  ) -> UITableViewDropProposal {
    UITableViewDropProposal(operation: .move, intent: .insertIntoDestinationIndexPath)
  }
}
