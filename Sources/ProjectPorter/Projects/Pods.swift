import Foundation

/// What CocoaPods has taken for a project, as `Podfile.lock` says: lines `  - Name (1.2.3)`.
enum Pods {
  /// Those pods that are packages too which build on Linux, at the same versions.
  static func packages(in folder: URL) -> [RemotePackage] {
    // No such file where nothing is of CocoaPods.
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

  /// In three parts, as packages have it.
  private static func version(_ text: Substring) -> String {
    let parts = text.split(separator: ".").prefix(3)
    return (parts + Array(repeating: "0", count: 3 - parts.count)).joined(separator: ".")
  }
}
