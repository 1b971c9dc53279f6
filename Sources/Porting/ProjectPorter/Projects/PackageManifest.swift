import Foundation
import Synchronization

/// A package, read by means of `swift package dump-package`.
struct PackageManifest {
  private let folder: URL
  private let visited: VisitedPlaces

  init(_ folder: URL, visited: VisitedPlaces) {
    self.folder = folder
    self.visited = visited
    _ = visited.isNew(folder)
  }

  func read() throws -> Project {
    let manifest = try dumped()
    var project = Project(name: manifest.name, folder: folder)
    project.packages = manifest.dependencies.compactMap(\.remote)
    let products = Dictionary(
      manifest.products.map { ($0.name, $0.targets) }, uniquingKeysWith: { first, _ in first })
    for target in manifest.targets {
      guard let kind = target.kind else { continue }
      var result = ProjectTarget(name: target.name, module: target.name.asModuleName, kind: kind)
      let isAlone = manifest.targets.count { $0.kind == kind } == 1
      let files = files(of: target, in: place(of: target, isAlone: isAlone))
      for file in files { result.add(file) }
      for dependency in target.dependencies {
        if let name = dependency.target ?? dependency.byName {
          result.dependencies += products[name] ?? [name]
          result.products.append(ProductUse(product: name, package: nil))
        }
        if let (name, package) = dependency.product {
          result.products.append(ProductUse(product: name, package: package?.lowercased()))
        }
      }
      result.folder = place(of: target, isAlone: isAlone)
      result.swiftVersion = swiftVersion(manifest)
      for setting in target.settings ?? [] { setting.apply(to: &result) }
      project.headers += files.filter { $0.pathExtension == "h" }
      project.targets.append(result)
    }
    for place in manifest.dependencies.compactMap(\.local) {
      let place = URL(fileURLWithPath: place)
      guard place.appendingPathComponent("Package.swift").isThere, visited.isNew(place)
      else { continue }
      project.add(try PackageManifest(place, visited: visited).read())
    }
    return project
  }

  /// The package's language mode, for targets without their own: the newest one named that is at
  /// most 6, or else that of the tools version.
  private func swiftVersion(_ manifest: DumpedPackage) -> Double {
    let named = (manifest.swiftLanguageVersions ?? []).compactMap { Double($0) }.filter { $0 <= 6 }
    return named.max() ?? (manifest.version >= 6 ? 6 : 5)
  }

  /// - Parameter isAlone: whether the target is the only one of its kind; its files may then lie
  ///   directly in the kind's folder.
  private func place(of target: DumpedPackage.Target, isAlone: Bool) -> URL {
    if let path = target.path { return folder.appendingPathComponent(path).standardizedFileURL }
    let names =
      target.kind == .tests ? ["Tests", "Sources"] : ["Sources", "Source", "src", "srcs"]
    let roots = names.map { folder.appendingPathComponent($0) }
    let places = roots.map { $0.appendingPathComponent(target.name) } + (isAlone ? roots : [])
    return places.first { $0.isThere } ?? places[0]
  }

  private func files(of target: DumpedPackage.Target, in place: URL) -> [URL] {
    let path = { (part: String) in place.appendingPathComponent(part).standardizedFileURL.path }
    let excluded = target.exclude.map(path)
    let included = target.sources?.map(path)
    return FolderFiles.all(in: place).filter { file in
      let isIn = { (path: String) in file.path == path || file.path.hasPrefix(path + "/") }
      if excluded.contains(where: isIn) { return false }
      return file.pathExtension != "swift" || included?.contains(where: isIn) ?? true
    }
  }

  /// What SwiftPM said of manifests, by their texts. For tests, whose folders have the same few: it
  /// takes a second for each.
  final class KnownDescriptions: Sendable {
    fileprivate let all = Mutex<[String: DumpedPackage]>([:])
  }
  @TaskLocal static var known: KnownDescriptions?

  private func dumped() throws -> DumpedPackage {
    guard let known = Self.known,
      let text = try? String(
        contentsOf: folder.appendingPathComponent("Package.swift"), encoding: .utf8)
    else { return try described() }
    if let description = known.all.withLock({ $0[text] }) { return description }
    let description = try described()
    // The paths of others are those of this folder.
    if description.dependencies.allSatisfy({ $0.local == nil }) {
      known.all.withLock { $0[text] = description }
    }
    return description
  }

