import Foundation

@testable import CoreDataSamples

/// Comparisons that plain Swift can answer as well.
extension PredicateGenerator {
  mutating func plainComparison() -> GeneratedPredicate {
    switch Int.random(in: 0..<6, using: &random) {
    case 0: integerAgainstConstant()
    case 1: integerAgainstInteger()
    case 2: textAgainstConstant()
    case 3: countOfMembers()
    case 4: anyTag()
    default: textOfParent()
    }
  }

  private static func holds<Value: Comparable>(_ left: Value, _ order: String, _ right: Value)
    -> Bool
  {
    switch order {
    case "==": left == right
    case "!=": left != right
    case "<": left < right
    case "<=": left <= right
    case ">": left > right
    default: left >= right
    }
  }

  private mutating func integerAgainstConstant() -> GeneratedPredicate {
    let (key, order, constant) = (
      pick(["small", "medium", "large", "flag"]), order(), pick(PlainThings.numbers)
    )
    return GeneratedPredicate(format: "\(key) \(order) \(constant)") { plain, index in
      plain.things[index].integers[key].map { Self.holds($0, order, constant) }
    }
  }

  private mutating func integerAgainstInteger() -> GeneratedPredicate {
    let (first, second, order) = (pick(["small", "large"]), pick(["medium", "flag"]), order())
    return GeneratedPredicate(format: "\(first) \(order) \(second)") { plain, index in
      let integers = plain.things[index].integers
      guard let left = integers[first], let right = integers[second] else { return nil }
      return Self.holds(left, order, right)
    }
  }

  private mutating func textAgainstConstant() -> GeneratedPredicate {
    let (key, word) = (pick(["text", "other"]), word())
    let name = pick(["CONTAINS", "BEGINSWITH", "ENDSWITH", "==", "<"])
    return GeneratedPredicate(format: "\(key) \(name) \(Self.quoted(word))") { plain, index in
      plain.things[index].texts[key].map { Self.holds(Array($0.utf8), name, Array(word.utf8)) }
    }
  }

  private mutating func textOfParent() -> GeneratedPredicate {
    let word = word()
    return GeneratedPredicate(format: "parent.text != \(Self.quoted(word))") { plain, index in
      guard let parent = plain.things[index].parent, let text = plain.things[parent].texts["text"]
      else { return nil }
      return Array(text.utf8) != Array(word.utf8)
    }
  }

  /// Strings are their bytes; an empty one is found nowhere.
  private static func holds(_ text: [UInt8], _ name: String, _ word: [UInt8]) -> Bool {
    switch name {
    case "==": return text == word
    case "<": return text.lexicographicallyPrecedes(word)
    default: break
    }
    guard !word.isEmpty, word.count <= text.count else { return false }
    let places = 0...(text.count - word.count)
    switch name {
    case "BEGINSWITH": return text.starts(with: word)
    case "ENDSWITH": return text.suffix(word.count).elementsEqual(word)
    default: return places.contains { text[$0...].starts(with: word) }
    }
  }

  private mutating func countOfMembers() -> GeneratedPredicate {
    let (key, order, constant) = (pick(["children", "tags", "steps"]), order(), pick([0, 1, 2]))
    return GeneratedPredicate(format: "\(key).@count \(order) \(constant)") { plain, index in
      let counts = [
        "children": plain.children(index).count, "tags": plain.things[index].tags.count,
        "steps": plain.things[index].steps.count,
      ]
      return Self.holds(counts[key] ?? 0, order, constant)
    }
  }

  private mutating func anyTag() -> GeneratedPredicate {
    let (quantifier, word) = (pick(["ANY", "ALL", "NONE"]), word())
    return GeneratedPredicate(
      format: "\(quantifier) tags.name == \(Self.quoted(word))"
    ) { plain, index in
      let names = plain.things[index].tags.compactMap { plain.tags[$0].name }
      let equal = names.filter { Array($0.utf8) == Array(word.utf8) }
      switch quantifier {
      case "ANY": return !equal.isEmpty
      case "ALL": return equal.count == names.count
      default: return equal.isEmpty
      }
    }
  }
}
