import CoreData
import Testing

@testable import CoreDataSamples

@Suite struct DictionaryFetchTests {
  private let byName = [NSSortDescriptor(key: "name", ascending: true)]

  @Test(arguments: StoreKind.all.filter(\.makesDictionaries))
  func withoutColumnsADictionaryHasEveryAttributeAndNoRelationship(_ kind: StoreKind) throws {
    try PeopleGraph.makeStack(kind).withContext { (context) throws in
      let rows = try context.dictionaries(nil) {
        $0.predicate = NSPredicate(format: "name == 'Bob'")
      }
      #expect(rows.count == 1)
      #expect(rows[0]["name"] as? String == "Bob")
      #expect(rows[0]["born"] as? Date == Date(timeIntervalSinceReferenceDate: 40))
      // Nil has no key.
      #expect(Set(rows[0].allKeys.compactMap { $0 as? String }) == ["name", "age", "born"])
    }
  }

  @Test(arguments: StoreKind.all.filter(\.makesDictionaries))
  func columnsAreNamesDescriptionsPathsAndExpressionsMixed(_ kind: StoreKind) throws {
    let stack = try PeopleGraph.makeStack(kind)
    try stack.withContext { (context) throws in
      let entity = try #require(stack.coordinator.managedObjectModel.entitiesByName["Person"])
      let age = try #require(entity.attributesByName["age"])
      let next = column(
        "next", NSExpression(format: "age + 1"), .integer64AttributeType)
      let rows = try context.dictionaries(["name", age, "boss.name", next]) {
        $0.sortDescriptors = byName
      }
      #expect(rows.map { $0["name"] as? String } == ["Ada", "Bob", "Cy", "Dee"])
      #expect(rows.map { $0["age"] as? Int } == [60, 40, 40, 30])
      #expect(rows.map { $0["boss.name"] as? String } == [nil, "Ada", "Ada", "Ada"])
      #expect(rows.map { $0["next"] as? Int } == [61, 41, 41, 31])
    }
  }

  /// As SQL has it: an operation with nil, or one that has no result, gives nil.
  @Test(
    arguments: StoreKind.all.filter(\.makesDictionaries),
    [
      "boss.age + 1", "1 - boss.age", "boss.age * age", "boss.age / 2", "10 / (age - 60)",
      "uppercase(boss.name)", "lowercase(boss.name)", "sqrt(boss.age)",
      "modulus:by:(age, age - 60)",
      "floor(boss.age)", "abs(boss.age)", "boss.age ** 2", "boss.age & 7",
    ])
  func whatIsComputedOfNilIsNil(_ kind: StoreKind, _ text: String) throws {
    try PeopleGraph.makeStack(kind).withContext { (context) throws in
      let type: NSAttributeType =
        text.contains("case") ? .stringAttributeType : .doubleAttributeType
      let rows = try context.dictionaries([column("x", NSExpression(format: text), type)]) {
        $0.sortDescriptors = byName
      }
      #expect(rows.map { $0["x"] == nil } == [true, false, false, false])
    }
  }

  @Test(arguments: StoreKind.all.filter(\.makesDictionaries))
  func aFunctionOfAllRowsInsideOfAColumnIsAnErrorInEveryStore(_ kind: StoreKind) throws {
    try PeopleGraph.makeStack(kind).withContext { (context) throws in
      let inside = column("x", NSExpression(format: "max(age) - 1"), .integer64AttributeType)
      let error = #expect(throws: NSError.self) { try context.dictionaries([inside]) { _ in } }
      let reason = error?.userInfo["reason"] as? String
      #expect(reason?.contains("inside of another expression (x)") == true)
    }
  }

