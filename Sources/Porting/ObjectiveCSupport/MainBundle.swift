/// The bundle of an application's resources. Replaces `Bundle.main` in ported sources.
///
/// On Apple's systems these resources lie in the main bundle, also while the application's tests
/// run. Here each target has a bundle of its own: a source's is that of its target. Where the
/// target has none, and for tests, it is that of the target whose name theirs begins with, or the
/// only one; and otherwise Foundation's main bundle.
///
/// - Parameter fileID: `#fileID` of the source.
public func mainBundle(for fileID: String) -> Bundle {
  let module = String(fileID.prefix { $0 != "/" })
  let bundles = ResourceBundles.all.map { (module: moduleName(of: $0), bundle: $0) }
    .filter { !$0.module.hasSuffix("Tests") }
  let found =
    bundles.first { $0.module == module }
    ?? bundles.filter { module.hasPrefix($0.module) }.max { $0.module.count < $1.module.count }
    ?? (bundles.count == 1 ? bundles.first : nil)
  return found?.bundle ?? .main
}

/// The name of the target's module: `My_Target` for `My_Package_My-Target.resources`.
private func moduleName(of bundle: Bundle) -> String {
  let name = bundle.bundleURL.deletingPathExtension().lastPathComponent
  return String(
    name.drop { $0 != "_" }.dropFirst().map { $0.isLetter || $0.isNumber ? $0 : "_" })
}

extension Bundle {
  /// The identifier of the bundle. Replaces `bundleIdentifier` in ported sources: bundles have none
  /// here, and their copies say what the project says.
  ///
  /// - Parameters:
  ///   - known: the identifier that the project gives to the target, if it is known.
  ///   - fileID: `#fileID` of the source, whose module gives its name where nothing else does.
  public func identifier(saidToBe known: String?, for fileID: String) -> String? {
    bundleIdentifier ?? known ?? String(fileID.prefix { $0 != "/" })
  }
}
