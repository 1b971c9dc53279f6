import Foundation
import Testing

@testable import ProjectPorter

/// A folder with a project in it, for the length of a test.
struct ProjectFolder {
  let url: URL

  static func with(
    _ files: [String: String] = [:], _ body: (ProjectFolder) throws -> Void
  ) throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent(
      "port-\(UUID().uuidString)"
    )
    .standardizedFileURL
    defer { try? FileManager.default.removeItem(at: url) }
    let folder = ProjectFolder(url: url)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    for (path, text) in files { try folder.write(text, to: path) }
    try PackageManifest.$known.withValue(descriptions) { try body(folder) }
  }

  private static let descriptions = PackageManifest.KnownDescriptions()

  func write(_ text: String, to path: String) throws {
    let place = self[path]
    try FileManager.default.createDirectory(
      at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
    try text.write(to: place, atomically: true, encoding: .utf8)
  }

  subscript(path: String) -> URL { url.appendingPathComponent(path) }

  func text(_ path: String) throws -> String { try String(contentsOf: self[path], encoding: .utf8) }

  /// Paths in the folder.
  func names(_ files: [URL]) -> [String] {
    files.map { $0.path.replacingOccurrences(of: url.path + "/", with: "") }
  }

  static let model = """
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
        <entity name="Item" representedClassName="Item" syncable="YES" codeGenerationType="class">
            <attribute name="title" optional="YES" attributeType="String"/>
        </entity>
    </model>
    """
}

/// Writes an `.xcodeproj` as Xcode does: objects that name each other, in an old property list with comments.
struct XcodeProjectText {
  private var objects: [(identifier: String, values: [(String, String)])] = []
  private var count = 0
  private var targets: [String] = []
  private var packages: [String] = []
  private var main: [String] = []

  private mutating func add(_ isa: String, _ values: [(String, String)]) -> String {
    count += 1
    let identifier = String(format: "AA%022X", count)
    objects.append((identifier, [("isa", isa)] + values))
    return identifier
  }

  static func list(_ items: [String]) -> String {
    "(\n" + items.map { "\t\t\t\t\($0) /* item */,\n" }.joined() + "\t\t\t)"
  }

  static func quoted(_ text: String) -> String { "\"\(text)\"" }

  /// A file, which is in no group until one takes it.
  mutating func file(
    _ path: String, tree: String = "\"<group>\"", type: String = "sourcecode.swift"
  ) -> String {
    add(
      "PBXFileReference",
      [("lastKnownFileType", Self.quoted(type)), ("path", Self.quoted(path)), ("sourceTree", tree)])
  }

  mutating func group(
    _ path: String?, _ children: [String], isa: String = "PBXGroup", tree: String = "\"<group>\""
  ) -> String {
    add(
      isa,
      [("children", Self.list(children))] + (path.map { [("path", Self.quoted($0))] } ?? [])
        + [("sourceTree", tree)])
  }

  mutating func synchronizedGroup(_ path: String, exceptions: [String] = []) -> String {
    add(
      "PBXFileSystemSynchronizedRootGroup",
      [
        ("exceptions", Self.list(exceptions)), ("path", Self.quoted(path)),
        ("sourceTree", "\"<group>\""),
      ])
  }

  mutating func exception(_ paths: [String], target: String) -> String {
    add(
      "PBXFileSystemSynchronizedBuildFileExceptionSet",
      [("membershipExceptions", Self.list(paths.map(Self.quoted))), ("target", target)])
  }

  /// Reserves an identifier, for what is named before it is made.
  mutating func reserve() -> String {
    count += 1
    return String(format: "AA%022X", count)
  }

  mutating func target(
    _ name: String, type: String = "application", sources: [String] = [], resources: [String] = [],
    synchronized: [String] = [], settings: [String: String] = [:], products: [String] = [],
    dependencies: [String] = [], identifier: String? = nil
  ) -> String {
    func phase(_ isa: String, _ files: [String]) -> String {
      var members: [String] = []
      for file in files { members.append(add("PBXBuildFile", [("fileRef", file)])) }
      return add(isa, [("files", Self.list(members))])
    }
    let phases = [
      phase("PBXSourcesBuildPhase", sources), phase("PBXResourcesBuildPhase", resources),
    ]
    let values = settings.sorted { $0.key < $1.key }.map {
      "\t\t\t\t\($0.key) = \"\($0.value)\";\n"
    }.joined()
    let configuration = add(
      "XCBuildConfiguration", [("buildSettings", "{\n\(values)\t\t\t}"), ("name", "Debug")])
    let configurations = add(
      "XCConfigurationList", [("buildConfigurations", Self.list([configuration]))])
    let needed = dependencies.map { add("PBXTargetDependency", [("target", $0)]) }
    let all = [
      ("buildConfigurationList", configurations), ("buildPhases", Self.list(phases)),
      ("dependencies", Self.list(needed)),
      ("fileSystemSynchronizedGroups", Self.list(synchronized)),
      ("name", Self.quoted(name)), ("packageProductDependencies", Self.list(products)),
      ("productType", Self.quoted("com.apple.product-type.\(type)")),
    ]
    let made: String
    if let identifier {
      objects.append((identifier, [("isa", "PBXNativeTarget")] + all))
      made = identifier
    } else {
      made = add("PBXNativeTarget", all)
    }
    targets.append(made)
    return made
  }

  mutating func remotePackage(_ url: String, _ requirement: [String: String]) -> String {
    let values = requirement.sorted { $0.key < $1.key }.map { "\($0.key) = \"\($0.value)\"; " }
      .joined()
    let package = add(
      "XCRemoteSwiftPackageReference",
      [("repositoryURL", Self.quoted(url)), ("requirement", "{\(values)}")])
    packages.append(package)
    return package
  }

  mutating func localPackage(_ path: String) {
    packages.append(add("XCLocalSwiftPackageReference", [("relativePath", Self.quoted(path))]))
  }

  mutating func product(_ name: String, of package: String) -> String {
    add(
      "XCSwiftPackageProductDependency", [("package", package), ("productName", Self.quoted(name))])
  }

  mutating func root(_ children: [String]) { main = children }

  mutating func text() -> String {
    let mainGroup = group(nil, main)
    let project = add(
      "PBXProject",
      [
        ("mainGroup", mainGroup), ("packageReferences", Self.list(packages)),
        ("projectDirPath", "\"\""), ("targets", Self.list(targets)),
      ])
    let body = objects.map { object in
      "\t\t\(object.identifier) /* x */ = {\n"
        + object.values.map { "\t\t\t\($0.0) = \($0.1);\n" }.joined() + "\t\t};\n"
    }.joined()
    return """
      // !$*UTF8*$!
      {
      \tarchiveVersion = 1;
      \tclasses = {
      \t};
      \tobjectVersion = 77;
      \tobjects = {
      \(body)\t};
      \trootObject = \(project) /* Project object */;
      }

      """
  }
}

extension PackageFile {
  /// What the file says, or where the link leads.
  var text: String {
    switch self {
    case .data(let data): String(decoding: data, as: UTF8.self)
    case .link(let target): target
    }
  }
}
