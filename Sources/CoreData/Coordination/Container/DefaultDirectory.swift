/// Where stores go when nobody says otherwise.
enum DefaultDirectory {
  /// The user's directory for application data: `$XDG_DATA_HOME`, or `~/.local/share`.
  static var url: URL {
    let manager = FileManager.default
    return manager.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
      ?? manager.homeDirectoryForCurrentUser
  }

  /// Makes the directory that a store's file goes into, unless the store is only read.
  static func make(for description: NSPersistentStoreDescription) throws {
    guard let url = description.url, url.isFileURL, !description.isReadOnly,
      description.type != NSInMemoryStoreType, !url.path.hasPrefix("/dev/null")
    else { return }
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
  }
}
