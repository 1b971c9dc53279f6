import Foundation

extension FileManager {
  /// Replaces an item by another, as `replaceItemAt(_:withItemAt:backupItemName:options:)` does,
  /// and gives the place of the result. If that fails, the original item is where it was.
  public func replaceItem(
    at originalItemURL: URL, withItemAt newItemURL: URL, backupItemName: String?,
    options: ItemReplacementOptions = [], resultingItemURL: UnsafeMutablePointer<NSURL?>?
  ) throws {
    let result =
      options.contains(.usingNewMetadataOnly)
      ? try replaceWhole(originalItemURL, by: newItemURL, backupItemName, options)
      : try replaceItemAt(
        originalItemURL, withItemAt: newItemURL, backupItemName: backupItemName, options: options)
    resultingItemURL?.pointee = result.map { $0 as NSURL }
  }

  /// Moves the new item, with its metadata, to the place of the other one. Foundation's own call
  /// loses both of them here.
  private func replaceWhole(
    _ original: URL, by new: URL, _ backupName: String?, _ options: ItemReplacementOptions
  ) throws -> URL? {
    let folder = original.deletingLastPathComponent()
    let backup = folder.appendingPathComponent(
      backupName ?? ".\(original.lastPathComponent).\(UUID().uuidString)")
    if backupName != nil, fileExists(atPath: backup.path) { try removeItem(at: backup) }
    let hasBackup = fileExists(atPath: original.path)
    if hasBackup { try moveItem(at: original, to: backup) }
    do { try moveItem(at: new, to: original) } catch {
      if hasBackup { try moveItem(at: backup, to: original) }
      throw error
    }
    let isKept = backupName != nil && options.contains(.withoutDeletingBackupItem)
    if hasBackup, !isKept { try removeItem(at: backup) }
    return original
  }
}
