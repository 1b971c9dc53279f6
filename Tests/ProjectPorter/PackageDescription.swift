import Foundation
import Testing

/// What SwiftPM reads in a manifest.
struct PackageDescription {
  struct Target {
    let name: String
    let type: String
    let uses: [String]
    let resources: [Any]
    let settings: String
  }

  let name: String
  let targets: [Target]
  let packages: [String]

  init(_ folder: URL) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["swift", "package", "--package-path", folder.path, "dump-package"]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let all = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    name = try #require(all["name"] as? String)
    targets = try #require(all["targets"] as? [[String: Any]]).map { target in
      let uses = (target["dependencies"] as? [[String: Any]] ?? []).compactMap { dependency in
        (dependency.values.first as? [Any])?.first as? String
      }
      let settings = try JSONSerialization.data(
        withJSONObject: target["settings"] ?? [], options: [.withoutEscapingSlashes])
      return Target(
        name: target["name"] as? String ?? "", type: target["type"] as? String ?? "", uses: uses,
        resources: target["resources"] as? [Any] ?? [],
        settings: String(decoding: settings, as: UTF8.self))
    }
    packages = (all["dependencies"] as? [[String: [[String: Any]]]] ?? []).compactMap {
      $0.values.first?.first?["identity"] as? String
    }
  }
}
