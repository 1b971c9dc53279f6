/// A fetch index of the model, as SQL for the store.
struct FetchIndex {
  let entityNumber: Int
  let name: String
  let creation: String
  /// The R-tree; nil for an ordinary index.
  let tree: SearchTree?
}
