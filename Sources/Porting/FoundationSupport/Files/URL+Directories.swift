extension URL {
  /// The user's directory for application data: `$XDG_DATA_HOME`, or `~/.local/share`.
  ///
  /// Source: developer.apple.com/documentation/foundation/url/applicationsupportdirectory
  public static var applicationSupportDirectory: URL {
    user(.applicationSupportDirectory, ".local/share")
  }

  /// The user's documents directory.
  public static var documentsDirectory: URL { user(.documentDirectory, "Documents") }

  /// The user's directory for data that can be recreated: `$XDG_CACHE_HOME`, or `~/.cache`.
  public static var cachesDirectory: URL { user(.cachesDirectory, ".cache") }

  /// The directory of application data. On Apple's systems, the directory that contains application
  /// data, caches and preferences; on this platform they have no common parent.
  public static var libraryDirectory: URL { applicationSupportDirectory }

  /// The user's desktop.
  public static var desktopDirectory: URL { user(.desktopDirectory, "Desktop") }

  /// The user's downloads directory.
  public static var downloadsDirectory: URL { user(.downloadsDirectory, "Downloads") }

  /// The user's pictures.
  public static var picturesDirectory: URL { user(.picturesDirectory, "Pictures") }

  /// The user's music.
  public static var musicDirectory: URL { user(.musicDirectory, "Music") }

  /// The user's films.
  public static var moviesDirectory: URL { user(.moviesDirectory, "Videos") }

  /// - Parameter name: the path within the home directory, if the system names no directory.
  private static func user(
    _ directory: FileManager.SearchPathDirectory, _ name: String
  ) -> URL {
    let manager = FileManager.default
    return manager.urls(for: directory, in: .userDomainMask).first
      ?? manager.homeDirectoryForCurrentUser.appendingPathComponent(name, isDirectory: true)
  }
}
