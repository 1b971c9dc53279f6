import Foundation

/// A `.podspec`, as far as it says which files are compiled. Read line by line, without Ruby:
/// assignments, blocks and lists of texts are understood, expressions are not.
struct Podspec {
  /// The specification itself, one of its parts, or one of its tests.
  struct Section {
    enum Kind { case root, part, tests, application }

    var kind = Kind.root
    var name = ""
    var sources: [String] = []
    var excluded: [String] = []
    var resources: [String] = []
    var dependencies: [Dependency] = []
  }

  /// `dependency 'Alamofire/Core', '~> 5.0'`.
  struct Dependency: Equatable {
    let name: String
    let version: String?
  }

  let file: URL
  private(set) var name: String
  private(set) var module: String?
  private(set) var swiftVersion: Double?
  /// The specification and everything in it, outermost first.
  private(set) var sections: [Section] = []

  private var folder: URL { file.deletingLastPathComponent() }

  init(_ file: URL) throws {
    self.file = file
    name = file.deletingPathExtension().lastPathComponent
    let text: String
    do {
      text = try String(contentsOf: file, encoding: .utf8)
    } catch {
      throw PortError("\(file.path): cannot be read: \(error.localizedDescription)")
    }
    read(RubyLines(text).all)
  }

  // MARK: - Reading

