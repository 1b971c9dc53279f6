import CoreData
import Foundation

extension SortDescriptor where Compared: PersistentModel {
  /// Translates the sort descriptor for a fetch. Strings sort as in file managers; with the
  /// comparator `.localized` by the language, with `.lexical` by their Unicode scalars.
  ///
  /// Throws ``SwiftDataError/unsupportedSortDescriptor`` unless the key path leads to a stored
  /// property, possibly through to-one relationships.
  func translated() throws -> NSSortDescriptor {
    guard let keyPath else {
      throw SwiftDataError(
        .unsupportedSortDescriptor,
        explanation: "The sort descriptor has a comparison of its own and no key path")
    }
    guard let path = KeyPathProbe<Compared>.path(of: keyPath) else {
      throw SwiftDataError(
        .unsupportedSortDescriptor,
        explanation:
          "The key path \(keyPath) of \(Compared.self) leads to no property that a store could sort by: it is computed "
          + "or @Transient, or leads to a collection or a structure. Sort the fetched models")
    }
    return NSSortDescriptor(
      key: path, ascending: order == .forward,
      selectorName: SortSelector(of: self, keyPath).rawValue)
  }
}
