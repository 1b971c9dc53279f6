/// The directory of stores that are added without a URL of their own.
package enum DefaultDirectory {
  /// The program's own folder in the user's directory for application data:
  /// `~/.local/share/PROGRAM`, where `PROGRAM` is the main bundle's identifier, or else the name of
  /// the executable.
  package static var url: URL { shared.appendingPathComponent(program, isDirectory: true) }

  /// The user's directory for application data, shared by all programs: `$XDG_DATA_HOME`, or
  /// `~/.local/share`.
  package static var shared: URL {
    let manager = FileManager.default
    return manager.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
      ?? manager.homeDirectoryForCurrentUser
  }

  private static var program: String {
    let name = Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName
    return name.isEmpty ? "Program" : name.replacingOccurrences(of: "/", with: "_")
  }

  /// Makes the directory of a store's file, unless the store is read-only, in memory, or at
  /// `/dev/null`.
  static func make(for description: NSPersistentStoreDescription) throws {
    guard let url = description.url, url.isFileURL, !description.isReadOnly,
      description.type != NSInMemoryStoreType, !url.path.hasPrefix("/dev/null")
    else { return }
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
  }

  /// Moves a store from the directory of all programs, where earlier versions made it, to its URL
  /// in the program's own folder.
  static func moveIn(
    _ description: NSPersistentStoreDescription, of model: NSManagedObjectModel
  ) throws {
    guard let url = description.url, url.isFileURL, !description.isReadOnly,
      url.deletingLastPathComponent().standardizedFileURL.path == self.url.standardizedFileURL.path
    else { return }
    let former = shared.appendingPathComponent(url.lastPathComponent)
    try FormerPlace(former: former, url: url, type: description.type).moveIn(of: model)
  }
}