  private mutating func read(_ lines: [String]) {
    // The section of each open block, by its index.
    var open: [Int] = []
    var variables: [String: String] = [:]
    for line in lines {
      if line == "end" || line.hasPrefix("end ") {
        if !open.isEmpty { open.removeLast() }
      } else if let block = line.firstMatch(of: Self.block) {
        open.append(begin(String(block.1), name: block.2.map(String.init), in: open.last))
      } else if line.firstMatch(of: /\bdo(?:\s*\|[^|]*\|)?$/) != nil
        || line.prefixMatch(of: /(?:if|unless|case|begin|def|while)\b/) != nil
      {
        open.append(open.last ?? -1)
      } else if let variable = line.wholeMatch(of: /(\w+)\s*=\s*(['"].*)/) {
        variables[String(variable.1)] = RubyText.texts(in: String(variable.2), [:]).first
      } else if let use = line.wholeMatch(of: Self.use), let index = open.last, index >= 0 {
        let values = RubyText.texts(
          in: String(use.3), variables.merging(["name": name]) { $1 })
        note(String(use.2), values: values, of: use.1.map(String.init), in: index)
      }
    }
  }

  /// Unsafe in name only: an immutable expression, of a type that is not Sendable.
  private nonisolated(unsafe) static let block =
    /(Pod::Spec(?:ification)?\.new|\w+\.subspec|\w+\.test_spec|\w+\.app_spec)[\s(]*(?:['"]([^'"]*)['"])?\)?.*\bdo\b/
  /// Unsafe in name only, as above.
  private nonisolated(unsafe) static let use =
    /\w+\.(?:(ios|osx|macos|tvos|watchos|visionos)\.)?(\w+)\s*(?:\+=|<<|=)?\s*(.*)/

  private mutating func begin(_ word: String, name: String?, in outer: Int?) -> Int {
    var section = Section()
    let isOfTests = outer.map { $0 >= 0 && sections[$0].kind == .tests } ?? false
    switch word.split(separator: ".").last {
    case "subspec": section.kind = isOfTests ? .tests : .part
    case "test_spec": section.kind = .tests
    case "app_spec": section.kind = .application
    default: section.kind = .root
    }
    section.name = name ?? ""
    sections.append(section)
    return sections.count - 1
  }

  private mutating func note(
    _ word: String, values: [String], of platform: String?, in index: Int
  ) {
    // What is for iOS alone is taken: those are the sources that most projects build.
    guard platform == nil || platform == "ios" else { return }
    switch word {
    case "name" where sections[index].kind == .root: name = values.first ?? name
    case "module_name" where sections[index].kind == .root: module = values.first
    case "swift_version", "swift_versions":
      swiftVersion = values.compactMap(Double.init).filter { $0 < 7 }.max() ?? swiftVersion
    case "source_files", "source_file": sections[index].sources += values
    case "exclude_files": sections[index].excluded += values
    case "resource", "resources", "resource_bundle", "resource_bundles":
      sections[index].resources += values
    case "dependency":
      guard let first = values.first else { return }
      sections[index].dependencies.append(
        Dependency(name: first, version: values.dropFirst().first))
    default: break
    }
  }

  // MARK: - Targets

  /// The pod as a target, with all of its parts, and its tests as others.
  var targets: [ProjectTarget] {
    let files = FolderFiles.all(in: folder, without: Self.foreign)
    let parts = sections.filter { $0.kind == .root || $0.kind == .part }
    var pod = target(
      name, module: module ?? name.asModuleName, kind: .product, sections: parts, files: files)
    pod.dependencies = localNames(parts)
    let tests = sections.filter { $0.kind == .tests }.map { section -> ProjectTarget in
      let own = section.name.contains("Test") ? section.name : name + section.name + "Tests"
      var tests = target(
        own, module: own.asModuleName, kind: .tests, sections: [section], files: files)
      tests.dependencies = [name] + localNames([section])
      return tests
    }
    return [pod] + tests.filter { !$0.sources.isEmpty }
  }

  /// Folders in which no pod has its own sources.
  private static let foreign: Set<String> = ["Pods", "Carthage", "Linux", "DerivedData", "build"]

  private func localNames(_ sections: [Section]) -> [String] {
    sections.flatMap(\.dependencies).map { String($0.name.prefix { $0 != "/" }) }
  }

  private func target(
    _ name: String, module: String, kind: ProjectTarget.Kind, sections: [Section],
    files: [URL]
  ) -> ProjectTarget {
    var result = ProjectTarget(name: name, module: module, kind: kind)
    result.folder = folder
    if let swiftVersion { result.swiftVersion = swiftVersion }
    let root = folder.standardizedFileURL.path + "/"
    for section in sections {
      let sources = section.sources.map { FilePattern($0, isOfSources: true) }
      let resources = section.resources.map { FilePattern($0, isOfSources: false) }
      let excluded = section.excluded.map { FilePattern($0, isOfSources: false) }
      for file in files {
        let path = String(file.standardizedFileURL.path.dropFirst(root.count))
        if excluded.contains(where: { $0.matches(path) }) { continue }
        if sources.contains(where: { $0.matches(path) }) && Self.isSource(file)
          || resources.contains(where: { $0.matches(path) })
        {
          result.add(file)
        }
      }
    }
    return result
  }

  private static func isSource(_ file: URL) -> Bool {
    ["swift", "m", "mm", "c", "cpp", "cc", "cxx"].contains(file.pathExtension.lowercased())
      || file.pathExtension.hasPrefix("xcdatamodel")
  }

  /// Objective-C headers of the pod.
  var headers: [URL] {
    FolderFiles.all(in: folder, without: Self.foreign).filter { $0.pathExtension == "h" }
  }

  /// Packages known to build on Linux that are pods on which this one depends.
  var packages: [RemotePackage] {
    sections.flatMap(\.dependencies).compactMap { dependency in
      let name = String(dependency.name.prefix { $0 != "/" })
      return KnownPackages.ofPods[name].map {
        RemotePackage(url: $0, requirement: Self.requirement(dependency.version))
      }
    }
  }

  /// `~> 5.1` as a manifest writes it; any version if the specification names none.
  private static func requirement(_ version: String?) -> String {
    let numbers = version?.firstMatch(of: /\d+(?:\.\d+)*/).map { String($0.0) }
    guard let numbers else { return "\"0.0.1\"..<\"1000.0.0\"" }
    let parts = numbers.split(separator: ".").prefix(3).map(String.init)
    let whole = (parts + Array(repeating: "0", count: 3 - parts.count)).joined(separator: ".")
    return version?.contains(/[~>]/) ?? false ? "from: \"\(whole)\"" : "exact: \"\(whole)\""
  }
}

/// The statements of a Ruby file, each on one line, without comments and texts of several lines.
struct RubyLines {
  private(set) var all: [String] = []

  init(_ text: String) {
    var statement = ""
    var end: String?
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let trimmed = line.trimmingCharacters(in: .whitespacesAndNewlines)
      if let word = end {
        if trimmed == word { end = nil }
        continue
      }
      end = trimmed.firstMatch(of: /<<[-~]?['"]?([A-Z]\w*)['"]?/).map { String($0.1) }
      let code = Self.withoutComment(trimmed)
      statement += statement.isEmpty ? code : " " + code
      if end == nil, !code.isEmpty, Self.isOpen(statement) { continue }
      if !statement.isEmpty { all.append(statement) }
      statement = ""
    }
    if !statement.isEmpty { all.append(statement) }
  }

  private static func withoutComment(_ line: String) -> String {
    var quote: Character?
    for index in line.indices {
      let character = line[index]
      if let open = quote {
        if character == open { quote = nil }
      } else if character == "'" || character == "\"" {
        quote = character
      } else if character == "#" {
        return String(line[..<index]).trimmingCharacters(in: .whitespaces)
      }
    }
    return line
  }

  /// Returns true if the statement goes on in the next line.
  private static func isOpen(_ statement: String) -> Bool {
    var (depth, quote) = (0, Character?.none)
    for character in statement {
      if let open = quote {
        if character == open { quote = nil }
      } else if character == "'" || character == "\"" {
        quote = character
      } else if "([{".contains(character) {
        depth += 1
      } else if ")]}".contains(character) {
        depth -= 1
      }
    }
    return depth > 0 || [",", "=", "\\", "=>"].contains { statement.hasSuffix($0) }
  }
}

enum RubyText {
  /// The texts of an expression, without those that are keys of a dictionary.
  static func texts(in expression: String, _ variables: [String: String]) -> [String] {
    let words = expression.matches(of: /%w[\[({]([^\])}]*)[\])}]/)
      .flatMap { $0.1.split(whereSeparator: \.isWhitespace).map(String.init) }
    let texts = expression.matches(of: /(?:'([^']*)'|"([^"]*)")(\s*=>)?/)
      .filter { $0.3 == nil }.map { filled(String($0.1 ?? $0.2 ?? ""), variables: variables) }
    return words + texts
  }

