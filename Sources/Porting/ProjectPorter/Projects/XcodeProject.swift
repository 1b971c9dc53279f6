import Foundation

/// An `.xcodeproj`.
struct XcodeProject {
  private let path: URL
  private let visited: VisitedPlaces

  init(_ path: URL, visited: VisitedPlaces) {
    self.path = path
    self.visited = visited
    _ = visited.isNew(path)
  }

  func read() throws -> Project {
    let objects = try XcodeObjects(path)
    var folder = path.deletingLastPathComponent()
    if let inside = objects.root["projectDirPath"], !inside.isEmpty {
      folder = folder.appendingPathComponent(inside).standardizedFileURL
    }
    let files = XcodeFiles(objects, folder: folder)
    var project = Project(
      name: path.deletingPathExtension().lastPathComponent,
      folder: path.deletingLastPathComponent())
    // Old projects have "English", which is no language code.
    if let region = objects.root["developmentRegion"], region != "English" {
      project.language = region
    }
    project.headers = objects.all("PBXFileReference").compactMap(files.place)
      .filter { $0.pathExtension == "h" }
    for target in objects.list(objects.root, key: "targets") where target.isa == "PBXNativeTarget" {
      project.add(XcodeTarget(target, objects: objects, files: files).read())
    }
    for reference in objects.all("XCRemoteSwiftPackageReference") {
      guard let url = reference["repositoryURL"] else { continue }
      project.packages.append(
        RemotePackage(
          url: url, requirement: requirement(reference.dictionary("requirement"))))
    }
    for place in localPackages(objects, files: files, folder: folder) where visited.isNew(place) {
      project.add(try PackageManifest(place, visited: visited).read())
    }
    for reference in objects.all("PBXFileReference")
    where reference["lastKnownFileType"] == "wrapper.pb-project" {
      guard let place = files.place(reference), place.lastPathComponent != "Pods.xcodeproj",
        place.isThere, visited.isNew(place)
      else { continue }
      project.add(try XcodeProject(place, visited: visited).read())
    }
    return project
  }

  /// Local packages, referenced as packages or present as folders in a group.
  private func localPackages(
    _ objects: XcodeObjects, files: XcodeFiles, folder: URL
  ) -> [URL] {
    let named = objects.all("XCLocalSwiftPackageReference").compactMap { $0["relativePath"] }
      .map { folder.appendingPathComponent($0).standardizedFileURL }
    let grouped = objects.all("PBXFileReference")
      .filter { ["wrapper", "folder"].contains($0["lastKnownFileType"] ?? $0["explicitFileType"]) }
      .compactMap(files.place)
    var seen: Set<String> = []
    return (named + grouped).filter { place in
      seen.insert(place.path).inserted
        && place.appendingPathComponent("Package.swift").isThere
    }
  }

  private func requirement(_ values: [String: Any]) -> String {
    let value = { (key: String) in (values[key] as? String).map { "\"\($0)\"" } ?? "\"\"" }
    switch values["kind"] as? String {
    case "exactVersion": return "exact: \(value("version"))"
    case "branch": return "branch: \(value("branch"))"
    case "revision": return "revision: \(value("revision"))"
    case "upToNextMinorVersion": return ".upToNextMinor(from: \(value("minimumVersion")))"
    case "versionRange": return "\(value("minimumVersion"))..<\(value("maximumVersion"))"
    default: return "from: \(value("minimumVersion"))"
    }
  }
}
