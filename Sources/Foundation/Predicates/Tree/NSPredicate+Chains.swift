import Foundation

extension NSPredicate {
  /// A predicate with one compound per chain of a connective and without double negations. Flattens
  /// a tree that was built in a loop, one condition at a time.
  package var withoutChains: NSPredicate { DeepStack.run(depth: nestingDepth) { flattened } }

  fileprivate var flattened: NSPredicate {
    guard let compound = self as? Foundation.NSCompoundPredicate else { return self }
    let type = compound.compoundPredicateType
    var parts: [NSPredicate] = []
    compound.collectLinks(of: type, in: &parts)
    if type == .not, let inner = parts[0] as? Foundation.NSCompoundPredicate,
      inner.compoundPredicateType == .not
    {
      return inner.subpredicates[0]
    }
    return CompoundPredicate(type: type, subpredicates: parts)
  }
}

extension Foundation.NSCompoundPredicate {
  /// Collects the parts of a compound; replaces parts that continue its chain by their own parts.
  fileprivate func collectLinks(of type: LogicalType, in links: inout [NSPredicate]) {
    for part in subpredicates {
      if type != .not, let next = part as? Foundation.NSCompoundPredicate,
        next.compoundPredicateType == type
      {
        next.collectLinks(of: type, in: &links)
      } else {
        links.append(part.flattened)
      }
    }
  }
}
