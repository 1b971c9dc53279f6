import Foundation

/// Reads a project of any kind.
public enum Projects {
  /// Reads a project and its local packages.
  /// - Parameter path: an `.xcodeproj`, an `.xcworkspace`, a `Package.swift`, or a folder with one
  ///   of them.
  /// - Throws: `PortError` if there is no project at the path, several are, or one cannot be read.
  public static func read(_ path: URL) throws -> Project {
    var project = try found(path.standardizedFileURL, VisitedPlaces())
    project.add(Pods.packages(in: project.folder))
    return project
  }

  private static func found(_ path: URL, _ visited: VisitedPlaces) throws -> Project {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path.path, isDirectory: &isFolder) else {
      throw PortError("\(path.path): there is nothing. Name a project, a workspace or a package.")
    }
    switch path.pathExtension {
    case "xcodeproj": return try XcodeProject(path, visited).read()
    case "xcworkspace": return try Workspace(path, visited).read()
    case _ where path.lastPathComponent == "Package.swift":
      return try PackageManifest(path.deletingLastPathComponent(), visited).read()
    case _ where isFolder.boolValue: return try found(inFolder: path, visited)
    default:
      throw PortError(
        "\(path.path): expected an .xcodeproj, an .xcworkspace, a Package.swift or a folder with one of them"
      )
    }
  }

  private static func found(inFolder folder: URL, _ visited: VisitedPlaces) throws -> Project {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    let workspaces = names.filter { $0.hasSuffix(".xcworkspace") }
    let projects = names.filter { $0.hasSuffix(".xcodeproj") }
    for found in [workspaces, projects] where !found.isEmpty {
      guard found.count == 1 else {
        throw PortError(
          "\(folder.path): there are \(found.joined(separator: " and ")). Name the one to port.")
      }
      return try self.found(folder.appendingPathComponent(found[0]), visited)
    }
    guard names.contains("Package.swift") else {
      throw PortError("\(folder.path): expected an .xcodeproj, an .xcworkspace or a Package.swift")
    }
    return try PackageManifest(folder, visited).read()
  }
}

/// The projects and packages read so far. They refer to each other; each is read once.
final class VisitedPlaces {
  private var paths: Set<String> = []

  func isNew(_ place: URL) -> Bool { paths.insert(place.standardizedFileURL.path).inserted }
}
