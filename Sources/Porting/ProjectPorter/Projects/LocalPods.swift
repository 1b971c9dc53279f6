import Foundation

/// The pods of a repository itself: `pod 'Store', :path => '../'` in a `Podfile`.
enum LocalPods {
  /// Adds the pods that the project's `Podfile` finds in folders, with their tests.
  static func add(to project: inout Project) throws {
    for file in try files(of: project.folder) { try project.add(Podspec(file)) }
  }

  /// The specifications that a `Podfile` in the folder, or in the one around it, names.
  static func files(of folder: URL) throws -> [URL] {
    let places = [folder, folder.deletingLastPathComponent()]
    guard
      let podfile = places.map({ $0.appendingPathComponent("Podfile") }).first(where: \.isThere)
    else { return [] }
    let text: String
    do {
      text = try String(contentsOf: podfile, encoding: .utf8)
    } catch {
      throw PortError("\(podfile.path): cannot be read: \(error.localizedDescription)")
    }
    var found: [URL] = []
    for line in RubyLines(text).all {
      guard let match = line.prefixMatch(of: pod) else { continue }
      let place = podfile.deletingLastPathComponent().appendingPathComponent(String(match.2))
        .standardizedFileURL
      let file =
        place.pathExtension == "podspec"
        ? place : place.appendingPathComponent("\(match.1).podspec")
      if file.isThere, !found.contains(file) { found.append(file) }
    }
    return found
  }

  /// Unsafe in name only: an immutable expression, of a type that is not Sendable.
  private nonisolated(unsafe) static let pod =
    /pod[\s(]+['"]([^'"\/]+)[^'"]*['"].*?(?:\b(?:path|podspec):|:(?:path|podspec)\s*=>)\s*['"]([^'"]+)['"]/
}

/// Projects that lie in a folder of a library and use it, as `Example/Store.xcodeproj`: its tests
/// may be there.
enum ExampleProjects {
  private static let names: Set<String> = [
    "demo", "demos", "example", "examples", "sample", "samples", "tests",
  ]

  /// Adds the tests of example projects to a library that has none itself, and to one that has some
  /// the applications that these import.
  static func add(to project: inout Project, _ visited: VisitedPlaces) throws {
    let isTested = project.targets.contains { $0.kind == .tests }
    let missing = isTested ? try missingModules(of: project) : []
    guard !isTested || !missing.isEmpty else { return }
    let folder = project.folder
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    where names.contains(name.lowercased()) {
      let inner = folder.appendingPathComponent(name)
      guard inner.isFolder else { continue }
      for file in FolderFiles.all(in: inner, without: ["Pods", "Carthage"])
      where file.pathExtension == "xcodeproj" && visited.isNew(file) {
        // An example that cannot be read has no tests to offer; the library is ported without it.
        guard let example = try? XcodeProject(file, visited: visited).read() else { continue }
        add(example, to: &project, missing: isTested ? missing : nil)
      }
    }
  }

  /// - Parameter missing: the modules that are wanted of the example; nil if its tests are.
  private static func add(_ example: Project, to project: inout Project, missing: Set<String>?) {
    let modules = Set(project.targets.map(\.module))
    var example = example
    example.targets.removeAll { target in
      modules.contains(target.module) || target.kind == .interfaceTests
        || missing != nil && target.kind == .tests
    }
    if let missing, !example.targets.contains(where: { missing.contains($0.module) }) { return }
    // The application comes along only where tests import it.
    for index in example.targets.indices where example.targets[index].kind == .product {
      example.targets[index].isOfAnotherPackage = true
    }
    project.add(example)
    project.add(Pods.packages(in: example.folder))
  }

  /// The modules that tests import and that are neither targets nor known ones.
  private static func missingModules(of project: Project) throws -> Set<String> {
    let tests = project.targets.filter { $0.kind == .tests }.flatMap(\.sources)
    let imported = try tests.filter(\.isThere).flatMap { file in
      try SourceFacts(file, conditions: []).imports.map(\.module)
    }
    let modules = Set(project.targets.map(\.module))
    return Set(imported).subtracting(modules).filter { module in
      !KnownModules.isHere(module) && KnownModules.absence(of: module) == nil
    }
  }
}

extension Project {
  /// Adds a pod and those of its tests that are in no target yet.
  mutating func add(_ pod: Podspec) {
    headers += pod.headers
    let tested = Set(targets.filter { $0.kind == .tests }.flatMap(\.sources).map(\.path))
    for target in pod.targets
    where target.kind != .tests || !target.sources.contains(where: { tested.contains($0.path) }) {
      add(target)
    }
    add(pod.packages)
  }
}
