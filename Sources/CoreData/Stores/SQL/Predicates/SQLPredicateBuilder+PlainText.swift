import Predicates

/// How an engine that does not fold case and accents as memory does is told of comparisons that ask for it.
///
/// Of texts of ASCII both say the same: a letter's case is all that there is to fold. Which texts are others is told by
/// their bytes, of which they have more than characters.
///
///     ANY tags.name ==[c] "x"
///     plain     EXISTS (… lower(name) = 'x')             as long as the doubt does not hold:
///               EXISTS (… octet_length(name) <> length(name))
///     widened   EXISTS (… (octet_length(name) <> length(name) OR lower(name) = 'x'))
enum TextReading {
  /// What asks for it throws ``NotInDialect``.
  case exact
  /// As if every text were of ASCII; what shows that one is not is among the doubts.
  case plain
  /// A condition that holds wherever the predicate does: texts that are not plain satisfy it, and so does what cannot be
  /// said at all.
  case widened
}

/// What becomes of a whole predicate when a condition in it holds for more.
enum Polarity {
  /// It may hold for more.
  case positive
  /// It may hold for less: the condition is under a NOT.
  case negative
  /// Nobody knows: the condition is part of a value.
  case mixed

  fileprivate var flipped: Polarity {
    switch self {
    case .positive: .negative
    case .negative: .positive
    case .mixed: .mixed
    }
  }
}

extension SQLPredicateBuilder {
  /// Runs `body` as if all texts were of ASCII, and gives what shows that one is not.
  package func plainly<Result>(
    _ body: () throws -> Result
  ) throws -> (result: Result, doubts: [SQLFragment]) {
    (reading, doubts) = (.plain, [])
    defer { (reading, doubts) = (.exact, []) }
    let result = try body()
    return (result, doubts)
  }

  /// A condition that holds wherever the predicate does; nil when nothing can be said of it. Why something has no SQL does
  /// not matter here: memory finishes, and says what is wrong with what it cannot evaluate either.
  package func widened(_ predicate: NSPredicate, _ scope: SQLScope) -> SQLFragment? {
    (reading, polarity) = (.widened, .positive)
    defer { reading = .exact }
    guard let condition = try? wholeCondition(predicate, scope), condition.truth != true else {
      return nil
    }
    return condition
  }

  // MARK: - What predicates are made of

  /// Runs `body`, whose result is negated.
  func flipped<Result>(_ body: () throws -> Result) rethrows -> Result {
    try with(polarity.flipped, body)
  }

  /// Runs `body` for a condition that is part of a value.
  func withoutPolarity<Result>(_ body: () throws -> Result) rethrows -> Result {
    try with(.mixed, body)
  }

  private func with<Result>(_ new: Polarity, _ body: () throws -> Result) rethrows -> Result {
    let outer = polarity
    polarity = new
    defer { polarity = outer }
    return try body()
  }

  /// A condition; of a widened predicate one that says nothing in the place of one that cannot be said.
  func orWidest(_ body: () throws -> SQLFragment) throws -> SQLFragment {
    guard reading == .widened, polarity != .mixed else { return try body() }
    let outer = doubts
    do { return try body() } catch {
      doubts = outer
      return polarity == .positive ? .yes : .no
    }
  }

  /// A comparison; of a widened predicate one that gives way to texts that are not plain.
  func doubted(_ body: () throws -> SQLFragment) throws -> SQLFragment {
    guard reading == .widened else { return try body() }
    let outer = doubts
    doubts = []
    defer { doubts = outer }
    let condition = try body()
    guard let doubt = Self.oneOf(doubts) else { return condition }
    // Doubts come first: they cost the least.
    switch polarity {
    case .positive: return "(\(doubt) OR \(condition))"
    case .negative: return "(NOT \(doubt) AND \(condition))"
    case .mixed: throw NotInDialect()
    }
  }

