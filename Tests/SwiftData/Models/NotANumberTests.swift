import CoreData
import SwiftData
import Testing

/// NaN, which SQLite has no place for: each kind of property × set before and after the insertion ×
/// read before the save, after it and from the file; what is edited beside it; what predicates say.
struct NotANumberTests {
  struct Reading: Codable, Sendable {
    var value: Double
    var other: Double?
    var list: [Double] = []
  }

  @Model
  final class Measure {
    var text = ""
    var value: Double
    var standard = 0.5
    var small: Float
    var optional: Double?
    var smallOptional: Float?
    var reading: Reading
    var list: [Double]
    var map: [String: Double]

    init(_ number: Double) {
      value = number
      small = Float(number)
      optional = number
      smallOptional = Float(number)
      reading = Reading(value: number, other: number, list: [number])
      list = [number, 1]
      map = ["a": number]
      standard = number
    }
  }

  private func context(_ url: URL?) throws -> ModelContext {
    let schema = Schema([Measure.self])
    let configuration =
      url.map { ModelConfiguration(schema: schema, url: $0) }
      ?? ModelConfiguration(schema: schema, isStoredInMemoryOnly: true)
    return ModelContext(try ModelContainer(for: schema, configurations: configuration))
  }

  /// What holds everywhere: required properties and what is no column of its own.
  private func expectIsKept(_ measure: Measure, _ comment: Comment) {
    #expect(measure.value.isNaN && measure.standard.isNaN && measure.small.isNaN, comment)
    #expect(measure.list.first?.isNaN == true && measure.list.last == 1, comment)
    #expect(measure.map["a"]?.isNaN == true && measure.reading.list.first?.isNaN == true, comment)
  }

  @Test(arguments: [false, true], [false, true])
  func aRequiredNumberIsKept(isFile: Bool, isSetLater: Bool) throws {
    try LibraryStore.withFile { url in
      let context = try context(isFile ? url : nil)
      let measure = Measure(isSetLater ? 1 : .nan)
      context.insert(measure)
      if isSetLater {
        try context.save()
        let other = Measure(.nan)
        (measure.value, measure.standard, measure.small) = (other.value, other.standard, .nan)
        (measure.optional, measure.smallOptional) = (.nan, .nan)
        (measure.list, measure.map, measure.reading) = (other.list, other.map, other.reading)
      }
      expectIsKept(measure, "before the save")
      #expect(measure.optional?.isNaN == true && measure.smallOptional?.isNaN == true)
      #expect(measure.reading.value.isNaN && measure.reading.other?.isNaN == true)
      try context.save()
      expectIsKept(measure, "after it")
      let other = isFile ? try self.context(url) : ModelContext(context.container)
      let found = try #require(try other.fetch(FetchDescriptor<Measure>()).first)
      expectIsKept(found, "read")
      if isFile {
        #expect(found.optional == nil && found.smallOptional == nil)
        #expect(found.reading.value == 0 && found.reading.other == nil)
      }
      found.text = "edited"
      try other.save()
      expectIsKept(found, "edited")
      (found.value, found.standard, found.small) = (2, .infinity, -.infinity)
      try other.save()
      let third = isFile ? try self.context(url) : ModelContext(context.container)
      let last = try #require(try third.fetch(FetchDescriptor<Measure>()).first)
      #expect(last.value == 2 && last.standard == .infinity && last.small == -.infinity)
      #expect(last.text == "edited")
    }
  }

  /// But for `!=` and `!`, which a NaN that is saved does not match.
  @Test(arguments: [false, true], [false, true])
  func predicatesSayWhatSwiftSays(isFile: Bool, isSaved: Bool) throws {
    try LibraryStore.withFile { url in
      let context = try context(isFile ? url : nil)
      let measures = [Double.nan, 0, 1].map { Measure($0) }
      for measure in measures { context.insert(measure) }
      if isSaved { try context.save() }
      let predicates: [Predicate<Measure>] = [
        #Predicate { $0.value == 0 }, #Predicate { $0.value < 1 },
        #Predicate { $0.value >= 0 || $0.text == "x" }, #Predicate { $0.standard == 0.5 },
        #Predicate { $0.small > 0 }, #Predicate { $0.value == $0.standard },
      ]
      let reader = isSaved && isFile ? try self.context(url) : context
      let all = try reader.fetch(FetchDescriptor<Measure>())
      for (number, predicate) in predicates.enumerated() {
        let expected = try all.filter { try predicate.evaluate($0) }.map(\.persistentModelID)
        let found = try reader.fetch(FetchDescriptor(predicate: predicate))
        #expect(Set(found.map(\.persistentModelID)) == Set(expected), "\(number)")
      }
    }
  }
}
