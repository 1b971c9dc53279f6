import Foundation
import CoreData
import UIKit

@objc protocol ShelfDelegate: NSObjectProtocol {
  func shelfDidOpen(_ shelf: Shelf)
  @objc optional func shelf(_ shelf: Shelf, didAdd title: String)
  @objc optional func shelf(_ shelf: Shelf, mayAdd title: String) -> Bool
  @objc optional func shelfCheck(_ shelf: Shelf) throws
}

@objcMembers class Shelf: NSObject {
  @IBOutlet weak var delegate: ShelfDelegate?
  dynamic var name = "shelf"
  var room: Room? = Room()
  var floor: Int = 1
  var kind: BookKind = .atlas
  let undoManager = UndoManager()
  private(set) var titles: [String] = []
  private(set) var ticks = 0
  @nonobjc var hidden = 1

  func add(_ title: String) {
    guard delegate?.shelf?(self, mayAdd: title) ?? true else { return }
    titles.append(title)
    delegate?.shelf?(self, didAdd: title)
  }

  func check() throws -> String {
    try delegate?.shelfCheck?(self)
    return "checked"
  }

  func rename(to name: String) {
    undoManager.registerUndo(withTarget: self, selector: #selector(rename(to:)), object: self.name)
    self.name = name
  }

  func move(to floor: Int, loudly isLoud: Bool) {
    (undoManager.prepare(withInvocationTarget: self) as AnyObject)
      .move(to: self.floor, loudly: isLoud)
    self.floor = floor
  }

  func start() -> Timer {
    Timer.scheduledTimer(
      timeInterval: 0.001, target: self, selector: #selector(tick), userInfo: "info",
      repeats: false)
  }

  @objc private func tick(_ timer: Timer) {
    ticks += timer.userInfo as? String == "info" ? 1 : 100
  }
}

class Room: NSObject {
  @objc var number = 4
  @objc(theWindows) var windows = ["north"]
  var secret = 1

  override func setValue(_ value: Any?, forUndefinedKey key: String) {
    undefined.append(key)
  }
  override func setNilValueForKey(_ key: String) { number = -1 }
  private(set) var undefined: [String] = []
}

class Quiet: NSObject, ShelfDelegate {
  func shelfDidOpen(_ shelf: Shelf) {}
}

class Strict: NSObject, ShelfDelegate {
  var added: [String] = []
  func shelfDidOpen(_ shelf: Shelf) {}
  func shelf(_ shelf: Shelf, didAdd title: String) { added.append(title) }
  func shelf(_ shelf: Shelf, mayAdd title: String) -> Bool { title != "no" }
  func shelfCheck(_ shelf: Shelf) throws { throw BookError.untitled }
}

class Cache<Element>: NSObject {
  private(set) var changes = 0
  func follow(_ name: Notification.Name) {
    NotificationCenter.default.addObserver(
      self, selector: #selector(changed), name: name, object: nil)
  }
  @objc private func changed() { changes += 1 }
}

class Watcher: NSObject {
  private(set) var seen: [String] = []
  func watch(_ book: Book) {
    book.addObserver(self, forKeyPath: #keyPath(Book.title), options: [.new], context: nil)
  }
  func stop(_ book: Book) { book.removeObserver(self, forKeyPath: #keyPath(Book.title)) }
  override func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) {
    guard keyPath == #keyPath(Book.title) else {
      return super.observeValue(
        forKeyPath: keyPath, of: object, change: change, context: context)
    }
    seen.append(change?[.newKey] as? String ?? "nil")
  }
}

func total(of shelves: [Shelf]) -> Int? {
  (shelves as AnyObject).value(forKeyPath: "@sum.floor") as? Int
}

class Plain: NSObject {}

class Derived: Plain {
  @objc var age = 3
}

@MainActor class Panel: NSObject {
  private(set) var shown = ""
  @objc func show(_ text: String) { shown = text }
  @objc var width = 3
}

enum Outer {
  @objc(OuterInner) class Inner: NSObject {
    @objc fileprivate func answer() -> String { "inner" }
  }
  private class Hidden: NSObject {
    @objc private func answer() -> String { "hidden" }
  }
  static func answers() -> [String] {
    [Inner(), Hidden()].map {
      $0.perform(Selector("answer")).takeUnretainedValue() as? String ?? "none"
    }
  }
}
