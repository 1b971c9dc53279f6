extension URL {
  /// The user's directory for the data of applications: `$XDG_DATA_HOME`, or `~/.local/share`.
  ///
  /// Source: developer.apple.com/documentation/foundation/url/applicationsupportdirectory
  public static var applicationSupportDirectory: URL {
    user(.applicationSupportDirectory, ".local/share")
  }

  /// The user's documents.
  public static var documentsDirectory: URL { user(.documentDirectory, "Documents") }

  /// What programs can make again: `$XDG_CACHE_HOME`, or `~/.cache`.
  public static var cachesDirectory: URL { user(.cachesDirectory, ".cache") }

  /// On Apple's systems the folder around application data, caches and preferences. Here these have no common one: it is that
  /// of application data.
  public static var libraryDirectory: URL { applicationSupportDirectory }

  /// The user's desktop.
  public static var desktopDirectory: URL { user(.desktopDirectory, "Desktop") }

  /// Where downloads go.
  public static var downloadsDirectory: URL { user(.downloadsDirectory, "Downloads") }

  /// The user's pictures.
  public static var picturesDirectory: URL { user(.picturesDirectory, "Pictures") }

  /// The user's music.
  public static var musicDirectory: URL { user(.musicDirectory, "Music") }

  /// The user's films.
  public static var moviesDirectory: URL { user(.moviesDirectory, "Videos") }

  /// - Parameter name: Below the user's own folder, where the system names none.
  private static func user(
    _ directory: FileManager.SearchPathDirectory, _ name: String
  ) -> URL {
    let manager = FileManager.default
    return manager.urls(for: directory, in: .userDomainMask).first
      ?? manager.homeDirectoryForCurrentUser.appendingPathComponent(name, isDirectory: true)
  }
}
