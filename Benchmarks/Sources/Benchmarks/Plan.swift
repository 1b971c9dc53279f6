/// A scenario that can be chosen by its name, with the sizes at which it is measured.
struct Plan {
  let family: String
  /// What follows the size in the name.
  var suffix: (_ size: Int) -> String = { _ in "" }
  /// Whether the size is a part of the name.
  var isSized = true
  let size: Int
  let smokeSize: Int
  /// Whether it takes part only where a filter names it: what takes minutes, and is drawn rather than read.
  var isOnRequest = false
  let make: (Int, Workspace) throws -> Scenario

  static var all: [Plan] {
    objects + stores + servers + migrations + models + lists + predicates + swiftModels + sync
      + drawn
  }

  /// The name at full size: what a filter is matched against.
  var name: String { name(size: size) }

  func name(size: Int, way: String = "") -> String {
    let label = isSized ? Self.label(size) : ""
    return [family, way, label, suffix(size)].filter { !$0.isEmpty }.joined(separator: "-")
  }

  static func label(_ size: Int) -> String {
    if size % 1_000_000 == 0 { return "\(size / 1_000_000)m" }
    return size % 1_000 == 0 ? "\(size / 1_000)k" : "\(size)"
  }
}

// MARK: - Objects and contexts

extension Plan {
  private static var objects: [Plan] {
    [
      Plan(family: "fetch", size: 100_000, smokeSize: 1_000) { try .fetch($0, in: $1) },
      Plan(family: "fetch-memory", size: 1_000_000, smokeSize: 1_000) {
        try .fetchMemory($0, in: $1)
      },
      Plan(family: "insert", size: 100_000, smokeSize: 1_000) { try .insert($0, in: $1) },
      Plan(family: "update", size: 10_000, smokeSize: 100) { try .update($0, in: $1) },
      Plan(family: "delete", size: 10_000, smokeSize: 100) { try .delete($0, in: $1) },
      Plan(family: "fault", size: 10_000, smokeSize: 100) { try .fault($0, in: $1) },
    ] + growing
  }

  /// Work that must not grow faster than its size, at two or three sizes.
  private static var growing: [Plan] {
    [
      Plan(family: "undo-delete", size: 10_000, smokeSize: 100) { try .undoDelete($0, in: $1) },
      Plan(family: "undo-delete", size: 20_000, smokeSize: 200) { try .undoDelete($0, in: $1) },
      Plan(family: "merge", size: 10_000, smokeSize: 100) { try .merge($0, in: $1) },
      Plan(family: "merge", size: 20_000, smokeSize: 200) { try .merge($0, in: $1) },
      Plan(family: "relate", size: 50_000, smokeSize: 500) { try .relate($0, in: $1) },
      Plan(family: "relate", size: 100_000, smokeSize: 1_000) { try .relate($0, in: $1) },
      Plan(family: "relate", size: 200_000, smokeSize: 2_000) { try .relate($0, in: $1) },
    ] + crowds
  }

  /// The same of what a program may have many of.
  private static var crowds: [Plan] {
    func pair(
      _ family: String, _ size: Int, smoke: Int, times: [Int] = [1, 2],
      _ make: @escaping (Int, Workspace) throws -> Scenario
    ) -> [Plan] {
      times.map { Plan(family: family, size: $0 * size, smokeSize: $0 * smoke, make: make) }
    }
    return pair("save-observed", 50, smoke: 5) { try .observers($0, in: $1) }
      + pair("contexts", 500, smoke: 5) { try .contexts($0, in: $1) }
      + pair("undo-changes", 50_000, smoke: 50, times: [1, 2, 4]) { try .undoChanges($0, in: $1) }
      + pair("members", 500_000, smoke: 50, times: [1, 2, 4]) { try .members($0, in: $1) }
      + pair("wide-entity", 250, smoke: 25) { try .wideEntity($0, in: $1) }
      + pair("models", 100, smoke: 2) { try .models($0, in: $1) }
      + pair("long-text", 5_000_000, smoke: 5_000) { try .longText($0, in: $1) }
  }
}

// MARK: - The store

