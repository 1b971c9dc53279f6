extension Bundle {
  /// The URLs of all resources with an extension, such as the versions of a model. Foundation's own
  /// method of this name gives `NSURL` on this platform; this one is chosen where the extension is
  /// not optional.
  public func urls(
    forResourcesWithExtension ext: String, subdirectory subpath: String?
  ) -> [URL]? {
    let found: [NSURL]? = urls(forResourcesWithExtension: Optional(ext), subdirectory: subpath)
    return found?.map { $0 as URL }
  }
}
