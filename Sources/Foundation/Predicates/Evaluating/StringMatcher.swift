import Foundation

/// A pattern with its operator and options, prepared for many strings. Core Data's SQL functions
/// use it too.
///
/// CONTAINS, BEGINSWITH and ENDSWITH never find an empty pattern.
///
/// A class, so that matching a million strings does not copy the matcher a million times.
package final class StringMatcher {
  package enum Operation: Sendable {
    case equal, contains, beginsWith, endsWith, like, matches

    /// Returns nil for operators that are not for strings only.
    package init?(_ type: NSComparisonPredicate.Operator) {
      switch type {
      case .equalTo, .notEqualTo: self = .equal
      case .contains: self = .contains
      case .beginsWith: self = .beginsWith
      case .endsWith: self = .endsWith
      case .like: self = .like
      case .matches: self = .matches
      default: return nil
      }
    }
  }

  private let operation: Operation
  private let folding: StringFolding
  private let isLocalized: Bool
  private let pattern: String
  private let bytes: [UInt8]
  private let patternIsASCII: Bool
  private let wildcards: LikePattern?
  private let expression: Result<NSRegularExpression, PredicateEvaluationError>?

  package init(
    _ operation: Operation, pattern: String, options: NSComparisonPredicate.Options
  ) {
    self.operation = operation
    folding = StringFolding(options)
    isLocalized = options.contains(.localeSensitive) && operation == .equal
    self.pattern = pattern
    bytes = Array(folding.fold(pattern).utf8)
    patternIsASCII = bytes.allSatisfy { $0 < 0x80 }
    wildcards = operation == .like ? LikePattern(folding.fold(pattern)) : nil
    expression = operation == .matches ? Self.expression(pattern, folding: folding) : nil
  }

  /// Returns whether the pattern matches. Throws ``PredicateEvaluationError`` for an invalid
  /// regular expression.
  package func matches(_ text: String) throws -> Bool {
    switch operation {
    case .matches: return try matchesExpression(text)
    case .equal where isLocalized: return folding.order(text, pattern) == .orderedSame
    default: return folding.foldsNothing ? find(in: text) : findFolded(in: text)
    }
  }

  /// Returns whether the pattern matches UTF-8 text. ASCII, the common case, is matched without a
  /// copy.
  package func matches(utf8 text: UnsafeBufferPointer<UInt8>) throws -> Bool {
    guard expression == nil, !isLocalized else {
      return try matches(String(decoding: text, as: UTF8.self))
    }
    if folding.foldsNothing { return find(in: text) }
    guard wildcards == nil, part(of: text).isASCII else {
      return findFolded(in: String(decoding: text, as: UTF8.self))
    }
    return patternIsASCII && search(text, folding: folding.fold)
  }

  private func find(in text: String) -> Bool { Self.withUTF8(of: text) { find(in: $0) } }

  /// Calls `body` with the UTF-8 of the text, without a copy if the text has contiguous storage.
  @inline(__always)
  private static func withUTF8<Result>(
    of text: String, _ body: (UnsafeBufferPointer<UInt8>) -> Result
  ) -> Result {
    if let result = text.utf8.withContiguousStorageIfAvailable(body) { return result }
    var text = text
    return text.withUTF8(body)
  }

  private func find(in text: UnsafeBufferPointer<UInt8>) -> Bool {
    if let wildcards { return wildcards.matches(text) }
    return search(text, folding: { $0 })
  }

  /// Searches folded text. ASCII is folded byte by byte during the search, other text as a whole
  /// before.
  private func findFolded(in text: String) -> Bool {
    let answer: Bool? = Self.withUTF8(of: text) { buffer in
      guard wildcards == nil, part(of: buffer).isASCII else { return nil }
      return patternIsASCII && search(buffer, folding: folding.fold)
    }
    return answer ?? find(in: folding.fold(text))
  }

  /// The part of the text that must be ASCII for a bytewise search. A prefix needs one byte more
  /// than the pattern, since a combining accent may follow its last character.
  private func part(of text: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
    guard operation == .beginsWith, patternIsASCII, bytes.count < text.count else { return text }
    return UnsafeBufferPointer(rebasing: text[...bytes.count])
  }

  @inline(__always)
  private func search(
    _ text: UnsafeBufferPointer<UInt8>, folding: (UInt8) -> UInt8
  ) -> Bool {
    let last = text.count - bytes.count
    if operation == .equal { return last == 0 && isFound(in: text, at: 0, folding: folding) }
    guard last >= 0, !bytes.isEmpty else { return false }
    switch operation {
    case .beginsWith: return isFound(in: text, at: 0, folding: folding)
    case .endsWith: return isFound(in: text, at: last, folding: folding)
    default: return isFound(in: text, upTo: last, folding: folding)
    }
  }

  /// Searches for the first byte, in both cases, before comparing the others.
  @inline(__always)
  private func isFound(
    in text: UnsafeBufferPointer<UInt8>, upTo last: Int, folding: (UInt8) -> UInt8
  ) -> Bool {
    let lower = bytes[0]
    let upper = lower &- 0x61 < 26 && folding(lower ^ 0x20) == lower ? lower ^ 0x20 : lower
    var start = 0
    while start <= last {
      let byte = text[start]
      if byte == lower || byte == upper, isFound(in: text, at: start, folding: folding) {
        return true
      }
      start += 1
    }
    return false
  }

  @inline(__always)
  private func isFound(
    in text: UnsafeBufferPointer<UInt8>, at start: Int, folding: (UInt8) -> UInt8
  ) -> Bool {
    for index in bytes.indices where folding(text[start + index]) != bytes[index] { return false }
    return true
  }
}

extension StringMatcher {
  /// The regular expression for MATCHES: it must match the whole string; `^` and `$` match at line
  /// ends and `.` matches a newline, as in Apple's.
  private static func expression(
    _ pattern: String, folding: StringFolding
  ) -> Result<NSRegularExpression, PredicateEvaluationError> {
    var options: NSRegularExpression.Options = [.anchorsMatchLines, .dotMatchesLineSeparators]
    if folding.ignoresCase { options.insert(.caseInsensitive) }
    let unaccented = withoutDiacritics(pattern, folding: folding)
    do {
      return .success(try NSRegularExpression(pattern: "\\A(?:\(unaccented))\\z", options: options))
    } catch {
      return .failure(
        PredicateEvaluationError("Can't do regex matching, reason: Can't open pattern \(pattern)"))
    }
  }

  private static func withoutDiacritics(_ text: String, folding: StringFolding) -> String {
    guard folding.ignoresDiacritics else { return text }
    return text.folding(options: .diacriticInsensitive, locale: nil)
  }

  private func matchesExpression(_ text: String) throws -> Bool {
    guard let expression = try expression?.get() else { return false }
    let text = Self.withoutDiacritics(text, folding: folding)
    let range = NSRange(text.startIndex..., in: text)
    return expression.firstMatch(in: text, range: range) != nil
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Whether all bytes are ASCII; tests eight bytes at a time.
  fileprivate var isASCII: Bool {
    guard let base = baseAddress else { return true }
    let bytes = UnsafeRawPointer(base)
    var (bits, offset) = (UInt64(0), 0)
    while offset + 8 <= count {
      bits |= bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      offset += 8
    }
    while offset < count {
      bits |= UInt64(self[offset])
      offset += 1
    }
    return bits & 0x8080_8080_8080_8080 == 0
  }
}
