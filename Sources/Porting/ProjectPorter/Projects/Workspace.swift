import Foundation
import FoundationXML

/// An `.xcworkspace`: a list of projects and packages.
struct Workspace {
  private let path: URL
  private let visited: VisitedPlaces

  init(_ path: URL, visited: VisitedPlaces) {
    self.path = path
    self.visited = visited
    _ = visited.isNew(path)
  }

  func read() throws -> Project {
    let contents = path.appendingPathComponent("contents.xcworkspacedata")
    let places = Places(folder: path.deletingLastPathComponent())
    guard let parser = XMLParser(contentsOf: contents) else {
      throw PortError("\(contents.path): a workspace has this file, which cannot be read")
    }
    parser.delegate = places
    guard parser.parse() else {
      throw PortError(
        "\(contents.path):\(parser.lineNumber): expected XML: \(parser.parserError.map { "\($0)" } ?? "it ends")"
      )
    }
    var all = Project(
      name: path.deletingPathExtension().lastPathComponent, folder: path.deletingLastPathComponent()
    )
    for place in places.found where place.lastPathComponent != "Pods.xcodeproj" {
      guard place.isThere, visited.isNew(place) else { continue }
      if place.pathExtension == "xcodeproj" {
        all.add(try XcodeProject(place, visited: visited).read())
      } else if place.appendingPathComponent("Package.swift").isThere {
        all.add(try PackageManifest(place, visited: visited).read())
      }
    }
    return all
  }

  /// Collects the workspace's files; locations are relative to the enclosing group.
  private final class Places: NSObject, XMLParserDelegate {
    let folder: URL
    var found: [URL] = []
    private var groups: [URL]

    init(folder: URL) {
      self.folder = folder
      groups = [folder]
    }

    func parser(
      _ parser: XMLParser, didStartElement element: String, namespaceURI: String?,
      qualifiedName: String?, attributes: [String: String]
    ) {
      guard element == "FileRef" || element == "Group" else { return }
      let place = self.place(attributes["location"] ?? "group:")
      if element == "Group" { groups.append(place) } else { found.append(place) }
    }

    func parser(
      _ parser: XMLParser, didEndElement element: String, namespaceURI: String?,
      qualifiedName: String?
    ) {
      if element == "Group" { groups.removeLast() }
    }

    private func place(_ location: String) -> URL {
      let parts = location.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      let path = parts.count == 2 ? String(parts[1]) : location
      switch parts[0] {
      case "absolute": return URL(fileURLWithPath: path)
      case "container": return path.isEmpty ? folder : folder.appendingPathComponent(path)
      default: return path.isEmpty ? groups.last! : groups.last!.appendingPathComponent(path)
      }
    }
  }
}
