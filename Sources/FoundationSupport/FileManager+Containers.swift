extension FileManager {
  /// The folder that programs of one group share, here of one user: `Group Containers/GROUP` in the folder for
  /// applications' data. It is made when there is none.
  ///
  /// Source: developer.apple.com/documentation/foundation/filemanager/containerurl(forsecurityapplicationgroupidentifier:)
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
      // As where Apple's systems do not let a program into the group.
      return nil
    }
    return folder
  }
}
