import Foundation

/// The resource bundles of a program's targets, which the package manager puts beside the program:
/// `Package_Target.resources`.
public enum ResourceBundles {
  private static let pathExtension = "resources"

  /// The path of the bundle for a class: the resource bundle of its module's target if there is
  /// one, otherwise the result of Foundation's `Bundle(for:)`.
  ///
  /// Called by generated code, so that its `Bundle(for:)` finds the bundle of `Bundle.module`.
  public static func path(for aClass: AnyClass) -> String {
    let module = String(reflecting: aClass).prefix { $0 != "." }
    let found = urls.first { identifier(of: $0) == module }
    return found?.path ?? Foundation.Bundle(for: aClass).bundlePath
  }

  /// The resource bundle of a target, by the name of its module; nil if there is none.
  package static func bundle(ofModule module: String) -> Bundle? {
    urls.first { identifier(of: $0) == module }.flatMap { Bundle(url: $0) }
  }

  package static var all: [Bundle] { urls.compactMap { Bundle(url: $0) } }

  private static var urls: [URL] {
    // A folder that cannot be listed has no readable bundles.
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.filter { $0.hasSuffix("." + pathExtension) }.sorted().map {
      folder.appendingPathComponent($0)
    }
  }

  private static var folder: URL { Bundle.main.bundleURL }

  /// The name of the target's module: `My_Target` for `My_Package_My-Target`.
  private static func identifier(of bundle: URL) -> String {
    let name = bundle.deletingPathExtension().lastPathComponent
    return String(
      name.drop { $0 != "_" }.dropFirst().map { $0.isLetter || $0.isNumber ? $0 : "_" })
  }
}
