#if Web
  import Foundation
  import TestSupport
  import Testing

  @testable import ListWeb

  @Suite struct EventRecordTests {
    @Test func theFileKeepsTheLastEventsAndStaysShort() throws {
      let folder = try TestFolder()
      let file = folder.file("key.events")
      let record = EventRecord(file: file)
      for number in 1...20_000 { record.note(page: 1, number: number, of: "window-\(number % 7)") }
      var longest = 0
      for number in 20_001...60_000 {
        record.note(page: 1, number: number, of: String(repeating: "t", count: 32))
        if number % 500 == 0 {
          let bytes = try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int
          longest = max(longest, bytes ?? 0)
        }
      }
      #expect(longest > EventRecord.most && longest <= 4 * EventRecord.most + 100)
      #expect(record.has(page: 1, number: 60_000, of: String(repeating: "t", count: 32)))
      #expect(!record.has(page: 1, number: 60_001, of: String(repeating: "t", count: 32)))
      #expect(!record.has(page: 2, number: 1, of: String(repeating: "t", count: 32)))
      #expect(!record.has(page: 1, number: 1, of: "window-1"))
      // The next process knows what this one did.
      #expect(
        EventRecord(file: file).has(page: 1, number: 60_000, of: String(repeating: "t", count: 32)))
    }

    @Test func withoutAFileNothingIsKnown() {
      let record = EventRecord(file: nil)
      record.note(page: 1, number: 1, of: "window")
      #expect(!record.has(page: 1, number: 1, of: "window"))
    }
  }
#endif
