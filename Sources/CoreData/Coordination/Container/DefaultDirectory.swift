/// Where stores go when nobody says otherwise.
package enum DefaultDirectory {
  /// The program's own folder among the user's application data: `~/.local/share/PROGRAM`, as `PROGRAM` is called by
  /// its bundle or else by its file.
  package static var url: URL { shared.appendingPathComponent(program, isDirectory: true) }

  /// The user's directory for application data, which belongs to all programs: `$XDG_DATA_HOME`, or `~/.local/share`.
  package static var shared: URL {
    let manager = FileManager.default
    return manager.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
      ?? manager.homeDirectoryForCurrentUser
  }

  private static var program: String {
    let name = Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName
    return name.isEmpty ? "Program" : name.replacingOccurrences(of: "/", with: "_")
  }

  /// Makes the directory that a store's file goes into, unless the store is only read.
  static func make(for description: NSPersistentStoreDescription) throws {
    guard let url = description.url, url.isFileURL, !description.isReadOnly,
      description.type != NSInMemoryStoreType, !url.path.hasPrefix("/dev/null")
    else { return }
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
  }

  /// Moves a store into its place from where it lay before programs had folders of their own.
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
