import Testing

/// Managed object classes in the bodies of ported sources.
struct LocalClassTests {
  @Test @MainActor func theirPropertiesAreManaged() throws {
    #expect(try Local.values() == ["Oak 12 80 true true Oak"])
  }
}
