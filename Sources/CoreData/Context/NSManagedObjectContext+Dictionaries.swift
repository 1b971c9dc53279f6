extension NSManagedObjectContext {
  /// Dictionary results of plain properties: saved values, pending changes left out, as Apple's
  /// store gives them. Expressions and grouping are not built yet and say so.
  final func dictionaries(_ request: any AnyFetchRequest) throws -> [AnyObject] {
    let settings = request.settings
    if settings.propertiesToGroupBy != nil || settings.havingPredicate != nil {
      throw CoreDataError.unsupported("propertiesToGroupBy")
    }
    guard let model = rootCoordinator?.managedObjectModel else { return [] }
    let layout = try request.entity(in: model).layout
    let slots = try wantedSlots(settings.propertiesToFetch, layout)
    processPendingChanges()
    let rows = try source?.rows(settings.plan(for: layout), request.affectedStores) ?? []
    let dictionaries = rows.map { dictionary($0, slots, layout) }
    return settings.returnsDistinctResults ? distinct(dictionaries) : dictionaries
  }

  private func wantedSlots(_ properties: [Any]?, _ layout: EntityLayout) throws -> [Int] {
    guard let properties else {
      return layout.slots.indices.filter { layout.slots[$0].property is NSAttributeDescription }
    }
    return try properties.map { property in
      let name = (property as? String) ?? (property as? NSPropertyDescription)?.name ?? ""
      guard !(property is NSExpressionDescription), let slot = layout.slot(of: name) else {
        throw CoreDataError.unsupported(
          "“\(name)” in propertiesToFetch", instead: "Name attributes or to-one relationships.")
      }
      return slot
    }
  }

  private func dictionary(_ row: Row, _ slots: [Int], _ layout: EntityLayout) -> NSDictionary {
    let dictionary = NSMutableDictionary()
    for slot in slots {
      let value: Any? =
        switch layout.slots[slot].kind {
        case .attribute(let type): row[slot].boxed(type)
        case .toOne: row[slot].boxed(.objectIDAttributeType)
        }
      if let value { dictionary[layout.slots[slot].name] = value }
    }
    return dictionary
  }

  private func distinct(_ dictionaries: [NSDictionary]) -> [NSDictionary] {
    var seen: Set<NSDictionary> = []
    return dictionaries.filter { seen.insert($0).inserted }
  }
}
