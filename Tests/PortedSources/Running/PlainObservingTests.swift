import CoreData
import ObjectiveCSupport
import Testing

/// Key-value observing of objects that are no managed ones.
@Suite struct PlainObservingTests {
  /// What is told when `change` changes a gauge.
  private func told(
    _ key: String, _ options: NSKeyValueObservingOptions = [.old, .new],
    _ gauge: Gauge = Gauge(), _ change: (Gauge) -> Void
  ) -> [String] {
    let notebook = Notebook()
    gauge.addObserver(notebook, forKeyPath: key, options: options)
    change(gauge)
    gauge.removeObserver(notebook, forKeyPath: key)
    change(gauge)
    return notebook.take()
  }

  @Test func eachFormOfPropertyTells() {
    #expect(told("level") { $0.level = 2 } == ["level from 1 to 2"])
    #expect(told("level") { $0.level += 2 } == ["level from 1 to 3"])
    #expect(told("unit") { $0.unit = nil } == ["unit from l to nil"])
    #expect(told("note") { $0.note = "n" } == ["note from nil to n"])
    #expect(told("remark") { $0.remark = "r" } == ["remark from nil to r"])
    #expect(told("limit") { $0.limit = -5 } == ["limit from 10 to 0"])
    #expect(told("theScale") { $0.scale = 2 } == ["theScale from 1.0 to 2.0"])
    #expect(told("both") { $0.both = 2 } == ["both from 1 to 2"])
    #expect(told("late") { $0.late = 6 } == ["late from 5 to 6"])
    #expect(told("kind", [.new]) { $0.kind = .novel } == ["kind to \(BookKind.novel.rawValue)"])
    #expect(told("computed") { $0.computed = 3 } == ["computed from 0 to 3"])
    #expect(told("computed") { $0.computed = 13 } == ["computed from 0 to 0"])
    #expect(told("changes") { $0.count() } == ["changes from 0 to 1"])
    #expect(told("parts", []) { $0.parts.append("a") } == ["parts"])
    #expect(told("level", []) { $0.touch() } == ["level"])
    let gauge = Gauge()
    #expect(told("spare", []) { $0.spare = gauge } == ["spare"])
    #expect(told("both", [], gauge) { $0.both = 5 } == ["both"])
    #expect(gauge.steps == ["will", "did", "will", "did"])
    gauge.scale = 4
    #expect(gauge.announced == 4)
  }

