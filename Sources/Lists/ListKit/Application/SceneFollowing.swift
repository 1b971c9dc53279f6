/// Brings a scene up to date with what others have changed, when its renderer asks for it: when the
/// scene has its turn, and before each event of its user.
@MainActor
package protocol SceneFollowing: AnyObject {
  /// Whether others have changed what the scene does not know of yet.
  var isBehind: Bool { get }
  /// Whether the scene itself must look at each change soon, since its user may have to be told of
  /// it. Otherwise it may stay behind while its page shows what equal scenes show.
  var mustLook: Bool { get }
  /// Takes over all that others have changed.
  func takeOver()
  /// Asks for a turn, for a scene that has left one out.
  func askForTurn()
}
