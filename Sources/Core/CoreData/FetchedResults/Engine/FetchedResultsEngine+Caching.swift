extension FetchedResultsEngine {
  /// The states of the stores' files; nil if a section cache cannot be trusted. It can be if the
  /// list comes from the files alone, without changes in memory.
  func storeStates() -> [String]? {
    guard sectionNameKeyPath != nil, cacheName != nil, context.parent == nil,
      !context.hasChanges, let stores = context.rootCoordinator?.persistentStores
    else { return nil }
    let asked = request.affectedStores
    let states = stores.filter { store in asked?.contains { $0 === store } ?? true }
      .map { ($0 as? SQLiteStore)?.fileState }
    let known = states.compactMap(\.self)
    return known.isEmpty || known.count < states.count ? nil : known
  }

  /// The cache key of the sections of these identities. Returns nil if there is none: a comparator
  /// has no name, and a store may have changed since `states` were read.
  func origin(
    _ words: ContiguousArray<UInt64>, columns: [SortColumn], states: [String]?
  ) -> SectionCache.Origin? {
    guard let states, let entity = request.settings.entity, let path = sectionNameKeyPath,
      states == storeStates()
    else { return nil }
    let names = columns.compactMap(\.name)
    guard names.count == columns.count else { return nil }
    let orders = zip(request.sortDescriptors ?? [], names).map {
      "\($0.key ?? "") \($0.ascending ? "ascending" : "descending") \($1)"
    }
    return SectionCache.Origin(
      entityName: entity.name ?? "", entityVersionHash: entity.versionHash,
      sectionNameKeyPath: path, sortDescriptors: orders,
      predicate: request.predicate.map { "\($0)" }, locale: Locale.current.identifier,
      stores: states, count: words.count, digest: Self.digest(words))
  }

  /// A hash that differs, with near certainty, between lists of different objects or orders.
  private static func digest(_ words: ContiguousArray<UInt64>) -> UInt64 {
    words.reduce(0xCBF2_9CE4_8422_2325) { hash, word in
      let mixed = (hash ^ word) &* 0x9E37_79B9_7F4A_7C15
      return mixed ^ mixed >> 29
    }
  }

  /// The sections from the cache; otherwise those that `find` returns, which are then cached.
  func sections(
    _ origin: SectionCache.Origin?, reader: ContextListReader,
    find: () throws -> [FetchedSection]
  ) throws -> [FetchedSection] {
    hasCachedSections = false
    guard let cacheName, let origin else { return try find() }
    if let cached = SectionCache.standard.sections(cacheName, of: origin) {
      hasCachedSections = true
      return cached
    }
    let sections = try find()
    if !reader.hasNamedObjects, origin.stores == storeStates() {
      SectionCache.standard.keep(sections, name: cacheName, of: origin)
    }
    return sections
  }
}
