/// The data source of a list whose rows are those of other windows.
@MainActor
package protocol SharedRows: AnyObject {
  /// Equal for two lists that show the same objects in the same way, now and after each change;
  /// `nil` for a list that may be its window's own.
  var sharingKey: String? { get }
}
