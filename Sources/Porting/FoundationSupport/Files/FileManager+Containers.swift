extension FileManager {
  /// The folder that programs of one group share, per user: `Group Containers/GROUP` in the folder
  /// of application data. Creates the folder if necessary; returns nil if that fails.
  ///
  /// Source: developer.apple.com/documentation/foundation/filemanager, the page
  /// `containerURL(forSecurityApplicationGroupIdentifier:)`
  public func containerURL(
    forSecurityApplicationGroupIdentifier groupIdentifier: String
  ) -> URL? {
    guard let data = urls(for: .applicationSupportDirectory, in: .userDomainMask).first else {
      return nil
    }
    let folder = data.appendingPathComponent("Group Containers", isDirectory: true)
      .appendingPathComponent(groupIdentifier, isDirectory: true)
    do {
      try createDirectory(at: folder, withIntermediateDirectories: true)
    } catch {
      // Apple's systems return nil if the program is not in the group.
      return nil
    }
    return folder
  }
}
