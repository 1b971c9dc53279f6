import Foundation

/// Pods of a project, read from the lines `  - Name (1.2.3)` of `Podfile.lock`.
enum Pods {
  /// Packages, at the locked versions, of those pods that are also packages known to build on
  /// Linux.
  static func packages(in folder: URL) -> [RemotePackage] {
    // A project without CocoaPods has no such file.
    guard
      let text = try? String(
        contentsOf: folder.appendingPathComponent("Podfile.lock"), encoding: .utf8)
    else { return [] }
    var packages: [RemotePackage] = []
    for match in text.matches(of: /(?m)^  - "?(\w+)(?:\/[\w\/]+)? \((\d+(?:\.\d+)*)\)/) {
      guard let url = KnownPackages.ofPods[String(match.1)],
        !packages.contains(where: { $0.url == url })
      else { continue }
      packages.append(RemotePackage(url: url, requirement: "exact: \"\(version(match.2))\""))
    }
    return packages
  }

  /// The version with three components, as packages require it.
  private static func version(_ text: Substring) -> String {
    let parts = text.split(separator: ".").prefix(3)
    return (parts + Array(repeating: "0", count: 3 - parts.count)).joined(separator: ".")
  }
}
