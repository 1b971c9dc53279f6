/// A target's source files, reduced to the declarations on which the symbols of `@NSManaged`
/// declarations depend.
///
/// The compiler reads the skeleton instead of the sources. Types of modules that are not built yet
/// do no harm then, and an edit that leaves the skeleton unchanged needs no compiler. It consists
/// of:
///
/// - managed object classes with their superclass and `@NSManaged` declarations, verbatim;
/// - the types and aliases that these name, empty, nested as in the sources;
/// - `#if` directives, so that the compiler selects the branches;
/// - an empty function for each other fact about a class (a readable property, an initializer),
///   which the compiler lists if the fact holds.
///
/// Files keep their names, since symbols of private declarations include them.
struct Skeleton {
  struct File {
    let name: String
    let text: String
    /// The declarations by line number in the text, from 1.
    let declarations: [Int: Declaration]
  }

  let files: [File]
  /// Errors found without the compiler.
  let errors: [String]

  /// - Parameter unknown: extended types that the compiler does not find.
  init(files: [SourceFile], paths: TypePaths, unknown: Set<String> = []) {
    let names = ManagedNames(files: files)
    let builder = SkeletonBuilder(
      names: names, paths: paths, unknown: unknown)
    var errors: [String] = []
    self.files = files.compactMap { file in
      builder.file(file, errors: &errors)
    }
    self.errors = errors
  }

  /// The text of all files.
  var text: String { files.map { "\($0.name)\n\($0.text)" }.joined() }
}

/// Writes the lines of a skeleton.
private struct SkeletonBuilder {
  let names: ManagedNames
  let paths: TypePaths
  /// Types that the compiler does not find; their extensions are left out.
  let unknown: Set<String>

  typealias Line = (text: String, declaration: Declaration?)

  /// The reduced file; nil if nothing in it matters.
  func file(_ file: SourceFile, errors: inout [String]) -> Skeleton.File? {
    let body = lines(of: file.declarations, inClass: false, errors: &errors)
    guard !body.isEmpty else { return nil }
    let lines = Self.imports(file).map { ($0, nil) } + body
    var declarations: [Int: Declaration] = [:]
    for (number, line) in lines.enumerated() { declarations[number + 1] = line.declaration }
    return Skeleton.File(
      name: file.name, text: lines.map { $0.0 + "\n" }.joined(), declarations: declarations)
  }

  private static let known: Set<String> = ["CoreData", "Foundation", "XCTest", "Testing"]

  /// The import lines; modules other than CoreData and Foundation are imported if the compiler
  /// finds them.
  private static func imports(_ file: SourceFile) -> [String] {
    let others = Set(file.imports).subtracting(known).sorted()
    return ["import CoreData", "import Foundation"]
      + others.flatMap { ["#if canImport(\($0))", "import \($0)", "#endif"] }
  }

  /// The lines of declarations; empty if they consist only of directives.
  private func lines(
    of declarations: [Declaration], inClass: Bool, errors: inout [String]
  ) -> [Line] {
    var result: [Line] = []
    var hasContent = false
    var conditions = 0
    for (number, declaration) in declarations.enumerated() {
      conditions += declaration.conditionsOpened
      // The compiler alone knows whether a conditional declaration exists, so its errors are
      // dropped.
      var conditional: [String] = []
      defer { if conditions == 0 { errors += conditional } }
      let lines =
        inClass && declaration.isFact
        ? [fact(declaration, number: number)]
        : lines(of: declaration, inClass: inClass, errors: &conditional)
      if declaration.kind != .directive, !lines.isEmpty { hasContent = true }
      result += lines
    }
    return hasContent ? result : []
  }

  private func lines(
    of declaration: Declaration, inClass: Bool, errors: inout [String]
  ) -> [Line] {
    let access = declaration.access.isEmpty ? "" : declaration.access + " "
    switch declaration.kind {
    case .directive: return [(declaration.detail, declaration)]
    case .alias:
      guard names.types.contains(declaration.name) else { return [] }
      return [("\(access)typealias `\(declaration.name)`\(declaration.detail)", declaration)]
    case .type(let keyword): return type(declaration, keyword: keyword, errors: &errors)
    case .typeExtension: return typeExtension(declaration, errors: &errors)
    case .managedProperty where inClass:
      return [("@NSManaged \(access)var `\(declaration.name)`: \(declaration.detail)", declaration)]
    case .managedFunction where inClass:
      return [("@NSManaged \(access)func `\(declaration.name)`\(declaration.detail)", declaration)]
    default: return []
    }
  }

  /// A function with a unique name that stands for a fact about a class.
  private func fact(_ declaration: Declaration, number: Int) -> Line {
    ("static func fact_\(declaration.name)_\(number)() {}", declaration)
  }

  private func type(
    _ declaration: Declaration, keyword: String, errors: inout [String]
  ) -> [Line] {
    let parents = declaration.isClass ? names.managedParents(of: declaration) : []
    let isManaged = !parents.isEmpty || declaration.members.contains(where: \.isManaged)
    let members = lines(of: declaration.members, inClass: isManaged, errors: &errors)
    guard isManaged || !members.isEmpty || names.types.contains(declaration.name) else { return [] }
    let access =
      declaration.access == "open" && !declaration.isClass ? "public" : declaration.access
    let head = [access, keyword, "`\(declaration.name)`\(declaration.detail)"]
      .filter { !$0.isEmpty }.joined(separator: " ")
    let heritage = parents.isEmpty ? "" : ": " + parents.joined(separator: ", ")
    return [("\(head)\(heritage) {", declaration)] + members + [("}", nil)]
  }

  private func typeExtension(_ declaration: Declaration, errors: inout [String]) -> [Line] {
    let path = paths.path(of: declaration.name)
    let isManaged = path?.last.map(names.classes.contains) ?? false
    let members = lines(of: declaration.members, inClass: isManaged, errors: &errors)
    if path == nil, let member = declaration.members.first(where: \.isManaged) {
      errors.append(
        member.place.error(
          "“\(declaration.name)”, which is extended with @NSManaged \(member.name), is not found in this "
            + "target; declare its class here"))
    }
    guard !members.isEmpty, path != nil || !unknown.contains(declaration.name) else { return [] }
    let name = path.map { $0.map { "`\($0)`" }.joined(separator: ".") } ?? declaration.name
    let access = declaration.access.isEmpty ? "" : declaration.access + " "
    return [("\(access)extension \(name) {", declaration)] + members + [("}", nil)]
  }
}

extension Declaration {
  fileprivate var conditionsOpened: Int {
    guard kind == .directive else { return 0 }
    return name == "if" ? 1 : name == "endif" ? -1 : 0
  }

  /// Whether only the existence of the declaration matters.
  fileprivate var isFact: Bool {
    switch kind {
    case .readableProperty, .validation, .keyPathsAffecting: !isPrivate
    case .initializer: true
    default: false
    }
  }
}