extension Plan {
  private static var stores: [Plan] {
    [
      Plan(family: "open-store", isSized: false, size: 1_000, smokeSize: 100) {
        try .openStore($0, in: $1)
      },
      Plan(family: "ids", size: 1_000_000, smokeSize: 1_000) {
        try .identities($0, isIndexed: true, in: $1)
      },
      Plan(family: "ids", suffix: { _ in "unindexed" }, size: 1_000_000, smokeSize: 1_000) {
        try .identities($0, isIndexed: false, in: $1)
      },
      Plan(family: "fetch-page", size: 20, smokeSize: 2) { try .fetchPage($0, in: $1) },
      Plan(family: "save", size: 1, smokeSize: 1) { _, workspace in
        try .saveOne(in: workspace)
      },
      Plan(family: "import", size: 1_000_000, smokeSize: 11_000) { try .bulkImport($0, in: $1) },
      Plan(family: "import", suffix: { _ in "indexed" }, size: 1_000_000, smokeSize: 11_000) {
        try .indexedImport($0, in: $1)
      },
      Plan(family: "import-memory", size: 1_000_000, smokeSize: 11_000) {
        try .importMemory($0, in: $1)
      },
      Plan(family: "batch-insert", size: 1_000_000, smokeSize: 1_000) {
        try .batchInsert($0, in: $1)
      },
      Plan(family: "fetch-parallel", isSized: false, size: 400_000, smokeSize: 1_000) {
        try .fetchParallel($0, readingTwice: true, in: $1)
      },
      Plan(family: "fetch-parallel-once", isSized: false, size: 400_000, smokeSize: 1_000) {
        try .fetchParallel($0, readingTwice: false, in: $1)
      },
    ]
  }
}

// MARK: - A store on a server

extension Plan {
  /// None where no server is installed.
  private static var servers: [Plan] {
    guard DatabaseServer.isInstalled else { return [] }
    return [
      Plan(family: "postgresql-fetch", size: 100_000, smokeSize: 1_000) { size, _ in
        try .databaseFetch(size)
      },
      Plan(family: "postgresql-insert", size: 100_000, smokeSize: 1_000) { size, _ in
        try .databaseInsert(size)
      },
      Plan(family: "postgresql-save", size: 1, smokeSize: 1) { _, _ in try .databaseSave() },
      Plan(family: "postgresql-import", size: 1_000_000, smokeSize: 11_000) {
        try .databaseImport($0, in: $1)
      },
      Plan(family: "postgresql-import-memory", size: 1_000_000, smokeSize: 11_000) { size, _ in
        try .databaseImportMemory(size)
      },
      Plan(family: "postgresql-membership", size: 200_000, smokeSize: 4_000) { size, _ in
        try .databaseMembership(size)
      },
      Plan(family: "postgresql-members", size: 300, smokeSize: 5) { size, _ in
        try .databaseMembers(size)
      },
      Plan(family: "postgresql-batch-beside-writers", size: 20_000, smokeSize: 500) { size, _ in
        try .databaseBatchBesideWriters(size)
      },
      Plan(family: "postgresql-heartbeat", size: 5_000, smokeSize: 200) { size, _ in
        try .databaseHeartbeat(size)
      },
    ]
  }
}

// MARK: - Migration

extension Plan {
  private static var migrations: [Plan] {
    [
      Plan(family: "migrate-inplace", size: 1_000_000, smokeSize: 1_000) {
        try .migrateInPlace($0, in: $1)
      },
      Plan(family: "migrate-rebuild", size: 1_000_000, smokeSize: 1_000) {
        try .migrateRebuild($0, in: $1)
      },
      Plan(family: "migrate-mapping", size: 100_000, smokeSize: 1_000) {
        try .migrateMapping($0, in: $1)
      },
    ] + migrationMemory
  }

  /// Work whose memory must not grow with the rows, at two sizes.
  private static var migrationMemory: [Plan] {
    [100_000, 400_000].flatMap { size in
      [
        Plan(family: "migrate-mapping-memory", size: size, smokeSize: size / 100) {
          try .migrateMappingMemory($0, in: $1)
        },
        Plan(family: "migrate-policy-memory", size: size, smokeSize: size / 100) {
          try .migratePolicyMemory($0, in: $1)
        },
      ]
    }
  }
}

// MARK: - Models

extension Plan {
  private static var models: [Plan] {
    ["xcdatamodel", "mom"].map { name in
      Plan(family: "load-model", suffix: { _ in name }, size: 200, smokeSize: 20) {
        try .loadModel($0, extension: name, in: $1)
      }
    }
  }
}

// MARK: - Lists

