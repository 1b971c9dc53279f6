import CoreData

#if canImport(UIKit)
  import UIKit
#else
  import ListKit

  extension FetchedResultsControllerDataSource: SharedRows {
    /// Names the request, the store and the cells. A list that is paused shows rows of before, and
    /// one with a limit or of several stores is left to itself.
    package var sharingKey: String? {
      guard sharesRows, !isPaused, let controller = fetchedResultsController,
        let coordinator = controller.managedObjectContext.persistentStoreCoordinator,
        coordinator.persistentStores.count == 1
      else { return nil }
      let request = controller.fetchRequest
      guard request.fetchLimit == 0, request.fetchOffset == 0,
        let predicate = Self.words(of: request.predicate)
      else { return nil }
      let order = (request.sortDescriptors ?? []).map { "\($0.key ?? "")\($0.ascending)" }
      let parts = [
        "\(ObjectIdentifier(coordinator))", request.entityName ?? "", predicate,
        order.joined(separator: ","), controller.sectionNameKeyPath ?? "", reuseIdentifier,
        delegate.map { "\(type(of: $0))" } ?? "",
      ]
      return parts.joined(separator: "|")
    }
  }

  extension FetchedResultsControllerDataSource {
    /// Names a condition, with the IDs of objects in the place of those; nil for one that cannot be
    /// compared with those of other windows.
    private static func words(of predicate: NSPredicate?) -> String? {
      switch predicate {
      case nil: return ""
      case let compound as NSCompoundPredicate:
        let parts = compound.subpredicates.map { words(of: $0) }
        let known = parts.compactMap(\.self)
        guard known.count == parts.count else { return nil }
        return "\(compound.compoundPredicateType.rawValue)(\(known.joined(separator: ";")))"
      case let comparison as NSComparisonPredicate:
        guard let left = words(of: comparison.leftExpression),
          let right = words(of: comparison.rightExpression)
        else { return nil }
        return "\(left) \(comparison.predicateOperatorType.rawValue) "
          + "\(comparison.options.rawValue) \(comparison.comparisonPredicateModifier.rawValue) "
          + right
      default: return nil
      }
    }

    private static func words(of expression: NSExpression) -> String? {
      switch expression.expressionType {
      case .keyPath: return expression.keyPath
      case .evaluatedObject: return "SELF"
      case .constantValue:
        switch expression.constantValue {
        case nil: return "nil"
        case let object as NSManagedObject: return name(of: object.objectID)
        case let id as NSManagedObjectID: return name(of: id)
        case let text as String: return "“\(text)”"
        case let number as NSNumber: return "\(number)"
        default: return nil
        }
      default: return nil
      }
    }

    private static func name(of id: NSManagedObjectID) -> String? {
      id.isTemporaryID ? nil : id.uriRepresentation().absoluteString
    }

    /// The name of an object's row, the same in all windows. A new object gets its permanent ID for
    /// it; if that fails, the row has a name of its window alone.
    private func rowName(at path: IndexPath) -> String? {
      guard let object = object(at: path) else { return nil }
      if object.objectID.isTemporaryID {
        try? object.managedObjectContext?.obtainPermanentIDs(for: [object])
      }
      let id = object.objectID
      return id.isTemporaryID ? nil : id.uriRepresentation().lastPathComponent
    }
  }

  extension FetchedResultsControllerDataSource {
    /// The name of a row, the same in all windows.
    public func tableView(
      _ tableView: UITableView, identifierForRowAt indexPath: IndexPath
    ) -> String? { rowName(at: indexPath) }

    /// The name of an item, the same in all windows.
    public func collectionView(
      _ collectionView: UICollectionView, identifierForItemAt indexPath: IndexPath
    ) -> String? { rowName(at: indexPath) }
  }
#endif
