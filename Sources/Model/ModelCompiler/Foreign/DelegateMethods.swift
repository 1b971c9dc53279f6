/// Finds methods of fetched results controllers' delegates that are never called here: of a class
/// whose superclass conforms to the protocol and does not declare them.
///
/// Objective-C asks each object for a method. Swift calls what the class that conforms declares, or
/// the protocol's default, which does nothing.
struct DelegateMethods {
  private struct Class {
    var parents: [String] = []
    var callbacks: [Declaration] = []
  }

  private var classes: [String: Class] = [:]
  private var protocols: Set<String> = ["NSFetchedResultsControllerDelegate"]

  /// The places of such methods, with what to say.
  static func uncalled(in files: [SourceFile]) -> [(place: SourcePlace, text: String)] {
    DelegateMethods(files).uncalled()
  }

  private init(_ files: [SourceFile]) {
    let all = files.flatMap { Self.flattened($0.declarations) }
    // Names of protocols that inherit from the delegate's, through others.
    var count = 0
    while count != protocols.count {
      count = protocols.count
      for declaration in all where declaration.kind == .type(keyword: "protocol") {
        if !protocols.isDisjoint(with: Self.names(declaration)) {
          protocols.insert(declaration.name)
        }
      }
    }
    for declaration in all {
      let isExtension = declaration.kind == .typeExtension
      guard isExtension || declaration.isClass else { continue }
      let name = Self.last(declaration.name)
      var known = classes[name] ?? Class()
      known.parents =
        isExtension
        ? known.parents + Self.names(declaration) : Self.names(declaration) + known.parents
      known.callbacks += declaration.members.filter { $0.kind == .listCallback }
      classes[name] = known
    }
  }

  private static func flattened(_ declarations: [Declaration]) -> [Declaration] {
    declarations.flatMap { [$0] + flattened($0.members) }
  }

  /// The inherited types without generic arguments and enclosing types.
  private static func names(_ declaration: Declaration) -> [String] {
    declaration.inherited.map { String(last($0).prefix { $0 != "<" }) }
  }

  private static func last(_ name: String) -> String {
    let plain = name.prefix { $0 != "<" }
    return plain.split(separator: ".").last.map(String.init) ?? name
  }

  private func conforms(_ one: Class) -> Bool { !protocols.isDisjoint(with: one.parents) }

  private func uncalled() -> [(place: SourcePlace, text: String)] {
    classes.values.flatMap { one -> [(place: SourcePlace, text: String)] in
      guard !one.callbacks.isEmpty, !conforms(one), let ancestor = conformingAncestor(of: one)
      else { return [] }
      return one.callbacks.map { callback in
        (
          callback.place,
          "\(callback.name) is not called on this platform: \(ancestor) conforms to "
            + "NSFetchedResultsControllerDelegate without declaring it. Declare it in \(ancestor), "
            + "and override it here"
        )
      }
    }.sorted { ($0.place.file, $0.place.line) < ($1.place.file, $1.place.line) }
  }

  /// The nearest superclass in the target that conforms.
  private func conformingAncestor(of one: Class) -> String? {
    var next = one.parents.first
    var seen: Set<String> = []
    while let name = next, seen.insert(name).inserted, let found = classes[name] {
      if conforms(found) { return name }
      next = found.parents.first
    }
    return nil
  }
}