extension Plan {
  private static var lists: [Plan] {
    [
      Plan(family: "frc-perform", size: 1_000_000, smokeSize: 1_000) {
        try .listPerform($0, in: $1)
      },
      Plan(family: "frc-perform-memory", size: 1_000_000, smokeSize: 1_000) {
        try .listMemory($0, in: $1)
      },
      Plan(
        family: "frc-perform", suffix: { _ in "sections" }, size: 1_000_000, smokeSize: 1_000
      ) { try .listPerformSections($0, in: $1) },
      Plan(family: "frc-merge", suffix: { "of-\(label($0 * 100))" }, size: 10_000, smokeSize: 10) {
        try .listMerge($0, in: $1)
      },
    ] + changes + growth
  }

  private static var changes: [Plan] {
    [(10_000, 500), (100_000, 1_000), (1_000_000, 10_000)].map { size, smokeSize in
      Plan(family: "frc-change", size: size, smokeSize: smokeSize) { try .listChange($0, in: $1) }
    }
  }

  /// What `make growth` draws, beside the changes above.
  private static var growth: [Plan] {
    [1_000, 10_000, 100_000, 1_000_000, 4_000_000].map { size in
      Plan(family: "frc-growth", size: size, smokeSize: size / 100 + 490) {
        try .listGrowth($0, in: $1)
      }
    }
  }
}

// MARK: - Growth

extension Plan {
  /// What `make growth` draws by the row: every object fetched, inserted, merged.
  private static var drawn: [Plan] {
    func sizes(
      _ family: String, _ make: @escaping (Int, Workspace) throws -> Scenario
    ) -> [Plan] {
      [1_000, 10_000, 100_000, 1_000_000, 4_000_000].map {
        Plan(
          family: family + "-growth", size: $0, smokeSize: $0 / 1_000 + 10, isOnRequest: true,
          make: make)
      }
    }
    return sizes("fetch") { try .fetch($0, in: $1) }
      + sizes("insert") { try .insert($0, in: $1) }
      + sizes("merge") { try .merge($0, in: $1) }
  }
}

// MARK: - Predicates and sorting

extension Plan {
  private static var predicates: [Plan] {
    [
      Plan(family: "predicate-parse", size: 100_000, smokeSize: 1_000) {
        try .predicateParsing($0, in: $1)
      },
      Plan(family: "predicate-memory", size: 1_000_000, smokeSize: 1_000) {
        try .predicateEvaluation($0, in: $1)
      },
      Plan(family: "sort-localized", size: 100_000, smokeSize: 1_000) {
        try .localizedSort($0, in: $1)
      },
      Plan(family: "predicate-sql", size: 1_000_000, smokeSize: 1_000) {
        try .predicate($0, in: $1)
      },
      Plan(family: "predicate-sql-search", size: 1_000_000, smokeSize: 1_000) {
        try .search($0, in: $1)
      },
    ]
  }
}

// MARK: - Sync

extension Plan {
  private static var sync: [Plan] {
    [
      Plan(family: "sync-push", size: 100_000, smokeSize: 1_000) { try .syncPush($0, in: $1) },
      Plan(family: "sync-pull", size: 100_000, smokeSize: 1_000) { try .syncPull($0, in: $1) },
      Plan(family: "sync-edit", size: 10_000, smokeSize: 100) { try .syncEdit($0, in: $1) },
      Plan(family: "sync-store", size: 100_000, smokeSize: 1_000) { try .syncStore($0, in: $1) },
      Plan(family: "sync-wire", size: 100_000, smokeSize: 1_000) { try .syncWire($0, in: $1) },
    ]
  }
}

// MARK: - SwiftData, beside the same work through Core Data

extension Plan {
  private static var swiftModels: [Plan] {
    [
      Plan(family: "swiftdata-fetch", size: 100_000, smokeSize: 1_000) {
        try .swiftFetch($0, in: $1)
      },
      Plan(family: "swiftdata-read", size: 1_000_000, smokeSize: 1_000) {
        try .swiftRead($0, in: $1)
      },
      Plan(family: "swiftdata-insert", size: 100_000, smokeSize: 1_000) {
        try .swiftInsert($0, in: $1)
      },
      Plan(family: "swiftdata-save", size: 1, smokeSize: 1) { _, workspace in
        try .swiftSave(in: workspace)
      },
    ]
      + [1_000, 16_000, 100_000].map { size in
        Plan(family: "swiftdata-upsert", size: size, smokeSize: size / 100) {
          try .swiftUpsert($0, in: $1)
        }
      }
  }
}