  @Test func optionsAreThoseOfApple() {
    #expect(told("level", [.initial, .new]) { $0.level = 2 } == ["level to 1", "level to 2"])
    #expect(
      told("level", [.prior, .old, .new]) { $0.level = 2 } == [
        "level soon from 1", "level from 1 to 2",
      ])
    #expect(told("level", []) { $0.level = 2 } == ["level"])
  }

  @Test func whatIsNotDynamicTellsWhenItIsSetByKey() {
    #expect(told("plain") { $0.plain = 2 } == [])
    #expect(told("plain") { $0.setValue(3, forKey: "plain") } == ["plain from 0 to 3"])
    #expect(told("level") { $0.setValue(3, forKey: "level") } == ["level from 1 to 3"])
    #expect(told("manual") { $0.manual = 4 } == ["manual from 0 to 4"])
  }

  @Test func dependentKeysTell() {
    #expect(told("text") { $0.unit = "m" } == ["text from 1 l to 1 m"])
    let gauge = Gauge()
    gauge.owner = Owner()
    #expect(
      told("ownerText", [.old, .new], gauge) { $0.owner?.name = "Bo" } == [
        "ownerText from ann to bo"
      ])
    #expect(told("ownerText", [.new], gauge) { $0.owner = nil } == ["ownerText to nobody"])
  }

  @Test func pathsFollowTheObjects() throws {
    let gauge = Gauge()
    let (old, new) = (Owner(), Owner())
    new.name = "Bo"
    let notebook = Notebook()
    gauge.addObserver(notebook, forKeyPath: "owner.name", options: [.old, .new])
    gauge.owner = old
    old.name = "Abe"
    gauge.owner = new
    old.name = "Al"
    new.name = "Bill"
    gauge.owner = nil
    new.name = "Ben"
    gauge.removeObserver(notebook, forKeyPath: "owner.name")
    #expect(
      notebook.take() == [
        "owner.name from nil to Ann", "owner.name from Ann to Abe", "owner.name from Abe to Bo",
        "owner.name from Bo to Bill", "owner.name from Bill to nil",
      ])
  }

  @Test @MainActor func pathsLeadToManagedObjects() throws {
    let container = NSPersistentContainer(name: "ReadingRoom")
    container.persistentStoreDescriptions[0].url = URL(fileURLWithPath: "/dev/null")
    container.loadPersistentStores { _, error in precondition(error == nil, "\(error!)") }
    let context = container.viewContext
    let book = Book(context: context)
    book.title = "First"
    let owner = Owner()
    let notebook = Notebook()
    owner.addObserver(notebook, forKeyPath: "book.title", options: [.new])
    owner.book = book
    book.title = "Second"
    owner.book = nil
    book.title = "Third"
    #expect(
      notebook.take() == ["book.title to First", "book.title to Second", "book.title to nil"])
    owner.removeObserver(notebook, forKeyPath: "book.title")
  }

  @Test func swiftsKeyPathsAreObserved() {
    let gauge = FineGauge()
    var told: [String] = []
    let observations = [
      gauge.observe(\.level, options: [.old, .new]) {
        told.append("\($1.oldValue!) \($1.newValue!)")
      },
      gauge.observe(\.owner?.name, options: [.new]) { told.append(($1.newValue ?? nil) ?? "nil") },
      gauge.observe(\.kind, options: [.new]) { told.append("\($1.newValue!)") },
      gauge.observe(\.fine) { gauge, _ in told.append("fine \(gauge.fine)") },
      (gauge as Gauge).observe(\.scale, options: [.new]) { told.append("\($1.newValue!)") },
    ]
    gauge.level = 2
    gauge.owner = Owner()
    gauge.owner?.name = "Bo"
    gauge.kind = .novel
    gauge.scale = 3
    #expect(told == ["fine 1", "1 2", "Ann", "Bo", "novel", "3.0"])
    for observation in observations { observation.invalidate() }
    gauge.level = 3
    #expect(told.count == 6)
  }

  @Test @MainActor func propertiesOfTheMainActorAreObserved() {
    let dial = Dial()
    var told: [Int] = []
    let observation = dial.observe(\.angle, options: [.new]) { told.append($1.newValue!) }
    dial.angle = 90
    observation.invalidate()
    #expect(told == [90])
  }

  @Test func listsTellWhatJoins() {
    let gauge = Gauge()
    var told: [(NSKeyValueChange, IndexSet?, [String]?)] = []
    let observation = gauge.observe(\.plainParts, options: [.new]) {
      told.append(($1.kind, $1.indexes, $1.newValue))
    }
    gauge.insert("a", at: 0)
    gauge.insert("b", at: 0)
    observation.invalidate()
    #expect(told.map(\.0) == [.insertion, .insertion])
    #expect(told.map(\.1) == [[0], [0]])
    #expect(told.map(\.2) == [["a"], ["b"]])
  }

  @Test func observersOverrideEachOther() {
    let gauge = Gauge()
    let notebook = SubNotebook()
    for key in ["level", "unit"] { gauge.addObserver(notebook, forKeyPath: key, options: []) }
    gauge.level = 2
    gauge.unit = nil
    #expect(notebook.take() == ["level"])
    #expect(FineGauge().value(forKey: "nothing") == nil)
    #expect(FineGauge().value(forKey: "level") as? Int == 1)
  }

  @Test func neitherSideIsKeptAlive() {
    weak var gone: Gauge?
    weak var goneNotebook: Notebook?
    let owner = Owner()
    do {
      let gauge = Gauge()
      let notebook = Notebook()
      gauge.owner = owner
      gauge.addObserver(notebook, forKeyPath: "owner.name", options: [.new])
      (gone, goneNotebook) = (gauge, notebook)
    }
    #expect(gone == nil && goneNotebook == nil)
    owner.name = "tells nobody"
  }

  @Test func manyThreadsComeAndGo() async {
    let gauge = Gauge()
    let owner = Owner()
    gauge.owner = owner
    nonisolated(unsafe) let shared = (gauge, owner)
    await withTaskGroup(of: Void.self) { group in
      for thread in 0..<4 {
        group.addTask {
          for _ in 0..<500 {
            let observation = shared.0.observe(\.owner?.name, options: [.prior]) { _, _ in }
            shared.0.willChangeValue(forKey: "owner")
            shared.0.didChangeValue(forKey: "owner")
            if thread == 0 { shared.1.name = "Bo" }
            observation.invalidate()
          }
        }
      }
    }
    #expect(told("level", [.new], gauge) { $0.level = 5 } == ["level to 5"])
  }

  @Test func optionalPropertiesMayBeMissing() {
    let display = Display()
    let (untold, told) = (Untold(), Told())
    #expect(display.lines == ["untitled"])
    display.source = untold
    #expect(display.lines == ["untitled", "none", "no", "no words"])
    display.source = told
    #expect(display.lines == ["Water", "nil", "5", "measures", "Water", "yes", "no words"])
    told.subtitle = "deep"
    #expect(display.lines == ["Water", "deep", "5", "measures", "Water", "yes", "DEEP"])
  }
}
