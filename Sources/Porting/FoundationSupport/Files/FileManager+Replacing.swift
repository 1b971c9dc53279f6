import Foundation

extension FileManager {
  /// Replaces an item by another, and gives the place of the result. The result keeps the
  /// permissions of the former item or, with `usingNewMetadataOnly`, those of the other one.
  /// If that fails, the original item is where it was. Foundation's `replaceItemAt` loses
  /// items here.
  public func replaceItem(
    at originalItemURL: URL, withItemAt newItemURL: URL, backupItemName: String?,
    options: ItemReplacementOptions = [], resultingItemURL: UnsafeMutablePointer<NSURL?>?
  ) throws {
    let folder = originalItemURL.deletingLastPathComponent()
    let backup = folder.appendingPathComponent(
      backupItemName ?? ".\(originalItemURL.lastPathComponent).\(UUID().uuidString)")
    if backupItemName != nil, fileExists(atPath: backup.path) { try removeItem(at: backup) }
    let permissions =
      options.contains(.usingNewMetadataOnly)
      ? nil : try? attributesOfItem(atPath: originalItemURL.path)[.posixPermissions]
    let hasBackup = fileExists(atPath: originalItemURL.path)
    if hasBackup { try moveItem(at: originalItemURL, to: backup) }
    do { try moveItem(at: newItemURL, to: originalItemURL) } catch {
      if hasBackup { try moveItem(at: backup, to: originalItemURL) }
      throw error
    }
    if let permissions {
      try setAttributes([.posixPermissions: permissions], ofItemAtPath: originalItemURL.path)
    }
    let isKept = backupItemName != nil && options.contains(.withoutDeletingBackupItem)
    if hasBackup, !isKept { try removeItem(at: backup) }
    resultingItemURL?.pointee = originalItemURL as NSURL
  }
}
