import CoreData
import Foundation
struct TranslatedPredicate {
  let predicate: NSPredicate
  let filtersInMemory: Bool
}
extension Predicate {
  func translated() throws -> TranslatedPredicate { throw SwiftDataError.unsupportedPredicate }
}
extension SortDescriptor where Compared: PersistentModel {
  func translated() throws -> NSSortDescriptor {
    NSSortDescriptor(
      key: keyPath.flatMap { ModelType.of(Compared.self).property(for: $0)?.name } ?? "",
      ascending: order == .forward)
  }
}
