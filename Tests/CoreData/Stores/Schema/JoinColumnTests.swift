import CoreDataSupport
import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

/// Many-to-many relationships, several of which lead to one entity by one name: what their tables are called,
/// and how they are found in files whose numbers come in another order.
@Suite struct JoinColumnTests {
  private func joinTables(_ url: URL) throws -> [String] {
    try PlainSQL(url: url).schema.filter {
      $0.contains("PRIMARY KEY (Z_") && $0.hasPrefix("CREATE TABLE")
    }
  }

  @Test func aColumnThatAnEntityHasInAnEarlierTableGetsANumber() throws {
    let (post, video, tag) = (
      ModelPart.entity("Post"), ModelPart.entity("Video"), ModelPart.entity("Tag")
    )
    ModelPart.join(post, "tags", 0, tag, "posts", 0)
    ModelPart.join(video, "tags", 0, tag, "videos", 0, isOrdered: true)
    let fixture = try StoreFixture(ModelPart.model([post, video, tag]))
    #expect(
      try joinTables(fixture.url) == [
        "CREATE TABLE Z_1TAGS ( Z_1POSTS INTEGER, Z_2TAGS INTEGER, "
          + "PRIMARY KEY (Z_1POSTS, Z_2TAGS) )",
        "CREATE TABLE Z_2VIDEOS ( Z_2TAGS1 INTEGER, Z_3VIDEOS INTEGER, Z_FOK_2TAGS1 INTEGER, "
          + "PRIMARY KEY (Z_2TAGS1, Z_3VIDEOS) )",
      ])
    #expect(
      try PlainSQL(url: fixture.url).schema.contains(
        "CREATE INDEX Z_2VIDEOS_Z_3VIDEOS_INDEX ON Z_2VIDEOS (Z_3VIDEOS, Z_2TAGS1)"))
  }

  // MARK: - Generated models

  /// Entities of small trees with many-to-many relationships whose names come from a few, so that they meet.
  private static func randomModel(_ random: inout SplitMix64) -> NSManagedObjectModel {
    let entities = (0..<Int.random(in: 2...5, using: &random)).map { number in
      let entity = ModelPart.entity(["Alpha", "Beta", "Gamma", "Delta", "Omega"][number])
      entity.properties = [ModelPart.attribute("name\(number)")]
      return entity
    }
    var parents: [Int: Int] = [:]
    for (index, entity) in entities.enumerated().dropFirst() {
      guard Int.random(in: 0..<3, using: &random) == 0 else { continue }
      let parent = Int.random(in: 0..<index, using: &random)
      entities[parent].subentities.append(entity)
      parents[index] = parent
    }
    // A name is one entity's of a tree, which keeps subentities from having it twice.
    var taken: [Int: Set<String>] = [:]
    func root(_ index: Int) -> Int { parents[index].map(root) ?? index }
    func name(_ index: Int, _ random: inout SplitMix64) -> String? {
      let names = ["links", "items", "items1", "tags", "things"].shuffled(using: &random)
      return names.first { taken[root(index), default: []].insert($0).inserted }
    }
    for _ in 0..<Int.random(in: 2...7, using: &random) {
      let (one, other) = (
        Int.random(in: 0..<entities.count, using: &random),
        Int.random(in: 0..<entities.count, using: &random)
      )
      guard let there = name(one, &random), let back = name(other, &random) else { continue }
      ModelPart.join(
        entities[one], there, 0, entities[other], back, 0,
        isOrdered: .random(using: &random), isInverseOrdered: .random(using: &random))
    }
    return ModelPart.model(entities)
  }

  /// A column of a join table without the number behind its name.
  private struct Named: Hashable {
    let table: String
    let column: String
    let base: String
  }

  /// What a file may be called instead.
  enum Renaming: CaseIterable {
    case none
    /// As this package wrote before it knew of the numbers.
    case unnumbered
    case shuffled
    /// A table within one entity goes by the other of its two names.
    case otherTables
  }

  private func joinMappings(
    _ fixture: StoreFixture
  ) throws -> [(relationship: NSRelationshipDescription, join: JoinMapping)] {
    let contents = try #require(fixture.store as? SQLiteStore).contents
    var tables: Set<String> = []
    return fixture.coordinator.layouts.flatMap(\.toMany).compactMap { relationship in
      guard let join = contents.mapping.join(of: relationship),
        tables.insert(join.table).inserted
      else { return nil }
      return (relationship, join)
    }
  }

  private func rename(
    _ url: URL, _ joins: [(relationship: NSRelationshipDescription, join: JoinMapping)],
    _ renaming: Renaming, _ random: inout SplitMix64
  ) throws {
    let plain = PlainSQL(url: url)
    if renaming == .otherTables {
      for (relationship, join) in joins {
        guard let inverse = relationship.inverseRelationship, inverse !== relationship,
          inverse.entity === relationship.entity
        else { continue }
        let prefix = join.table.prefix { !$0.isLetter || $0 == "Z" }
        let other = [relationship, inverse].map { prefix + $0.name.uppercased() }
          .first { $0 != join.table }
        try plain.execute("ALTER TABLE \(join.table) RENAME TO \(other ?? "")")
      }
      return
    }
    if renaming == .none { return }
    let columns = joins.flatMap { relationship, join in
      [
        (join.memberColumn, relationship.name),
        (join.ownerColumn, relationship.inverseRelationship?.name ?? ""),
      ].map { column, name -> Named in
        let number = column.dropFirst(2).prefix { $0.isNumber }
        return Named(table: join.table, column: column, base: "Z_\(number)\(name.uppercased())")
      }
    }
    for (base, group) in Dictionary(grouping: columns, by: \.base) {
      let names =
        renaming == .unnumbered
        ? group.map { _ in base } : group.map(\.column).shuffled(using: &random)
      // By way of names that nobody has.
      for suffix in ["_NEW", ""] {
        for (named, name) in zip(group, names) {
          let from = suffix.isEmpty ? name + "_NEW" : named.column
          for prefix in ["Z_", "Z_FOK_"] {
            let (old, new) = [from, name + suffix].map { prefix + $0.dropFirst(2) }.pair
            let has = try plain.rows(
              "SELECT 1 FROM pragma_table_info('\(named.table)') WHERE name = '\(old)'")
            if has.isEmpty || old == new { continue }
            try plain.execute("ALTER TABLE \(named.table) RENAME COLUMN \(old) TO \(new)")
          }
        }
      }
    }
  }

  @Test(arguments: Renaming.allCases)
  func membersAreFoundWhateverTheTablesAndColumnsAreCalled(_ renaming: Renaming) throws {
    for seed in UInt64(1)...10 {
      var random = SplitMix64(seed: seed)
      let model = Self.randomModel(&random)
      let first = try StoreFixture(model)
      var graph = RandomGraph(seed: seed)
      let saved = try graph.fill(first.coordinator)
      let joins = try joinMappings(first)
      try first.close()
      try rename(first.url, joins, renaming, &random)
      let again = try StoreFixture(model, at: first.url)
      let what: Comment = "seed \(seed), \(first.url.path)"
      #expect(try RandomGraph.contents(again.coordinator) == saved, what)
      try graph.change(again.coordinator)
      let contents = try RandomGraph.contents(again.coordinator)
      try expectFetchesAgree(again, what)
      try again.close()
      let result = try StoreChecker.checkRows(first.url)
      #expect(result.status == 0, "\(what): \(result.text)")
      let last = try StoreFixture(model, at: first.url)
      #expect(try RandomGraph.contents(last.coordinator) == contents, what)
    }
  }

  /// A fetch over the tables finds whoever has a member.
  private func expectFetchesAgree(_ fixture: StoreFixture, _ what: Comment) throws {
    let context = fixture.coordinator.makeContext()
    try context.performAndWait {
      for layout in fixture.coordinator.layouts {
        for relationship in layout.toMany {
          let name = layout.entity.name ?? ""
          let all = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: name))
          func members(_ object: NSManagedObject) -> Set<NSManagedObject> {
            let members = object.value(forKey: relationship.name)
            let list = (members as? NSOrderedSet)?.array ?? (members as? NSSet)?.allObjects ?? []
            return Set(list.compactMap { $0 as? NSManagedObject })
          }
          guard let member = all.flatMap(members).first else { continue }
          let request = NSFetchRequest<NSManagedObject>(entityName: name)
          request.predicate = NSPredicate(format: "ANY %K == %@", relationship.name, member)
          #expect(
            try Set(context.fetch(request)) == Set(all.filter { members($0).contains(member) }),
            "\(what): \(name).\(relationship.name)")
        }
      }
    }
  }
}

extension [String] {
  fileprivate var pair: (String, String) { (self[0], self[1]) }
}
