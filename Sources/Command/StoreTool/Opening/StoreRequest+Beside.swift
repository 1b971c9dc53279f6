import CoreData

extension StoreRequest {
  /// Opens the store beside another one, with which it is compared or whose objects it gives.
  ///
  /// A store that keeps no model of itself is read by that of the other one, if it was made by it:
  /// a guessed model has other names, by which every object would differ.
  package func opened(beside other: StoreRequest) throws -> OpenedStore {
    let own = Result { try OpenedStore(self) }
    if model != nil { return try own.get() }
    if case .success(let store) = own, store.origin != .guessed { return store }
    var borrowing = self
    borrowing.model = other.model ?? other.store
    borrowing.modelVersion = other.modelVersion
    if let borrowed = try? OpenedStore(borrowing) { return borrowed }
    return try own.get()
  }
}
