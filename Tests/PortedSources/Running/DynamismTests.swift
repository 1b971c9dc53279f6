import CoreData
import ObjectiveCSupport
import Testing

/// Methods and properties that are found by name.
@Suite struct DynamismTests {
  @Test func optionalRequirementsMayBeMissing() {
    let shelf = Shelf()
    let (quiet, strict) = (Quiet(), Strict())
    shelf.add("a")
    shelf.delegate = quiet
    shelf.add("b")
    shelf.delegate = strict
    shelf.add("c")
    shelf.add("no")
    #expect(shelf.titles == ["a", "b", "c"])
    #expect(strict.added == ["c"])
  }

  @Test func errorsOfOptionalRequirementsAreThrown() throws {
    let shelf = Shelf()
    let (quiet, strict) = (Quiet(), Strict())
    #expect(try shelf.check() == "checked")
    shelf.delegate = quiet
    #expect(try shelf.check() == "checked")
    shelf.delegate = strict
    #expect(throws: BookError.untitled) { try shelf.check() }
  }

  @Test func anObjectKnowsWhatItRespondsTo() {
    let shelf = Shelf()
    #expect(shelf.responds(to: Selector("renameTo:")))
    #expect(shelf.responds(to: Selector("name")))
    #expect(shelf.responds(to: Selector("setName:")))
    #expect(!shelf.responds(to: Selector("setTitles2:")))
    #expect(!shelf.responds(to: Selector("hidden")))
    #expect(Strict().responds(to: Selector("shelf:didAdd:")))
    #expect(!Quiet().responds(to: Selector("shelf:didAdd:")))
    #expect(Shelf.instancesRespond(to: Selector("add:")))
  }

  @Test func methodsAreCalledByName() {
    let shelf = Shelf()
    shelf.perform(Selector("add:"), with: "a")
    shelf.perform(Selector("moveTo:loudly:"), with: 5, with: true)
    #expect(shelf.titles == ["a"])
    #expect(shelf.floor == 5)
    #expect(shelf.perform(Selector("name")).takeUnretainedValue() as? String == "shelf")
    shelf.perform(Selector("setName:"), with: "other")
    #expect(shelf.name == "other")
    #expect(Outer.answers() == ["inner", "hidden"])
  }

  @Test func methodsAreCalledLaterUnlessTakenBack() {
    let (shelf, other) = (Shelf(), Shelf())
    let add = Selector("add:")
    shelf.perform(add, with: "b", afterDelay: 0.02)
    for title in ["a", "c"] { shelf.perform(add, with: title, afterDelay: 0) }
    for title in ["x", "y"] { other.perform(add, with: title, afterDelay: 0) }
    NSObject.cancelPreviousPerformRequests(withTarget: other)
    NSObject.cancelPreviousPerformRequests(
      withTarget: shelf, selector: add, object: NSString(string: "c"))
    NSObject.cancelPreviousPerformRequests(withTarget: shelf, selector: add, object: nil)
    #expect(shelf.titles.isEmpty)
    // As long as there is a timer: it ends with the last one.
    while shelf.titles.count < 2, RunLoop.current.run(mode: .default, before: Date() + 0.1) {}
    #expect(shelf.titles.sorted() == ["a", "b"])
    #expect(other.titles.isEmpty)
  }

  @Test func methodsAreCalledOnOtherThreads() async {
    let (shelf, other) = (Shelf(), Shelf())
    nonisolated(unsafe) let (here, there) = (shelf, other)
    await withCheckedContinuation { done in
      here.performSelector(onMainThread: Selector("add:"), with: "a", waitUntilDone: false)
      DispatchQueue.main.async { done.resume() }
    }
    #expect(shelf.titles == ["a"])
    await withCheckedContinuation { done in
      DispatchQueue.global().async {
        there.performSelector(onMainThread: Selector("add:"), with: "b", waitUntilDone: true)
        done.resume()
      }
    }
    #expect(other.titles == ["b"])
  }

  @Test func undoKnowsSelectorsAndInvocations() {
    let shelf = Shelf()
    shelf.undoManager.groupsByEvent = false
    func inGroup(_ change: () -> Void) {
      shelf.undoManager.beginUndoGrouping()
      change()
      shelf.undoManager.endUndoGrouping()
    }
    inGroup { shelf.rename(to: "new") }
    inGroup { shelf.move(to: 3, loudly: true) }
    shelf.undoManager.undo()
    #expect(shelf.floor == 1)
    #expect(shelf.name == "new")
    shelf.undoManager.redo()
    #expect(shelf.floor == 3)
    shelf.undoManager.undo()
    shelf.undoManager.undo()
    #expect(shelf.name == "shelf")
    shelf.undoManager.redo()
    #expect(shelf.name == "new")
  }

