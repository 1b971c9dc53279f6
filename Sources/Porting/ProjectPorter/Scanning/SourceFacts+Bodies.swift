extension SourceFacts {
  /// The paths of properties `Bundle.module`, as tools write them that make projects.
  var ownBundles: [String] {
    declarations.indices.filter { index in
      declarations[index].name == "module" && declarations[index].kind == .property
        && declarations[index].container.map { declarations[$0].kind } == .anExtension
        && owner(of: index) == "Bundle"
    }.compactMap(path)
  }
}

/// What is taken out of the bodies of functions, initialisers and computed properties, so that
/// their declarations stay.
extension SourceFacts {
  func leavesOut(_ word: String, ofBody index: Int) -> Bool {
    guard let words = bodiesLeftOut[index], isInBody(word, index: index) else { return false }
    return words.isEmpty || words.contains(word)
  }

  private func isInBody(_ word: String, index: Int) -> Bool {
    !(heads[index]?.contains(word) ?? false)
  }

  /// Returns true if nothing but whole statements begins with the word in a body that copies can
  /// have without them.
  private func beginsStatements(_ word: String, index: Int) -> Bool {
    return isInBody(word, index: index) && !(insides[index]?.contains(word) ?? false)
      && bodyPath(of: index) != nil
  }

  /// The path by which copies find the body of a declaration: `Book.save` or `Book.init`.
  func bodyPath(of index: Int) -> String? {
    guard let name = declarations[index].bodyName, !declarations[index].isSeveral else {
      return nil
    }
    guard let container = declarations[index].container else { return name }
    return ownPath(container).map { "\($0).\(name)" }
  }

  /// Names of functions and properties whose bodies copies lack, as other code mentions them.
  var namesWithoutBody: Set<String> { Set(bodiesGone.compactMap(ownName)) }

  /// Names of declarations of which nothing is missing.
  var namesOfWholeDeclarations: Set<String> {
    let gone = bodiesGone.union(leftOut)
    return Set(declarations.indices.filter { !gone.contains($0) }.compactMap(ownName))
  }

  private var bodiesGone: Set<Int> {
    Set(
      bodiesLeftOut.filter { index, words in
        words.isEmpty || !words.allSatisfy { beginsStatements($0, index: index) }
      }.keys)
  }

  /// What to remove so that some words disappear.
  struct Removal {
    var declarations: Set<Int> = []
    /// Bodies, each with the words to take out of it.
    var bodies: [Int: Set<String>] = [:]

    var isEmpty: Bool { declarations.isEmpty && bodies.isEmpty }
  }

  /// What to remove so that the words disappear; nil if a word occurs where nothing can be removed.
  ///
  /// Statements that begin with a word are taken out of a body. Where a word stands elsewhere in
  /// it, the declaration goes, or else all of the body.
  /// - Parameters:
  ///   - inBodies: whether bodies may lose anything. Those of tests stay as they are: what is left
  ///     of a test might pass.
  ///   - ambiguous: names of several declarations, whose bodies go rather than they themselves.
  func removable(
    _ words: some Collection<String>, inBodies: Bool = false, ambiguous: Set<String> = []
  ) -> Removal? {
    var removal = Removal()
    for word in words {
      for place in (places[word] ?? [:]).keys {
        guard place >= 0 else { return nil }
        let isOfBody =
          inBodies && isInBody(word, index: place) && bodyPath(of: place) != nil
          && (beginsStatements(word, index: place)
            || !mayGo(place, words: words, ambiguous: ambiguous))
        if isOfBody {
          removal.bodies[place, default: []].insert(word)
        } else if let index = removable(around: place, words) {
          removal.declarations.insert(index)
        } else {
          return nil
        }
      }
    }
    guard let all = namesakes(of: removal.declarations) else { return nil }
    removal.declarations = all
    return removal
  }

  /// Returns true if a declaration can go instead of its body: by itself, and by a name that only
  /// means this declaration.
  private func mayGo(
    _ index: Int, words: some Collection<String>, ambiguous: Set<String>
  ) -> Bool {
    guard let name = declarations[index].name else { return false }
    return canGo(index, isNamedThere: true, words: words) && namesakes(of: [index]) != nil
      && Absences.isTelling(name) && !ambiguous.contains(name)
  }

  /// The declaration whose body has the line, if copies can lack the body.
  func body(atLine line: Int) -> Int? {
    let place = declarations.indices.last {
      declarations[$0].line <= line && !leftOut.contains($0)
    }
    guard let place, let start = declarations[place].bodyLine, start <= line,
      bodyPath(of: place) != nil
    else { return nil }
    return place
  }

  /// `in Book.save: WidgetCenter`, or `in Book.save` for all of the body.
  func bodyLeftOut(_ index: Int, words: Set<String>) -> String? {
    bodyPath(of: index).map { path in
      words.isEmpty ? "in \(path)" : "in \(path): \(words.sorted().joined(separator: " "))"
    }
  }
}
