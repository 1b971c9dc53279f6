import Foundation

extension FileManager {
  /// Replaces an item by another, as `replaceItemAt(_:withItemAt:backupItemName:options:)` does,
  /// and gives the place of the result.
  public func replaceItem(
    at originalItemURL: URL, withItemAt newItemURL: URL, backupItemName: String?,
    options: ItemReplacementOptions = [], resultingItemURL: UnsafeMutablePointer<NSURL?>?
  ) throws {
    let result = try replaceItemAt(
      originalItemURL, withItemAt: newItemURL, backupItemName: backupItemName, options: options)
    resultingItemURL?.pointee = result.map { $0 as NSURL }
  }
}
