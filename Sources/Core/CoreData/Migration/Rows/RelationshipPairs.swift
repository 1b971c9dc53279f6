/// Checks that both sides of every relationship come from the two sides of one old relationship.
/// Then both sides agree after copying, and neither has to be derived from the other.
struct RelationshipPairs {
  private let plans: [EntityRowPlan]

  init(_ plans: [EntityRowPlan]) { self.plans = plans }

  var areWhole: Bool {
    plans.allSatisfy { plan in
      plan.destination.entity.relationshipsByName.values.allSatisfy { relationship in
        guard let inverse = relationship.storedInverse else { return true }
        return isWhole(relationship, inverse: inverse, plan: plan)
      }
    }
  }

  private func isWhole(
    _ relationship: NSRelationshipDescription, inverse: NSRelationshipDescription,
    plan: EntityRowPlan
  ) -> Bool {
    let source = source(of: relationship, plan)
    // All rows that may be on the other side.
    return plans.filter { $0.destination.entity.isKindOf(entity: inverse.entity) }
      .allSatisfy { other in
        let back = self.source(of: inverse, other)
        guard let source, let back else { return source == nil && back == nil }
        return source.relationship.inverseRelationship === back.relationship
          && back.relationship.inverseRelationship === source.relationship
          && (source.mapping ?? other.mapping.name) == other.mapping.name
          && (back.mapping ?? plan.mapping.name) == plan.mapping.name
      }
  }

  private func source(
    of relationship: NSRelationshipDescription, _ plan: EntityRowPlan
  ) -> (relationship: NSRelationshipDescription, mapping: String?)? {
    plan.relationships[relationship.name]
  }
}
