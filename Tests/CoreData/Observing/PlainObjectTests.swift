import CoreData
import Testing

/// Objects that are no managed ones, whose class announces its changes.
@Suite struct PlainObjectTests {
  private final class Cart: NSObject, KeyValueObservable {
    var count = 0

    func set(_ count: Int) {
      willChangeValue(forKey: "count")
      self.count = count
      didChangeValue(forKey: "count")
    }

    func value(forKey key: String) -> Any? {
      key == "count" ? count : value(forUndefinedKey: key)
    }
    func setValue(_ value: Any?, forKey key: String) { count = value as? Int ?? 0 }
  }

  private final class Recorder: KeyValueObserver {
    var told: [String] = []

    func observeValue(
      forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
      context: UnsafeMutableRawPointer?
    ) {
      told.append(
        "\(keyPath ?? "") \(change?[.oldKey] ?? "none") \(change?[.newKey] ?? "none")")
    }
  }

  @Test func announcedChangesAreTold() {
    let (cart, recorder) = (Cart(), Recorder())
    cart.set(1)
    cart.addObserver(recorder, forKeyPath: "count", options: [.old, .new])
    cart.set(2)
    cart.removeObserver(recorder, forKeyPath: "count")
    cart.set(3)
    #expect(recorder.told == ["count 1 2"])
  }

  @Test func aSetTellsWhatJoinsAndLeaves() {
    final class Bag: NSObject, KeyValueObservable {
      var items: Set<String> = ["a", "b"]
      func value(forKey key: String) -> Any? { items }
      func setValue(_ value: Any?, forKey key: String) {}

      func change(_ kind: NSKeyValueSetMutationKind, _ given: Set<String>) {
        let objects = Set(given.map(AnyHashable.init))
        willChangeValue(forKey: "items", withSetMutation: kind, using: objects)
        switch kind {
        case .union: items.formUnion(given)
        case .minus: items.subtract(given)
        case .intersect: items.formIntersection(given)
        case .set: items = given
        }
        didChangeValue(forKey: "items", withSetMutation: kind, using: objects)
      }
    }
    final class Kinds: KeyValueObserver {
      var told: [String] = []
      func observeValue(
        forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
        context: UnsafeMutableRawPointer?
      ) {
        func names(_ key: NSKeyValueChangeKey) -> String {
          (change?[key] as? NSSet)?.allObjects.map { "\($0)" }.sorted().joined() ?? "-"
        }
        told.append("\(change?[.kindKey] ?? 0) \(names(.oldKey)) \(names(.newKey))")
      }
    }
    let (bag, kinds) = (Bag(), Kinds())
    bag.addObserver(kinds, forKeyPath: "items", options: [.old, .new])
    bag.change(.union, ["b", "c"])
    bag.change(.minus, ["a", "x"])
    bag.change(.intersect, ["c", "d"])
    bag.change(.set, ["e"])
    bag.removeObserver(kinds, forKeyPath: "items")
    #expect(kinds.told == ["2 - c", "3 a -", "3 b -", "4 c e"])
  }

  @Test func progressTellsUpToTheWhole() {
    let whole = ObservableProgress(totalUnitCount: 2)
    let part = ObservableProgress(totalUnitCount: 4)
    whole.addChild(part, withPendingUnitCount: 1)
    var told: [Double] = []
    let observation = whole.observe(\.fractionCompleted, options: [.new]) { _, change in
      told.append(change.newValue!)
    }
    part.completedUnitCount = 2
    part.completedUnitCount = 4
    whole.completedUnitCount += 1
    observation.invalidate()
    part.completedUnitCount = 0
    #expect(told == [0.25, 0.5, 1])
  }

  @Test func progressTellsThatItIsCancelled() {
    let whole = ObservableProgress(totalUnitCount: 1)
    let part = ObservableProgress(totalUnitCount: 1)
    whole.addChild(part, withPendingUnitCount: 1)
    var cancelled = false
    let other = part.observe(\.isCancelled) { progress, _ in cancelled = progress.isCancelled }
    whole.cancel()
    other.invalidate()
    #expect(cancelled)
  }

  @Test func nobodyIsObservedInTheEnd() {
    weak var gone: Cart?
    let recorder = Recorder()
    do {
      let cart = Cart()
      cart.addObserver(recorder, forKeyPath: "count", options: [])
      gone = cart
    }
    #expect(gone == nil)
    // An address may be taken by another object, which nobody observes.
    for _ in 0..<100 { Cart().set(1) }
    #expect(recorder.told.isEmpty)
  }
}
