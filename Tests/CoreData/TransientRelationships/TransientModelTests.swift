import Testing

@testable import CoreData
@testable import CoreDataSamples

/// What models say of transient relationships: validation, version hashes, tables, derived attributes.
@Suite struct TransientModelTests: TransientSuite {
  @Test(arguments: [StoreKind.inMemory, .sqlite])
  func aMandatoryOneIsValidatedByWhatIsInMemory(_ kind: StoreKind) throws {
    let model = TransientModel.make { relationship, pair in
      guard relationship.name == pair.name, pair.inverse == .none else { return }
      relationship.isOptional = false
      relationship.minCount = 1
    }
    let stack = try TestStack(kind, model: model)
    try stack.withContext { context in
      let pairs = TransientPair.all.filter { $0.inverse == .none && $0.owner == "Client" }
      let client = NSEntityDescription.insertNewObject(forEntityName: "Client", into: context)
      let message = NSEntityDescription.insertNewObject(forEntityName: "Message", into: context)
      context.delete(message)
      let error = #expect(throws: (any Error).self) { try client.validateForInsert() }
      let errors = (error as NSError?)?.userInfo[NSDetailedErrorsKey] as? [NSError] ?? []
      let found = errors.map {
        "\($0.userInfo[NSValidationKeyErrorKey] as? String ?? "") \($0.code)"
      }
      #expect(
        found.sorted() == [
          "clientOrderedAlone 1580", "clientToManyAlone 1580", "clientToOneAlone 1570",
        ])
      let other = NSEntityDescription.insertNewObject(forEntityName: "Message", into: context)
      for pair in pairs {
        let value: Any =
          switch pair.side {
          case .toOne: other
          case .toMany: NSSet(object: other)
          case .ordered: NSOrderedSet(object: other)
          }
        client.setValue(value, forKey: pair.name)
      }
      try client.validateForInsert()
    }
  }

  @Test func theyCountInNoVersionHash() {
    let pairs = TransientPair.all.filter { !$0.hasStoredInverse }
    let hashes = [pairs, []].map { TransientModel.make($0).entityVersionHashesByName }
    #expect(hashes[0] == hashes[1])
    for pair in TransientPair.all {
      let models = [true, false].map { isTransient in
        TransientModel.make(
          [pair], isTransient: { $0 == pair.name ? isTransient : !$1.isStored($0) })
      }
      let owners = models.map { $0.entitiesByName[pair.owner]?.versionHash }
      #expect(owners[0] != owners[1], "\(pair)")
    }
  }

  @Test func theyHaveNoPlaceInASQLiteStore() throws {
    let pairs = TransientPair.all.filter { !$0.hasStoredInverse }
    let schemas = try [pairs, []].map { pairs in
      let fixture = try StoreFixture(TransientModel.make(pairs))
      defer { try? fixture.close() }
      return try SchemaText(fixture.url).statements
    }
    #expect(schemas[0] == schemas[1])
    for pair in TransientPair.withStoredInverse {
      let fixture = try StoreFixture(TransientModel.make([pair]))
      let text = try PlainSQL(url: fixture.url).schema.joined(separator: "\n")
      // But in the name of a table, or of a column, that is the stored side's too.
      let rest = text.replacing("\(pair.name.uppercased())BACK", with: "")
      let isJoined = pair.side != .toOne && pair.inverseSide != .toOne
      #expect(isJoined || !rest.contains(pair.name.uppercased()), "\(pair): \(text)")
      try fixture.close()
    }
  }

  @Test(.enabled(if: StoreKind.all.contains(.postgreSQL)))
  func theyHaveNoPlaceOnAServer() throws {
    let pairs = TransientPair.all.filter { !$0.hasStoredInverse }
    let schemas = try [pairs, []].map { pairs in
      let folder = try StoreFixture.makeFolder()
      let url = try #require(
        try StoreKind.postgreSQL.url(folder.appendingPathComponent("Store.sqlite")))
      let fixture = try StoreFixture(
        TransientModel.make(pairs), at: url, type: .init(rawValue: StoreKind.postgreSQL.rawValue))
      try fixture.close()
      defer { try? ServerSchema.drop(url) }
      return try ServerSchema(url).lines
    }
    #expect(schemas[0] == schemas[1])
  }

  /// What an attribute is derived from is in the store.
  @Test(arguments: StoreKind.withDerivedAttributes)
  func anAttributeCannotBeDerivedFromThem(_ kind: StoreKind) throws {
    for side in TransientPair.Side.allCases {
      let pair = TransientPair(owner: "Client", side: side, inverse: .none)
      let model = TransientModel.make([pair])
      let derived = NSDerivedAttributeDescription()
      derived.name = "derived"
      derived.attributeType = side == .toOne ? .stringAttributeType : .integer64AttributeType
      derived.isOptional = true
      derived.derivationExpression = NSExpression(
        forKeyPath: side == .toOne ? "\(pair.name).name" : "\(pair.name).@count")
      model.entitiesByName["Client"]?.properties.append(derived)
      let error = #expect(throws: (any Error).self) { try TestStack(kind, model: model) }
      #expect("\(String(describing: error))".contains(pair.name), "\(pair)")
    }
  }
}