  /// A SELECT of its own, whose rows nobody can be asked about.
  func undoubted<Result>(_ body: () throws -> Result) throws -> Result {
    let outer = doubts
    doubts = []
    defer { doubts = outer }
    let result = try separately { try withoutPolarity(body) }
    if !doubts.isEmpty { throw NotInDialect() }
    return result
  }

  /// Throws where nothing may be assumed.
  func assumePlain(_ text: SQLFragment) throws {
    if reading == .exact { throw NotInDialect() }
    doubt("octet_length(\(text)) <> length(\(text))")
  }

  /// Notes what shows that a text is not plain, once.
  func doubt(_ condition: SQLFragment) {
    let new = condition.rendered(context.dialect)
    let isKnown =
      new.values.isEmpty
      && doubts.contains {
        let known = $0.rendered(context.dialect)
        return known.values.isEmpty && known.sql == new.sql
      }
    if !isKnown { doubts.append(condition) }
  }

  /// Nil for none.
  package static func oneOf(_ doubts: [SQLFragment]) -> SQLFragment? {
    doubts.isEmpty ? nil : "(\(doubts.joined(separator: " OR ")))"
  }

  // MARK: - Matching

  /// The pattern is not empty.
  func matchPlainly(
    _ text: SQLFragment, _ pattern: String, _ type: Operator,
    _ options: NSComparisonPredicate.Options
  ) throws -> SQLFragment {
    if type == .matches { throw NotInDialect() }
    let folding = StringFolding(options)
    let pattern = folding.fold(pattern)
    let value = try context.dialect.constant(.text(pattern), .text)
    try assumePlain(text)
    // What has other characters is in no ASCII.
    guard pattern.utf8.allSatisfy({ $0 < 0x80 }) else { return never([text]) }
    let folded: SQLFragment = folding.ignoresCase ? "lower(\(text))" : text
    switch type {
    case .equalTo: return "\(folded) = \(value)"
    case .contains: return context.dialect.contains(folded, value)
    case .beginsWith: return context.dialect.beginsWith(folded, pattern)
    case .endsWith: return "right(\(folded), \(raw: String(pattern.utf8.count))) = \(value)"
    case .like: return "\(folded) LIKE \(SQLFragment(.text(Self.like(pattern))))"
    default: throw NotInDialect()
    }
  }

  /// A pattern of the row. The empty text is found nowhere, and nil is neither found nor not.
  func matchPlainly(
    _ text: SQLFragment, _ pattern: SQLFragment, _ type: Operator,
    _ options: NSComparisonPredicate.Options
  ) throws -> SQLFragment {
    let folding = StringFolding(options)
    func folded(_ text: SQLFragment) -> SQLFragment {
      folding.ignoresCase ? "lower(\(text))" : text
    }
    let (whole, part) = (folded(text), folded(pattern))
    let place: SQLFragment
    switch type {
    case .contains: place = "strpos(\(whole), \(part))"
    case .beginsWith: place = "starts_with(\(whole), \(part))::integer"
    case .endsWith: place = "(right(\(whole), length(\(part))) = \(part))::integer"
    default: throw NotInDialect()
    }
    try assumePlain(text)
    try assumePlain(pattern)
    return "(\(place) > CASE WHEN \(part) = '' THEN 1 ELSE 0 END)"
  }

  /// A pattern with `*`, `?` and `\` as SQL's LIKE writes it.
  private static func like(_ pattern: String) -> String {
    var result = ""
    var rest = pattern.unicodeScalars.makeIterator()
    func add(_ scalar: Unicode.Scalar) {
      if scalar == "%" || scalar == "_" || scalar == "\\" { result += "\\" }
      result.unicodeScalars.append(scalar)
    }
    while let scalar = rest.next() {
      switch scalar {
      case "*": result += "%"
      case "?": result += "_"
      case "\\": add(rest.next() ?? scalar)
      default: add(scalar)
      }
    }
    return result
  }
}