  /// Replaces `#{s.name}` and `#{source}`.
  private static func filled(_ text: String, variables: [String: String]) -> String {
    text.replacing(/#\{(?:\w+\.)?(\w+)[^}]*\}/) { match in
      variables[String(match.1)] ?? String(match.0)
    }
  }
}

/// A pattern of paths as podspecs have them: `Sources/**/*.{h,swift}`, or a folder.
struct FilePattern {
  private let expression: Regex<Substring>?

  /// - Parameter isOfSources: whether a folder stands for the files in it; else it stands for
  ///   everything below it.
  init(_ pattern: String, isOfSources: Bool) {
    var (text, braces) = ("", 0)
    var rest = pattern.drop { $0 == "/" }
    while let last = rest.last, last == "/" { rest.removeLast() }
    while let character = rest.first {
      if rest.hasPrefix("**/") {
        text += "(?:.*/)?"
        rest = rest.dropFirst(3)
        continue
      }
      if rest.hasPrefix("**") {
        text += ".*"
        rest = rest.dropFirst(2)
        continue
      }
      switch character {
      case "*": text += "[^/]*"
      case "?": text += "[^/]"
      case "{":
        braces += 1
        text += "(?:"
      case "}" where braces > 0:
        braces -= 1
        text += ")"
      case "," where braces > 0: text += "|"
      case "[", "]": text.append(character)
      case _ where character.isLetter || character.isNumber || "_-/ ".contains(character):
        text.append(character)
      default: text += "\\" + String(character)
      }
      rest = rest.dropFirst()
    }
    text += isOfSources ? "(?:/[^/]*)?" : "(?:/.*)?"
    // A pattern of another form matches nothing.
    expression = try? Regex(text, as: Substring.self)
  }

  func matches(_ path: String) -> Bool {
    guard let expression else { return false }
    // The expression has no references that could fail.
    return (try? expression.wholeMatch(in: path)) != nil
  }
}
