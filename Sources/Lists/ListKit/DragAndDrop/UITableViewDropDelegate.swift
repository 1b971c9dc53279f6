import Foundation

/// The effect of a drop.
///
/// Source: UIKit, `UIDropOperation`.
public enum UIDropOperation: UInt, Sendable {
  case cancel, forbidden, copy, move
}

/// The effect that a drop on a table would have.
///
/// Source: UIKit, `UITableViewDropProposal`.
@MainActor
public final class UITableViewDropProposal {
  /// The position of a drop: between rows or onto a row.
  public enum Intent: Int, Sendable {
    case unspecified
    case insertAtDestinationIndexPath
    case insertIntoDestinationIndexPath
    case automatic
  }

  /// The effect. A drop is carried out only for `move` and `copy`.
  public let operation: UIDropOperation
  /// The position of the drop.
  public let intent: Intent

  /// Makes a proposal.
  public init(operation: UIDropOperation, intent: Intent = .unspecified) {
    self.operation = operation
    self.intent = intent
  }
}

/// A dropped item.
///
/// Source: UIKit, `UITableViewDropItem`.
@MainActor
public protocol UITableViewDropItem {
  /// The dragged item.
  var dragItem: UIDragItem { get }
  /// The row that the item was dragged from.
  var sourceIndexPath: IndexPath? { get }
}

/// A drop to carry out.
///
/// Source: UIKit, `UITableViewDropCoordinator`.
@MainActor
public protocol UITableViewDropCoordinator: AnyObject {
  /// The dropped items.
  var items: [any UITableViewDropItem] { get }
  /// The row that the items were dropped onto.
  var destinationIndexPath: IndexPath? { get }
  /// The delegate's proposal for this drop.
  var proposal: UITableViewDropProposal { get }
  /// The drag.
  var session: any UIDropSession { get }
}

/// Lets rows be dropped onto rows.
///
/// Source: UIKit, `UITableViewDropDelegate`, reduced to drags within one table. A drop between rows
/// calls `tableView(_:moveRowAt:to:)` instead; a drop onto a row comes here, with the intent
/// `.insertIntoDestinationIndexPath`.
@MainActor
public protocol UITableViewDropDelegate: AnyObject {
  /// Whether the table accepts a drag; true by default.
  func tableView(_ tableView: UITableView, canHandle session: any UIDropSession) -> Bool
  /// Returns the proposal for a drop onto a row; by default a move into it.
  func tableView(
    _ tableView: UITableView, dropSessionDidUpdate session: any UIDropSession,
    withDestinationIndexPath destinationIndexPath: IndexPath?
  ) -> UITableViewDropProposal
  /// Carries the drop out: changes the model and updates the table.
  func tableView(
    _ tableView: UITableView, performDropWith coordinator: any UITableViewDropCoordinator)
}

extension UITableViewDropDelegate {
  /// Returns true.
  public func tableView(_ tableView: UITableView, canHandle session: any UIDropSession) -> Bool {
    true
  }
  /// Returns a move into the row.
  public func tableView(
    _ tableView: UITableView, dropSessionDidUpdate session: any UIDropSession,
    withDestinationIndexPath destinationIndexPath: IndexPath?
  ) -> UITableViewDropProposal {
    UITableViewDropProposal(operation: .move, intent: .insertIntoDestinationIndexPath)
  }
}
