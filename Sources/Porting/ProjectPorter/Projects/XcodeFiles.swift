import Foundation

/// Resolves the paths of an Xcode project's files; they are relative to their groups' folders.
struct XcodeFiles {
  private let objects: XcodeObjects
  private let folder: URL
  private var parents: [String: String] = [:]

  init(_ objects: XcodeObjects, folder: URL) {
    self.objects = objects
    self.folder = folder
    for isa in ["PBXGroup", "PBXVariantGroup", "XCVersionGroup"] {
      for group in objects.all(isa) {
        for child in group.list("children") { parents[child] = group.identifier }
      }
    }
  }

  /// The files of a reference; several if it has a variant for each language.
  func files(_ object: XcodeObjects.Object) -> [URL] {
    if object.isa == "PBXVariantGroup" {
      return objects.list(object, key: "children").compactMap(place)
    }
    return place(object).map { [$0] } ?? []
  }

  /// The location of a file or group; nil if it lies outside the project's folders, as a system
  /// library.
  func place(_ object: XcodeObjects.Object) -> URL? {
    let path = object["path"] ?? ""
    switch object["sourceTree"] ?? "<group>" {
    case "<absolute>": return URL(fileURLWithPath: path)
    case "SOURCE_ROOT": return appending(path, to: folder)
    case "<group>":
      guard let parent = objects[parents[object.identifier]] else {
        return appending(path, to: folder)
      }
      return place(parent).map { appending(path, to: $0) }
    default: return nil
    }
  }

  private func appending(_ path: String, to folder: URL) -> URL {
    path.isEmpty ? folder : folder.appendingPathComponent(path).standardizedFileURL
  }
}

/// Lists the files of a folder; a model or another bundle counts as one file.
enum FolderFiles {
  private static let packages: Set<String> = [
    "xcdatamodeld", "xcdatamodel", "xcmappingmodel", "xcassets", "bundle", "framework",
    "xcframework", "playground", "docc", "xcodeproj", "xcworkspace", "appiconset", "icon",
    "scnassets",
  ]

  /// - Parameter foreign: names of folders that are passed over.
  static func all(in folder: URL, without foreign: Set<String> = []) -> [URL] {
    guard
      let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    else { return [] }
    return names.filter { !$0.hasPrefix(".") && !foreign.contains($0) }.flatMap { name -> [URL] in
      let url = folder.appendingPathComponent(name)
      return url.isFolder && !packages.contains(url.pathExtension)
        ? all(in: url, without: foreign) : [url]
    }
  }
}

extension URL {
  /// Whether a folder exists at this URL.
  var isFolder: Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
      && isFolder.boolValue
  }

  var isThere: Bool { FileManager.default.fileExists(atPath: path) }
}