  @Test func timersCallTheirTarget() {
    let shelf = Shelf()
    let timer = shelf.start()
    timer.fire()
    #expect(shelf.ticks == 1)
    #expect(!timer.isValid)
  }

  @Test func observersAreNotKeptAlive() {
    let name = Notification.Name("DynamismTests-\(UUID().uuidString)")
    var cache: Cache<Int>? = Cache()
    let observer = WeakReference(cache)
    cache?.follow(name)
    NotificationCenter.default.post(name: name, object: nil)
    #expect(cache?.changes == 1)
    cache = nil
    #expect(observer.object == nil)
    NotificationCenter.default.post(name: name, object: nil)
  }

  @Test func observationsEndByNameAndSender() {
    let name = Notification.Name("DynamismTests-\(UUID().uuidString)")
    let cache = Cache<String>()
    cache.follow(name)
    NotificationCenter.default.removeObserver(cache, name: Notification.Name("other"), object: nil)
    NotificationCenter.default.post(name: name, object: nil)
    NotificationCenter.default.removeObserver(cache, name: name, object: nil)
    NotificationCenter.default.post(name: name, object: nil)
    #expect(cache.changes == 1)
  }

  @Test func plainClassesHaveKeys() {
    let shelf = Shelf()
    #expect(shelf.value(forKey: "name") as? String == "shelf")
    #expect((shelf.value(forKey: "floor") as? NSNumber)?.intValue == 1)
    #expect((shelf.value(forKey: "kind") as? NSNumber)?.intValue == 1)
    shelf.setValue(0, forKey: "kind")
    shelf.setValue("n", forKey: "name")
    shelf.setValue(9, forKeyPath: "room.number")
    #expect(shelf.kind == .novel)
    #expect(shelf.name == "n")
    #expect((shelf.value(forKeyPath: "room.number") as? NSNumber)?.intValue == 9)
    #expect(shelf.value(forKeyPath: "room.theWindows") as? [String] == ["north"])
    shelf.setValue(nil, forKey: "room")
    #expect(shelf.room == nil)
    #expect(NSPredicate(format: "name == 'n' AND floor > 0").evaluate(with: shelf))
  }

  @Test func overridesOfKeyValueCodingAreCalled() {
    let room = Room()
    room.setValue(1, forKey: "unknown")
    room.setValue(nil, forKey: "number")
    #expect(room.undefined == ["unknown"])
    #expect(room.number == -1)
  }

  @Test func anyObjectHasKeys() {
    let shelves = [Shelf(), Shelf()]
    shelves[1].floor = 4
    #expect(total(of: shelves) == 5)
  }

  @Test func aSuperclassMakesKeysOfItsSubclassesKnown() {
    let derived = Derived()
    derived.setValue(4, forKey: "age")
    #expect(derived.age == 4)
  }

  @Test func keyPathsHaveTheirNames() {
    #expect((\Shelf.name as AnyKeyPath).objectiveCKeyPath == "name")
    #expect((\Room.windows as AnyKeyPath).objectiveCKeyPath == "theWindows")
  }

  @Test @MainActor func methodsOfTheMainActorAreCalledThere() {
    let panel = Panel()
    panel.perform(Selector("show:"), with: "text")
    #expect(panel.shown == "text")
    panel.perform(Selector("setWidth:"), with: 8)
    #expect(panel.width == 8)
  }

  @Test func classesAreFoundByTheirNames() {
    #expect(classNamed("LibraryBook") == Book.self)
    #expect(classNamed("OuterInner") == Outer.Inner.self)
    #expect(classNamed("Loan") == Loan.self)
    #expect(nameOfClass(Book.self) == "LibraryBook")
    #expect(nameOfClass(Shelf.self) == "PortedSourcesTests.Shelf")
    #expect(NSStringFromSelector(NSSelectorFromString("a:")) == "a:")
  }
}

private final class WeakReference {
  weak var object: AnyObject?
  init(_ object: AnyObject?) { self.object = object }
}
