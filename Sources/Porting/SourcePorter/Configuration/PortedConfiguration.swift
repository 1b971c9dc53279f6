import Foundation

/// The contents of `ported.json`. Its paths are relative to its folder.
///
/// The plugin has a link to this file, since plugins cannot use libraries.
struct PortedConfiguration {
  let file: URL
  /// Files and folders to compile.
  let sources: [URL]
  let excluding: [URL]
  /// Conditions that hold in the sources.
  let conditions: [String]
  /// Files that replace originals, by the originals' names.
  let replacing: [String: URL]
  /// Declarations to remove from copies, by the originals' names.
  let without: [String: [String]]

  private struct Contents: Decodable {
    let sources: [String]
    let excluding: [String]?
    let conditions: [String]?
    let replacing: [String: String]?
    let without: [String: [String]]?
  }

  private static let keys: Set<String> = [
    "sources", "excluding", "conditions", "replacing", "without",
  ]

  init(folder: URL) throws {
    file = folder.appending(path: "ported.json")
    let data: Data
    do {
      data = try Data(contentsOf: file)
    } catch {
      throw ConfigurationError(
        "\(file.path) cannot be read (\(error.localizedDescription)): the plugin PortedSources expects it beside the "
          + "target's source file, as in {\"sources\": [\"../../../App/Model\"]}")
    }
    let contents = try Self.contents(data, file: file)
    let file = file
    func url(_ path: String) throws -> URL {
      let url = folder.appending(path: path).standardizedFileURL
      guard FileManager.default.fileExists(atPath: url.path) else {
        throw ConfigurationError(
          "\(file.path) names “\(path)”, but there is no \(url.path): paths start at the file's own folder"
        )
      }
      return url
    }
    sources = try contents.sources.map(url)
    excluding = try (contents.excluding ?? []).map(url)
    conditions = contents.conditions ?? []
    replacing = try (contents.replacing ?? [:]).mapValues(url)
    without = contents.without ?? [:]
  }

  private static func contents(_ data: Data, file: URL) throws -> Contents {
    do {
      let all = try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
      let unknown = all.keys.filter { !keys.contains($0) }.sorted()
      guard unknown.isEmpty else {
        throw ConfigurationError(
          "\(file.path) has the unknown key “\(unknown[0])”; there are \(keys.sorted().joined(separator: ", "))"
        )
      }
      return try JSONDecoder().decode(Contents.self, from: data)
    } catch let error as ConfigurationError {
      throw error
    } catch let DecodingError.keyNotFound(key, _) {
      throw ConfigurationError("\(file.path) lacks the key “\(key.stringValue)”, a list of paths")
    } catch let DecodingError.typeMismatch(_, context) {
      throw ConfigurationError(
        "\(file.path): “\(context.codingPath.map(\.stringValue).joined(separator: "."))” has another form: "
          + "sources, excluding and conditions are lists of strings, replacing has a string for each name, without a list of strings"
      )
    } catch {
      throw ConfigurationError("\(file.path) is no JSON: \(error)")
    }
  }

  /// The files at the paths.
  /// - Throws: `ConfigurationError` if a name matches no source, two sources have one name, one is
  ///   a `main.swift`, or there are none.
  func files() throws -> PortedFiles {
    var found = PortedFiles()
    for source in sources { found.add(source, excluding: Set(excluding.map(\.path))) }
    for (name, _) in replacing
    where !found.sources.contains(where: { $0.lastPathComponent == name }) {
      throw ConfigurationError(
        "\(file.path) replaces “\(name)”, but no source has this name")
    }
    for (name, _) in without where !found.sources.contains(where: { $0.lastPathComponent == name })
    {
      throw ConfigurationError(
        "\(file.path) leaves declarations out of “\(name)”, but no source has this name")
    }
    // A replacement in the target's own folder is compiled unchanged.
    found.sources = found.sources.compactMap { source in
      guard let other = replacing[source.lastPathComponent] else { return source }
      return other.path.hasPrefix(file.deletingLastPathComponent().path + "/") ? nil : other
    }
    guard !found.sources.isEmpty || !found.models.isEmpty else {
      throw ConfigurationError(
        "\(file.path) names no Swift source and no model: the target would be empty")
    }
    if let main = found.sources.first(where: { $0.lastPathComponent == "main.swift" }) {
      throw ConfigurationError(
        "\(main.path) starts a program, which a copy cannot: exclude it in \(file.path)")
    }
    let byName = Dictionary(grouping: found.sources, by: \.lastPathComponent)
    if let (name, files) = byName.filter({ $0.value.count > 1 }).min(by: { $0.key < $1.key }) {
      throw ConfigurationError(
        "two sources are called \(name), which Swift does not allow in one module: "
          + "\(files.map(\.path).sorted().joined(separator: ", ")); exclude one in \(file.path)")
    }
    return found
  }
}

/// Files of a target outside of its folder.
struct PortedFiles {
  var sources: [URL] = []
  var models: [URL] = []
  var mappingModels: [URL] = []
  var options: [URL] = []
  /// Folders whose contents determine the other lists.
  var folders: [URL] = []

  static func isModel(_ url: URL) -> Bool {
    ["xcdatamodeld", "xcdatamodel"].contains(url.pathExtension)
  }

  /// The files inside a model; a change of one is a change of the model.
  static func contents(of model: URL) -> [URL] {
    let names = FileManager.default.subpaths(atPath: model.path) ?? []
    return names.sorted().map { model.appending(path: $0) }.filter { url in
      ["contents", "elements", ".xccurrentversion", "xcmapping.xml"].contains(url.lastPathComponent)
    }
  }

  mutating func add(_ url: URL, excluding: Set<String>) {
    guard !excluding.contains(url.standardizedFileURL.path) else { return }
    if Self.isModel(url) {
      models.append(url)
    } else if url.pathExtension == "xcmappingmodel" {
      mappingModels.append(url)
    } else if url.pathExtension == "swift" {
      if !sources.contains(url) { sources.append(url) }
    } else if url.lastPathComponent == "ManagedObjects.json" {
      options.append(url)
    } else if url.hasDirectoryPath || isFolder(url) {
      folders.append(url)
      // An unreadable folder gives no files; the compiler reports what is missing.
      let names = (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []
      for name in names.sorted() where !name.hasPrefix(".") {
        add(url.appending(path: name), excluding: excluding)
      }
    }
  }

  private func isFolder(_ url: URL) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder)
      && isFolder.boolValue
  }
}

struct ConfigurationError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
