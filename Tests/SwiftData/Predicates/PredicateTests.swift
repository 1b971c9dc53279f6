import Foundation
import SwiftData
import Testing

@testable import SwiftData

@Suite struct PredicateTests {
  let store: VolumeStore

  init() throws { store = try VolumeStore() }

  @Test func comparisons() throws {
    try store.expectAgreement(#Predicate { $0.pages > 1 }, isExact: true)
    try store.expectAgreement(#Predicate { $0.pages <= 1 }, isExact: true)
    try store.expectAgreement(#Predicate { $0.price >= 1.5 && $0.pages != 7 }, isExact: true)
    try store.expectAgreement(#Predicate { $0.isRead }, isExact: true)
    try store.expectAgreement(#Predicate { !$0.isRead }, isExact: true)
    try store.expectAgreement(#Predicate { $0.isRead == false || $0.pages < 0 }, isExact: true)
    try store.expectAgreement(#Predicate { $0.isRead == ($0.pages > 1) }, isExact: true)
    try store.expectAgreement(#Predicate { _ in true }, isExact: true)
    try store.expectAgreement(#Predicate { _ in false }, isExact: true)
    let date = Date(timeIntervalSinceReferenceDate: 2000)
    try store.expectAgreement(#Predicate { $0.added < date }, isExact: true)
    let code = store.volumes[0].code
    try store.expectAgreement(#Predicate { $0.code == code }, isExact: true)
    let truth = true
    try store.expectAgreement(#Predicate { truth && $0.pages == 7 }, isExact: true)
  }

  @Test func nilIsDifferentFromEveryValue() throws {
    let date = Date(timeIntervalSinceReferenceDate: 2000)
    let none: String? = nil
    let some: String? = "tale"
    try store.expectAgreement(#Predicate { $0.subtitle == nil }, isExact: true)
    try store.expectAgreement(#Predicate { $0.subtitle != nil }, isExact: true)
    try store.expectAgreement(#Predicate { $0.subtitle == none }, isExact: true)
    try store.expectAgreement(#Predicate { $0.subtitle == some }, isExact: true)
    try store.expectAgreement(#Predicate { $0.subtitle != "tale" }, isExact: true)
    try store.expectAgreement(#Predicate { !($0.subtitle == "tale") }, isExact: true)
    try store.expectAgreement(#Predicate { !($0.subtitle != "tale") }, isExact: true)
    try store.expectAgreement(#Predicate { $0.rating != 4.5 }, isExact: true)
    try store.expectAgreement(#Predicate { !($0.isLent == true) }, isExact: true)
    try store.expectAgreement(#Predicate { $0.isLent != false }, isExact: true)
    try store.expectAgreement(#Predicate { $0.due ?? date < date }, isExact: true)
    try store.expectAgreement(#Predicate { ($0.rating ?? 1) > 0.5 }, isExact: true)
    try store.expectAgreement(#Predicate { ($0.subtitle ?? $0.title) == "Emma" })
    try store.expectAgreement(#Predicate { ($0.subtitle ?? "") == $0.title })
    try store.expectAgreement(#Predicate { ($0.subtitle ?? "") != $0.title })
    try store.expectAgreement(#Predicate { $0.isLent ?? $0.isRead }, isExact: true)
    try store.expectAgreement(#Predicate { $0.rating! > 1 }, isExact: true)
  }

  @Test func optionalBindings() throws {
    try store.expectAgreement(
      #Predicate { if let rating = $0.rating { rating > 1 } else { false } }, isExact: true)
    try store.expectAgreement(
      #Predicate { if let rating = $0.rating { rating > 1 } else { true } }, isExact: true)
    try store.expectAgreement(
      #Predicate { if let rating = $0.rating { rating > 1 } else { $0.isRead } }, isExact: true)
    try store.expectAgreement(
      #Predicate { $0.subtitle.flatMap { $0.contains("tale") } ?? false }, isExact: false)
    try store.expectAgreement(
      #Predicate { $0.subtitle.flatMap { $0.contains("tale") } == true }, isExact: false)
    try store.expectAgreement(
      #Predicate { $0.subtitle.flatMap { $0.contains("tale") } != true })
    try store.expectAgreement(#Predicate { $0.subtitle?.isEmpty == true }, isExact: true)
    try store.expectAgreement(#Predicate { $0.subtitle?.isEmpty != false }, isExact: true)
    try store.expectAgreement(
      #Predicate { $0.isRead ? $0.pages > 1 : $0.rating == nil }, isExact: true)
    try store.expectAgreement(#Predicate { ($0.isRead ? $0.pages : 100) == 100 }, isExact: true)
  }

  @Test func relationships() throws {
    let name = "Kim"
    try store.expectAgreement(#Predicate { $0.writer == nil }, isExact: true)
    try store.expectAgreement(#Predicate { $0.writer != nil }, isExact: true)
    try store.expectAgreement(#Predicate { $0.writer?.name == name }, isExact: true)
    try store.expectAgreement(#Predicate { $0.writer?.name != name }, isExact: true)
    try store.expectAgreement(#Predicate { $0.writer?.born == nil }, isExact: true)
    try store.expectAgreement(#Predicate { $0.writer?.born == 1775 }, isExact: true)
    try store.expectAgreement(#Predicate { $0.writer?.teacher?.name == "Austen" }, isExact: true)
    try store.expectAgreement(#Predicate { $0.writer!.name == "Austen" }, isExact: true)
    try store.expectAgreement(#Predicate { $0.original?.writer == $0.writer }, isExact: true)
    try store.expectAgreement(#Predicate { $0.original?.pages ?? -1 > $0.pages }, isExact: true)
  }

  @Test func identifiers() throws {
    let id = store.volumes[3].persistentModelID
    let writer = store.writers[1].persistentModelID
    let writers = store.writers[..<2].map(\.persistentModelID)
    let teacher = store.writers[0].persistentModelID
    let stranger = Writer("nobody").persistentModelID
    try store.expectAgreement(#Predicate { $0.persistentModelID == id }, isExact: true)
    try store.expectAgreement(#Predicate { $0.id == id }, isExact: true)
    try store.expectAgreement(#Predicate { $0.persistentModelID != id }, isExact: true)
    try store.expectAgreement(#Predicate { $0.writer?.persistentModelID == writer }, isExact: true)
    try store.expectAgreement(#Predicate { $0.writer?.persistentModelID != writer }, isExact: true)
    try store.expectAgreement(
      #Predicate { $0.writer?.teacher?.persistentModelID == teacher }, isExact: true)
    try store.expectAgreement(
      #Predicate { $0.writer?.persistentModelID == stranger }, isExact: true)
    try store.expectAgreement(
      #Predicate { $0.writer.flatMap { writers.contains($0.persistentModelID) } ?? false },
      isExact: true)
  }

  @Test func collections() throws {
    try store.expectAgreement(#Predicate { $0.writer?.volumes.count == 9 }, isExact: true)
    try store.expectAgreement(#Predicate { $0.sequels?.isEmpty == true }, isExact: true)
    try store.expectAgreement(#Predicate { $0.sequels?.isEmpty == false }, isExact: true)
    try store.expectAgreement(#Predicate { $0.sequels == nil }, isExact: true)
    try store.expectAgreement(
      #Predicate { $0.sequels?.contains { $0.pages > 1 } == true }, isExact: true)
    try store.expectAgreement(
      #Predicate { $0.sequels?.contains { $0.subtitle != "tale" } ?? false }, isExact: true)
    try store.expectAgreement(
      #Predicate { $0.sequels?.allSatisfy { $0.isLent == true } ?? false }, isExact: true)
    try store.expectAgreement(
      #Predicate { !($0.sequels?.allSatisfy { $0.isLent == true } ?? false) }, isExact: true)
    try store.expectAgreement(
      #Predicate { ($0.sequels?.filter { $0.pages > 1 }.count ?? 0) > 1 }, isExact: true)
    try store.expectAgreement(
      #Predicate { $0.writer?.volumes.contains { $0.title.contains("mm") } ?? false },
      isExact: false)
    try store.expectAgreement(
      #Predicate { volume in volume.sequels?.contains { $0.pages > volume.pages } ?? false },
      isExact: true)
    try store.expectAgreement(
      #Predicate {
        $0.writer?.pupils.contains { $0.volumes.contains { $0.rating == nil } } ?? false
      }, isExact: true)
    try store.expectAgreement(
      #Predicate { volume in volume.writer?.volumes.contains(volume) ?? false }, isExact: true)
    try store.expectAgreement(#Predicate { $0.words.contains("a") }, isExact: false)
    try store.expectAgreement(#Predicate { $0.words.isEmpty && $0.pages > 1 }, isExact: false)
    try store.expectAgreement(#Predicate { $0.words.max() == "b" }, isExact: false)
    try store.expectAgreement(
      #Predicate { $0.pages > 1 && !$0.words.isEmpty && $0.words[0] == "a" }, isExact: false)
    let titles = ["Emma", "Kim", "Caf\u{E9}"]
    let maybe: [String?] = ["tale", nil]
    let numbers: Set<Int> = [1, 7]
    try store.expectAgreement(#Predicate { titles.contains($0.title) }, isExact: false)
    try store.expectAgreement(#Predicate { !titles.contains($0.title) })
    try store.expectAgreement(#Predicate { maybe.contains($0.subtitle) }, isExact: true)
    try store.expectAgreement(#Predicate { !maybe.contains($0.subtitle) }, isExact: true)
    try store.expectAgreement(#Predicate { numbers.contains($0.pages) }, isExact: true)
    try store.expectAgreement(
      #Predicate { volume in titles.contains { $0 == volume.title } }, isExact: false)
  }

  @Test func strings() throws {
    let same = ComparisonResult.orderedSame
    let before = ComparisonResult.orderedAscending
    for text in ["Emma", "Caf\u{E9}", "Cafe\u{301}", "Kim", "\u{212A}im", ""] {
      try store.expectAgreement(#Predicate { $0.title == text }, text)
      try store.expectAgreement(#Predicate { $0.title != text }, text)
      try store.expectAgreement(#Predicate { $0.title.contains(text) }, text)
      try store.expectAgreement(#Predicate { !$0.title.contains(text) }, text)
      try store.expectAgreement(#Predicate { $0.title.starts(with: text) }, text)
      try store.expectAgreement(
        #Predicate { $0.title.localizedStandardContains(text) }, isExact: true)
      try store.expectAgreement(
        #Predicate { $0.title.caseInsensitiveCompare(text) == same }, isExact: true)
      try store.expectAgreement(
        #Predicate { $0.title.localizedCompare(text) == before }, isExact: true)
    }
    try store.expectAgreement(#Predicate { $0.title.contains("e") }, isExact: false)
    try store.expectAgreement(#Predicate { $0.title.contains("\n") }, isExact: false)
    try store.expectAgreement(#Predicate { $0.title.isEmpty }, isExact: true)
    try store.expectAgreement(#Predicate { $0.title.count == 4 }, isExact: false)
    try store.expectAgreement(#Predicate { $0.title < "F" }, isExact: true)
    try store.expectAgreement(#Predicate { $0.title.contains($0.subtitle ?? "x") })
  }

  @Test func structuresAndEnumerations() throws {
    let genre = Topic.poetry
    let other: Topic? = .essay
    let mood = Mood.dark
    let moods = [Mood.dark, .light]
    let genres: [Topic] = [.poetry, .essay]
    try store.expectAgreement(#Predicate { $0.genre == genre }, isExact: true)
    try store.expectAgreement(#Predicate { $0.genre != genre }, isExact: true)
    try store.expectAgreement(#Predicate { $0.secondGenre == other }, isExact: true)
    try store.expectAgreement(#Predicate { $0.secondGenre != other }, isExact: true)
    try store.expectAgreement(#Predicate { $0.secondGenre == nil }, isExact: true)
    try store.expectAgreement(#Predicate { ($0.secondGenre ?? genre) == $0.genre }, isExact: true)
    try store.expectAgreement(#Predicate { $0.genre.rawValue == "essay" }, isExact: true)
    try store.expectAgreement(#Predicate { $0.secondGenre?.rawValue == "essay" }, isExact: true)
    try store.expectAgreement(#Predicate { $0.rank?.rawValue ?? 0 > 1 }, isExact: true)
    try store.expectAgreement(#Predicate { $0.mood == mood }, isExact: true)
    try store.expectAgreement(#Predicate { $0.secondMood != mood }, isExact: true)
    try store.expectAgreement(#Predicate { $0.secondMood == nil }, isExact: true)
    try store.expectAgreement(
      #Predicate { $0.original?.secondMood == $0.secondMood }, isExact: true)
    try store.expectAgreement(#Predicate { moods.contains($0.mood) }, isExact: true)
    try store.expectAgreement(#Predicate { genres.contains($0.genre) }, isExact: true)
    try store.expectAgreement(#Predicate { $0.size.width > 1 }, isExact: true)
    try store.expectAgreement(#Predicate { $0.size.unit == "cm" }, isExact: true)
    try store.expectAgreement(#Predicate { $0.size.unit != "cm" }, isExact: true)
    try store.expectAgreement(#Predicate { $0.box?.width == 1 }, isExact: true)
    try store.expectAgreement(#Predicate { $0.box?.unit == nil }, isExact: true)
    try store.expectAgreement(#Predicate { $0.box == nil }, isExact: true)
    let size = Extent(width: 1, unit: "cm")
    try store.expectAgreement(#Predicate { $0.size == size }, isExact: false)
  }

  @Test func numbersAndRanges() throws {
    let range = 1..<8
    let dates = Date(timeIntervalSinceReferenceDate: 0)...Date(timeIntervalSinceReferenceDate: 2000)
    try store.expectAgreement(#Predicate { $0.pages + 1 == 8 }, isExact: true)
    try store.expectAgreement(#Predicate { $0.pages * 2 - $0.size.width > 10 }, isExact: true)
    try store.expectAgreement(#Predicate { $0.pages / 2 == 3 }, isExact: true)
    try store.expectAgreement(#Predicate { $0.pages / 2 == -1 }, isExact: true)
    try store.expectAgreement(#Predicate { $0.pages % 2 == 1 }, isExact: true)
    try store.expectAgreement(#Predicate { $0.pages % 2 == -1 }, isExact: true)
    try store.expectAgreement(#Predicate { $0.price / 2 > 0.5 }, isExact: true)
    try store.expectAgreement(#Predicate { -$0.pages > 0 }, isExact: true)
    try store.expectAgreement(#Predicate { (1...7).contains($0.pages) }, isExact: true)
    try store.expectAgreement(#Predicate { range.contains($0.pages) }, isExact: true)
    try store.expectAgreement(#Predicate { dates.contains($0.added) }, isExact: true)
    try store.expectAgreement(
      #Predicate { if let due = $0.due { dates.contains(due) } else { false } }, isExact: true)
    try store.expectAgreement(#Predicate { ($0.size.width..<9).contains($0.pages) })
  }

  @Test func unsignedNumbersKeepTheirOrder() throws {
    let context = ModelContext(
      try ModelContainer(
        for: Meter.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true)))
    for total in [0, 7, UInt64.max - 1, UInt64.max] { context.insert(Meter(total)) }
    try context.save()
    func count(_ predicate: Predicate<Meter>) throws -> Int {
      try context.fetchCount(FetchDescriptor(predicate: predicate))
    }
    let limit: UInt64 = 1 << 63
    let half: UInt64 = 1 << 62
    let last: UInt = 1 << 63
    #expect(try count(#Predicate { $0.total > 5 }) == 3)
    #expect(try count(#Predicate { $0.total < limit }) == 2)
    #expect(try count(#Predicate { (7...limit).contains($0.total) }) == 1)
    #expect(try count(#Predicate { $0.total / 2 >= half }) == 2)
    #expect(try count(#Predicate { $0.total % 10 == 5 }) == 1)
    #expect(try count(#Predicate { $0.last ?? 0 > last }) == 2)
    #expect(try count(#Predicate { $0.total == 18_446_744_073_709_551_615 }) == 1)
    let totals: Set<UInt64> = [7, .max]
    #expect(try count(#Predicate { totals.contains($0.total) }) == 2)
  }

  @Test func whatNoStoreKeepsIsNamed() throws {
    for predicate in [
      #Predicate<Volume> { $0.shout == "x" },
      #Predicate<Volume> { $0.note == "note" && $0.pages > 1 },
    ] {
      let error = #expect(throws: SwiftDataError.self) {
        try store.context.fetch(FetchDescriptor(predicate: predicate))
      }
      #expect(error == .unsupportedPredicate)
      #expect("\(try #require(error))".contains("is no property that Volume keeps"))
    }
  }
}

@Model
final class Meter {
  var total: UInt64
  var last: UInt?

  init(_ total: UInt64) {
    self.total = total
    last = UInt(total)
  }
}
