import Predicates

/// The treatment of comparisons that fold case and accents, on an engine that does not fold as
/// memory does.
///
/// For ASCII texts both fold alike, since there is only the case of letters to fold. Other texts
/// are detected by their length: they have more bytes than characters. The condition that detects
/// one is called a doubt.
///
///     ANY tags.name ==[c] "x"
///     plain     EXISTS (… lower(name) = 'x')             valid unless the doubt holds:
///               EXISTS (… octet_length(name) <> length(name))
///     widened   EXISTS (… (octet_length(name) <> length(name) OR lower(name) = 'x'))
enum TextReading {
  /// Such comparisons throw ``NotInDialect``.
  case exact
  /// All texts are treated as ASCII; the conditions that detect others are collected as doubts.
  case plain
  /// The condition holds for all rows that match the predicate, and maybe for more: texts that are
  /// not ASCII satisfy it, and so do parts of the predicate without SQL.
  case widened
}

/// The effect on a whole predicate of widening one condition in it.
enum Polarity {
  /// The predicate can only hold for more rows.
  case positive
  /// The predicate can only hold for fewer rows: the condition is under a NOT.
  case negative
  /// Unknown: the condition is part of a value.
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
  /// Runs `body` with all texts treated as ASCII; returns its result and the doubts.
  package func plainly<Result>(
    _ body: () throws -> Result
  ) throws -> (result: Result, doubts: [SQLFragment]) {
    (reading, doubts) = (.plain, [])
    defer { (reading, doubts) = (.exact, []) }
    let result = try body()
    return (result, doubts)
  }

  /// A condition that holds for all rows that match the predicate; nil if it would hold for every
  /// row. Errors of missing SQL are dropped: evaluation in memory reports what it cannot evaluate
  /// either.
  package func widened(_ predicate: NSPredicate, scope: SQLScope) -> SQLFragment? {
    (reading, polarity) = (.widened, .positive)
    defer { reading = .exact }
    guard let condition = try? wholeCondition(predicate, scope: scope), condition.truth != true
    else {
      return nil
    }
    return condition
  }

  // MARK: - Parts of predicates

  /// Runs `body`, whose condition will be negated.
  func flipped<Result>(_ body: () throws -> Result) rethrows -> Result {
    try with(polarity.flipped, body: body)
  }

  /// Runs `body`, whose condition is part of a value.
  func withoutPolarity<Result>(_ body: () throws -> Result) rethrows -> Result {
    try with(.mixed, body: body)
  }

  private func with<Result>(_ new: Polarity, body: () throws -> Result) rethrows -> Result {
    let outer = polarity
    polarity = new
    defer { polarity = outer }
    return try body()
  }

  /// The condition of `body`. In a widened predicate, a condition without SQL is replaced by one
  /// that does not restrict it.
  func orWidest(_ body: () throws -> SQLFragment) throws -> SQLFragment {
    guard reading == .widened, polarity != .mixed else { return try body() }
    let outer = doubts
    do { return try body() } catch {
      doubts = outer
      return polarity == .positive ? .yes : .no
    }
  }

  /// The comparison of `body`. In a widened predicate, texts that are not ASCII satisfy it.
  func doubted(_ body: () throws -> SQLFragment) throws -> SQLFragment {
    guard reading == .widened else { return try body() }
    let outer = doubts
    doubts = []
    defer { doubts = outer }
    let condition = try body()
    guard let doubt = Self.oneOf(doubts) else { return condition }
    // Doubts first: they are the cheapest.
    switch polarity {
    case .positive: return "(\(doubt) OR \(condition))"
    case .negative: return "(NOT \(doubt) AND \(condition))"
    case .mixed: throw NotInDialect()
    }
  }

  /// Runs `body`, a SELECT of its own, whose texts cannot be doubted; throws ``NotInDialect`` if
  /// one would be.
  func undoubted<Result>(_ body: () throws -> Result) throws -> Result {
    let outer = doubts
    doubts = []
    defer { doubts = outer }
    let result = try separately { try withoutPolarity(body) }
    if !doubts.isEmpty { throw NotInDialect() }
    return result
  }

  /// Assumes that a text is ASCII and records the doubt; throws ``NotInDialect`` if exact SQL is
  /// required.
  func assumePlain(_ text: SQLFragment) throws {
    if reading == .exact { throw NotInDialect() }
    doubt("octet_length(\(text)) <> length(\(text))")
  }

  /// Records the condition that detects a text outside of ASCII, once.
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

  /// The condition that one of the doubts holds; nil for none.
  package static func oneOf(_ doubts: [SQLFragment]) -> SQLFragment? {
    doubts.isEmpty ? nil : "(\(doubts.joined(separator: " OR ")))"
  }

  // MARK: - Matching

  /// The match of an ASCII text with a constant pattern, which is not empty.
  func matchPlainly(
    _ text: SQLFragment, pattern: String, type: Operator,
    options: NSComparisonPredicate.Options
  ) throws -> SQLFragment {
    if type == .matches { throw NotInDialect() }
    let folding = StringFolding(options)
    let pattern = folding.fold(pattern)
    let value = try context.dialect.constant(.text(pattern), .text)
    try assumePlain(text)
    // A pattern with other characters matches no ASCII text.
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

  /// The match of an ASCII text with a pattern of the row. The empty pattern matches nothing; a nil
  /// one makes it unknown.
  func matchPlainly(
    _ text: SQLFragment, pattern: SQLFragment, type: Operator,
    options: NSComparisonPredicate.Options
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

  /// A pattern with `*`, `?` and `\`, converted to one of SQL's LIKE.
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