  /// A key path that begins with an operator is the function of that name, over all rows or those of a group.
  @Test(
    arguments: StoreKind.all.filter(\.makesDictionaries),
    [
      ("@sum.age", "sum:"), ("@avg.age", "average:"), ("@min.age", "min:"), ("@max.age", "max:"),
      ("@max.boss.age", "max:"), ("@count", "count:"),
    ])
  func anOperatorAtTheBeginningIsAFunctionOfTheRows(
    _ kind: StoreKind, _ names: (path: String, function: String)
  ) throws {
    try PeopleGraph.makeStack(kind).withContext { (context) throws in
      let rest = names.path.split(separator: ".", maxSplits: 1).dropFirst().first.map(String.init)
      let argument =
        rest.map { NSExpression(forKeyPath: $0) } ?? NSExpression.expressionForEvaluatedObject()
      let function = NSExpression(forFunction: names.function, arguments: [argument])
      for groups in [nil, ["boss.name"]] {
        let found = try [NSExpression(forKeyPath: names.path), function].map { expression in
          try context.dictionaries((groups ?? []) + [column("x", expression, .doubleAttributeType)])
          {
            $0.propertiesToGroupBy = groups
          }.map { "\($0["boss.name"] ?? "") \($0["x"] ?? "nil")" }.sorted()
        }
        #expect(found[0] == found[1] && found[0].count == (groups == nil ? 1 : 2), "\(found)")
      }
    }
  }

  @Test(arguments: StoreKind.all.filter(\.makesDictionaries))
  func aToOneColumnAndObjectIDGiveObjectIDs(_ kind: StoreKind) throws {
    try PeopleGraph.makeStack(kind).withContext { (context) throws in
      let rows = try context.dictionaries(["objectID", "boss", "boss.objectID"]) {
        $0.sortDescriptors = byName
      }
      let ada = try #require(rows[0]["objectID"] as? NSManagedObjectID)
      #expect(rows[0]["boss"] == nil)
      #expect(rows[1]["boss"] as? NSManagedObjectID === ada)
      #expect(rows[1]["boss.objectID"] as? NSManagedObjectID === ada)
      let dee = try #require(rows[3]["objectID"] as? NSManagedObjectID)
      #expect(dee.entity.name == "Employee")
      let selfColumn = column(
        "me", .expressionForEvaluatedObject(), .objectIDAttributeType)
      let same = try context.dictionaries([selfColumn]) { $0.sortDescriptors = byName }
      #expect(same[0]["me"] as? NSManagedObjectID === ada)
    }
  }

