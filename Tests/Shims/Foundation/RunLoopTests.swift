import Foundation
import FoundationSupport
import Testing

/// Core Foundation's run loops, as sources for Apple's systems use them.
@Suite struct RunLoopTests {
  /// What was noted by observers, and that they are gone: run loops stay in their thread.
  private final class Notes {
    var moments: [CFRunLoopActivity] = []
    let ended: () -> Void
    init(ended: @escaping () -> Void = {}) { self.ended = ended }
    deinit { ended() }
  }

  /// Until a timer that is due soon stops it: a date could have passed before a busy machine begins.
  private func run() {
    let timer = Timer.scheduledTimer(withTimeInterval: 0.005, repeats: false) { _ in
      CFRunLoopStop(CFRunLoopGetCurrent())
    }
    _ = RunLoop.current.run(mode: .default, before: .distantFuture)
    timer.invalidate()
  }

  private func observe(
    _ activity: CFRunLoopActivity, repeats: Bool, _ notes: Notes
  ) -> CFRunLoopObserver {
    CFRunLoopObserverCreateWithHandler(kCFAllocatorDefault, activity.rawValue, repeats, 0) {
      _, moment in
      notes.moments.append(moment)
    }
  }

  @Test(arguments: [CFRunLoopMode.commonModes, .defaultMode]) func observersAreCalled(
    mode: CFRunLoopMode
  ) {
    let notes = Notes()
    let observer = observe([.entry, .beforeWaiting, .exit], repeats: true, notes)
    CFRunLoopAddObserver(CFRunLoopGetCurrent(), observer, mode)
    #expect(CFRunLoopContainsObserver(CFRunLoopGetCurrent(), observer, mode))
    run()
    #expect(notes.moments.first == .entry && notes.moments.last == .exit)
    #expect(notes.moments.contains(.beforeWaiting))
    CFRunLoopRemoveObserver(CFRunLoopGetCurrent(), observer, mode)
    #expect(!CFRunLoopContainsObserver(CFRunLoopGetCurrent(), observer, mode))
    let count = notes.moments.count
    run()
    #expect(notes.moments.count == count)
  }

  @Test func oneThatDoesNotRepeatIsCalledOnce() {
    let notes = Notes()
    CFRunLoopAddObserver(
      CFRunLoopGetCurrent(), observe(.entry, repeats: false, notes), .commonModes)
    run()
    run()
    #expect(notes.moments == [.entry])
  }

  @Test func anInvalidObserverLetsGoOfItsHandler() {
    var isGone = false
    do {
      let observer = observe(.allActivities, repeats: true, Notes { isGone = true })
      CFRunLoopAddObserver(CFRunLoopGetCurrent(), observer, .defaultMode)
      #expect(CFRunLoopObserverIsValid(observer) && !isGone)
      CFRunLoopObserverInvalidate(observer)
      #expect(!CFRunLoopObserverIsValid(observer))
    }
    #expect(isGone)
  }

  @Test func aRunLoopIsStopped() {
    // The timer's block runs in this thread.
    nonisolated(unsafe) var count = 0
    let timer = Timer.scheduledTimer(withTimeInterval: 0.001, repeats: true) { _ in
      count += 1
      if count == 3 { CFRunLoopStop(CFRunLoopGetCurrent()) }
    }
    CFRunLoopRun()
    timer.invalidate()
    #expect(count == 3)
  }
}
