import Foundation

/// Reads a project of any kind.
public enum Projects {
  /// Reads a project and its local packages.
  /// - Parameter path: an `.xcodeproj`, an `.xcworkspace`, a `Package.swift`, a `.podspec`, or a
  ///   folder with one of them.
  /// - Throws: `PortError` if there is no project at the path, several are, or one cannot be read.
  public static func read(_ path: URL) throws -> Project {
    let visited = VisitedPlaces()
    var project = try found(path.standardizedFileURL, visited: visited)
    // Locked versions come before those that a specification allows.
    project.add(Pods.packages(in: project.folder))
    try LocalPods.add(to: &project)
    try ExampleProjects.add(to: &project, visited)
    return project
  }

  private static func found(_ path: URL, visited: VisitedPlaces) throws -> Project {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path.path, isDirectory: &isFolder) else {
      throw PortError("\(path.path): there is nothing. Name a project, a workspace or a package.")
    }
    switch path.pathExtension {
    case "xcodeproj": return try XcodeProject(path, visited: visited).read()
    case "xcworkspace": return try Workspace(path, visited: visited).read()
    case "podspec": return try pods([path])
    case _ where path.lastPathComponent == "Package.swift":
      return try PackageManifest(path.deletingLastPathComponent(), visited: visited).read()
    case _ where isFolder.boolValue: return try found(inFolder: path, visited)
    default:
      throw PortError(
        "\(path.path): expected an .xcodeproj, an .xcworkspace, a Package.swift, a .podspec or a folder with one of them"
      )
    }
  }

  private static func found(inFolder folder: URL, _ visited: VisitedPlaces) throws -> Project {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    let workspaces = names.filter { $0.hasSuffix(".xcworkspace") }
    // CocoaPods' own project is no project of the folder, nor is a link that leads nowhere.
    let projects = names.filter { name in
      name.hasSuffix(".xcodeproj") && !["Pods.xcodeproj", "_Pods.xcodeproj"].contains(name)
    }
    for found in [workspaces, projects] where !found.isEmpty {
      guard found.count == 1 else {
        throw PortError(
          "\(folder.path): there are \(found.joined(separator: " and ")). Name the one to port.")
      }
      return try self.found(folder.appendingPathComponent(found[0]), visited: visited)
    }
    if names.contains("Package.swift") {
      return try PackageManifest(folder, visited: visited).read()
    }
    let specifications = names.filter { $0.hasSuffix(".podspec") }
    guard !specifications.isEmpty else {
      throw PortError(
        "\(folder.path): expected an .xcodeproj, an .xcworkspace, a Package.swift or a .podspec")
    }
    return try pods(specifications.map { folder.appendingPathComponent($0) })
  }

  /// The pods of one folder.
  private static func pods(_ files: [URL]) throws -> Project {
    var project = Project(
      name: files[0].deletingPathExtension().lastPathComponent,
      folder: files[0].deletingLastPathComponent())
    for file in files { project.add(try Podspec(file)) }
    return project
  }
}

/// The projects and packages read so far. They refer to each other; each is read once.
final class VisitedPlaces {
  private var paths: Set<String> = []

  func isNew(_ place: URL) -> Bool { paths.insert(place.standardizedFileURL.path).inserted }
}