  private func described() throws -> DumpedPackage {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "swift", "package", "--package-path", folder.path, "--scratch-path",
      FileManager.default.temporaryDirectory.appendingPathComponent("port-\(UUID().uuidString)")
        .path,
      "dump-package",
    ]
    let (output, errors) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    let message = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw PortError(
        "\(folder.path)/Package.swift: SwiftPM cannot read it: "
          + String(decoding: message, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
      )
    }
    do {
      return try JSONDecoder().decode(DumpedPackage.self, from: data)
    } catch {
      throw PortError(
        "\(folder.path)/Package.swift: its description is another than expected: \(error)")
    }
  }
}

/// The output of `dump-package`, as far as it is needed.
private struct DumpedPackage: Decodable, Sendable {
  let name: String
  let targets: [Target]
  let products: [Product]
  let dependencies: [Dependency]
  let toolsVersion: ToolsVersion
  let swiftLanguageVersions: [String]?

  var version: Int { Int(toolsVersion._version.prefix { $0 != "." }) ?? 5 }

  struct ToolsVersion: Decodable { let _version: String }

  struct Product: Decodable {
    let name: String
    let targets: [String]
  }

  struct Target: Decodable {
    let name: String
    let type: String
    let path: String?
    let sources: [String]?
    let exclude: [String]
    let dependencies: [TargetDependency]
    let settings: [Setting]?

    var kind: ProjectTarget.Kind? {
      switch type {
      case "regular", "executable": .product
      case "test": .tests
      case "macro": .macro
      default: nil
      }
    }
  }

  /// `{"byName": ["Model", null]}`, or `{"product": ["Logging", "swift-log", null, null]}`.
  struct TargetDependency: Decodable {
    var byName: String?
    var target: String?
    var product: (name: String, package: String?)?

    private enum CodingKeys: CodingKey { case byName, target, product }

    init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: CodingKeys.self)
      if values.contains(.byName) {
        var list = try values.nestedUnkeyedContainer(forKey: .byName)
        byName = try list.decode(String.self)
      }
      if values.contains(.target) {
        var list = try values.nestedUnkeyedContainer(forKey: .target)
        target = try list.decode(String.self)
      }
      if values.contains(.product) {
        var list = try values.nestedUnkeyedContainer(forKey: .product)
        product = (try list.decode(String.self), try list.decodeIfPresent(String.self))
      }
    }
  }

  /// `{"tool": "swift", "kind": {"define": {"_0": "FAST"}}}`; some hold only for a platform or for
  /// release builds.
  struct Setting: Decodable {
    struct Value: Decodable {
      let text: String?

      private enum CodingKeys: String, CodingKey { case text = "_0" }

      init(from decoder: any Decoder) throws {
        // Other settings have lists or several values here; none of them is needed.
        text = try? decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .text)
      }
    }

    struct Condition: Decodable {
      let config: String?
      let platformNames: [String]?
    }

    let tool: String
    let kind: [String: Value]
    let condition: Condition?

    /// Whether the setting holds in debug builds for Linux or iOS.
    private var holds: Bool {
      let platforms = condition?.platformNames ?? []
      return condition?.config != "release"
        && (platforms.isEmpty || platforms.contains("linux") || platforms.contains("ios"))
    }

    func apply(to target: inout ProjectTarget) {
      guard tool == "swift", holds else { return }
      for (name, value) in kind {
        guard let text = value.text else { continue }
        switch name {
        case "define" where text != "DEBUG": target.conditions.append(text)
        case "enableUpcomingFeature": target.language.enable(text)
        case "swiftLanguageMode": target.swiftVersion = Double(text) ?? target.swiftVersion
        case "defaultIsolation": target.language.isOfMainActor = text == "MainActor"
        default: break
        }
      }
    }
  }

  struct Dependency: Decodable {
    let sourceControl: [SourceControl]?
    let fileSystem: [FileSystem]?

    struct FileSystem: Decodable { let path: String }

    struct SourceControl: Decodable {
      let location: Location
      let requirement: Requirement
    }

    struct Location: Decodable { let remote: [Remote]? }
    struct Remote: Decodable { let urlString: String }

    struct Requirement: Decodable {
      let range: [Range]?
      let exact: [String]?
      let branch: [String]?
      let revision: [String]?

      var text: String {
        if let range = range?.first { return "\"\(range.lowerBound)\"..<\"\(range.upperBound)\"" }
        if let exact = exact?.first { return "exact: \"\(exact)\"" }
        if let revision = revision?.first { return "revision: \"\(revision)\"" }
        return "branch: \"\(branch?.first ?? "main")\""
      }
    }

    struct Range: Decodable {
      let lowerBound: String
      let upperBound: String
    }

    var local: String? { fileSystem?.first?.path }

    var remote: RemotePackage? {
      guard let source = sourceControl?.first, let url = source.location.remote?.first?.urlString
      else { return nil }
      return RemotePackage(url: url, requirement: source.requirement.text)
    }
  }
}