  @Test(arguments: StoreKind.all.filter(\.makesDictionaries))
  func dictionariesShowSavedValuesWhateverIsPending(_ kind: StoreKind) throws {
    try PeopleGraph.makeStack(kind).withContext { (context) throws in
      let ada = try #require(
        try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Person"))
          .first { $0.value(forKey: "name") as? String == "Ada" })
      ada.setValue("Eve", forKey: "name")
      PeopleGraph.insert("Person", "Flo", 1, in: context)
      let rows = try context.dictionaries(["name"]) { $0.sortDescriptors = byName }
      #expect(rows.map { $0["name"] as? String } == ["Ada", "Bob", "Cy", "Dee"])
    }
  }

  @Test(arguments: StoreKind.all.filter(\.makesDictionaries))
  func anAggregateWithoutGroupsGivesOneRow(_ kind: StoreKind) throws {
    try PeopleGraph.makeStack(kind).withContext { (context) throws in
      let columns = [
        column("n", "count:", of: "name", .integer64AttributeType),
        column("sum", "sum:", of: "age", .integer64AttributeType),
        column("min", "min:", of: "name"), column("max", "max:", of: "born", .dateAttributeType),
        column("mean", "average:", of: "age", .doubleAttributeType),
        column("members", "count:", of: "tags"),
      ]
      let rows = try context.dictionaries(columns)
      #expect(rows.count == 1)
      #expect(rows[0]["n"] as? Int == 4)
      #expect(rows[0]["sum"] as? Int == 170)
      #expect(rows[0]["min"] as? String == "Ada")
      #expect(rows[0]["max"] as? Date == Date(timeIntervalSinceReferenceDate: 60))
      #expect(rows[0]["mean"] as? Double == 42.5)
      #expect(rows[0]["members"] as? Int == 3)
      let none = try context.dictionaries(columns) { $0.predicate = NSPredicate(value: false) }
      #expect(none == [["n": 0, "sum": 0, "members": 0] as NSDictionary])
    }
  }

  @Test(arguments: StoreKind.all.filter(\.makesDictionaries))
  func groupsGiveOneRowPerValue(_ kind: StoreKind) throws {
    try PeopleGraph.makeStack(kind).withContext { (context) throws in
      let rows = try context.dictionaries(["age", column("n", "count:", of: "name")]) {
        $0.propertiesToGroupBy = ["age"]
        $0.sortDescriptors = [NSSortDescriptor(key: "age", ascending: false)]
      }
      #expect(rows.map { $0["age"] as? Int } == [60, 40, 30])
      #expect(rows.map { $0["n"] as? Int } == [1, 2, 1])
      let byBoss = try context.dictionaries(["boss.name", column("n", "count:", of: "name")]) {
        $0.propertiesToGroupBy = ["boss.name"]
        $0.sortDescriptors = [NSSortDescriptor(key: "boss.name", ascending: true)]
        $0.fetchOffset = 1
        $0.fetchLimit = 1
      }
      #expect(byBoss == [["boss.name": "Ada", "n": 3] as NSDictionary])
    }
  }

  @Test(arguments: StoreKind.all.filter(\.makesDictionaries))
  func havingChoosesGroupsByTheirColumns(_ kind: StoreKind) throws {
    try PeopleGraph.makeStack(kind).withContext { (context) throws in
      func ages(_ having: NSPredicate) throws -> [Int?] {
        try context.dictionaries(["age", column("n", "count:", of: "name")]) {
          $0.propertiesToGroupBy = ["age"]
          $0.havingPredicate = having
          $0.sortDescriptors = [NSSortDescriptor(key: "age", ascending: true)]
          $0.fetchLimit = 1
        }.map { $0["age"] as? Int }
      }
      let many = try ages(NSPredicate(format: "%@ > 1", NSExpression(forVariable: "n")))
      #expect(many == [40])
      let old = try ages(NSPredicate(format: "age > 30"))
      #expect(old == [40])
      #expect(throws: (any Error).self) { try ages(NSPredicate(format: "n > 1")) }
      let error = #expect(throws: NSError.self) {
        try ages(
          NSPredicate(
            format: "%@ > 1",
            NSExpression(forFunction: "count:", arguments: [NSExpression(forKeyPath: "name")])))
      }
      #expect(error?.localizedFailureReason == "Unsupported function expression count:(name)")
    }
  }

  @Test(arguments: StoreKind.all.filter(\.makesDictionaries))
  func distinctResultsComeOnce(_ kind: StoreKind) throws {
    try PeopleGraph.makeStack(kind).withContext { (context) throws in
      let rows = try context.dictionaries(["age"]) {
        $0.returnsDistinctResults = true
        $0.sortDescriptors = [NSSortDescriptor(key: "age", ascending: true)]
        $0.fetchLimit = 2
      }
      #expect(rows.map { $0["age"] as? Int } == [30, 40])
    }
  }

  @Test(arguments: StoreKind.all.filter(\.makesDictionaries))
  func whatHasNoColumnIsAnErrorThatNamesIt(_ kind: StoreKind) throws {
    try PeopleGraph.makeStack(kind).withContext { (context) throws in
      func reason(
        _ properties: [Any]?, _ change: (NSFetchRequest<NSDictionary>) -> Void = { _ in }
      ) -> String? {
        let error = #expect(throws: NSError.self) {
          try context.dictionaries(properties, change)
        }
        return error?.localizedFailureReason
      }
      #expect(reason(["shoe"]) == "Invalid keypath (shoe) passed to setPropertiesToFetch:")
      #expect(
        reason(["tags"]) == "Invalid to-many relationship in setPropertiesToFetch: (tags)")
      #expect(
        reason(["age"]) { $0.propertiesToGroupBy = ["tags"] }
          == "Invalid to-many relationship in setPropertiesToGroupBy: (tags)")
      #expect(
        reason(["name"]) { $0.propertiesToGroupBy = ["age"] }?
          .hasPrefix("SELECT clauses in queries with GROUP BY components") == true)
      #expect(
        reason(["age"]) { $0.havingPredicate = NSPredicate(value: true) }?
          .contains("requires propertiesToGroupBy") == true)
      #expect(throws: NSError.self) {
        try context.people { $0.propertiesToGroupBy = ["age"] }
      }
      #expect(throws: NSError.self) {
        try context.people { $0.havingPredicate = NSPredicate(value: true) }
      }
    }
  }
}
