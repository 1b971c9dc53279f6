import CoreData
import Foundation

@objcMembers class Owner: NSObject {
  dynamic var name = "Ann"
  dynamic var book: Book?
  var nickname: String { name.lowercased() }
  override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
    var paths = super.keyPathsForValuesAffectingValue(forKey: key)
    if key == #keyPath(nickname) { paths.insert(#keyPath(name)) }
    return paths
  }
}

/// Has each form of property that can be observed.
class Gauge: NSObject {
  @objc dynamic var level = 1
  @objc dynamic var unit: String? = "l", note, remark: String?
  @objc dynamic var limit = 10 { didSet { if limit < 0 { limit = 0 } } }
  @objc(theScale) dynamic var scale = 1.0 {
    willSet { announced = newValue }
  }
  @objc dynamic var both = 1 {
    willSet { steps.append("will") }
    didSet { steps.append("did") }
  }
  @objc dynamic weak var spare: Gauge?
  @objc dynamic var owner: Owner?
  @objc dynamic lazy var late: Int = { 5 }()
  @objc dynamic var parts: [String] = []
  @objc dynamic var kind: BookKind = .atlas
  @objc dynamic var computed: Int {
    get { stored }
    set {
      if newValue == 13 { return }
      stored = newValue
    }
  }
  @objc dynamic private(set) var changes = 0
  @objc var plain = 0
  private(set) var announced = 0.0
  private(set) var steps: [String] = []
  private var stored = 0

  // Of what others are.
  @objc var text: String { "\(level) \(unit ?? "-")" }
  @objc class func keyPathsForValuesAffectingText() -> Set<String> { ["level", "unit"] }
  @objc var ownerText: String { owner?.nickname ?? "nobody" }
  @objc class var keyPathsForValuesAffectingOwnerText: Set<String> { ["owner.nickname"] }

  // Told by hand.
  @objc dynamic var manual: Int {
    get { stored }
    set {
      willChangeValue(forKey: "manual")
      stored = newValue
      didChangeValue(forKey: "manual")
    }
  }
  @objc class func automaticallyNotifiesObserversOfManual() -> Bool { false }

  func count() { changes += 1 }

  @nonobjc func insert(_ part: String, at index: Int) {
    let indexes = IndexSet(integer: index)
    willChange(.insertion, valuesAt: indexes, forKey: #keyPath(plainParts))
    plainParts.insert(part, at: index)
    didChange(.insertion, valuesAt: indexes, forKey: #keyPath(plainParts))
  }
  @objc var plainParts: [String] = []

  func touch() {
    willChangeValue(for: \.level)
    didChangeValue(for: \.level)
  }
}

class FineGauge: Gauge {
  override var level: Int { didSet { fine += 1 } }
  @objc dynamic var fine = 0
  override func value(forUndefinedKey key: String) -> Any? {
    key == "nothing" ? nil : super.value(forUndefinedKey: key)
  }
}

@MainActor class Dial: NSObject {
  @objc dynamic var angle = 0
}

class Notebook: NSObject {
  private(set) var lines: [String] = []
  func take() -> [String] {
    defer { lines = [] }
    return lines
  }
  override func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) {
    var line = keyPath ?? ""
    if change?[.notificationIsPriorKey] != nil { line += " soon" }
    if let old = change?[.oldKey] { line += " from \(old is NSNull ? "nil" : "\(old)")" }
    if let new = change?[.newKey] { line += " to \(new is NSNull ? "nil" : "\(new)")" }
    lines.append(line)
  }
}

class SubNotebook: Notebook {
  override func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) {
    if keyPath == "level" {
      super.observeValue(forKeyPath: keyPath, of: object, change: change, context: context)
    }
  }
}

// Optional properties of protocols.

@objc protocol GaugeSource: NSObjectProtocol {
  @objc optional var title: String { get }
  @objc optional var subtitle: String? { get }
  @objc optional func measure() -> Int
}

class Untold: NSObject, GaugeSource {}

class Told: NSObject, GaugeSource {
  var title = "Water"
  var subtitle: String?
  func measure() -> Int { 7 }
}

class Display: NSObject {
  weak var source: GaugeSource?
  var lines: [String] {
    var lines = [source?.title ?? "untitled"]
    if let subtitle = source?.subtitle { lines.append(subtitle ?? "nil") }
    if let length = source?.title?.count { lines.append("\(length)") }
    if source?.measure != nil { lines.append("measures") }
    guard let source else { return lines }
    return lines + [
      source.title ?? "none", source.measure == nil ? "no" : "yes", words(of: source),
    ]
  }

  private func words(of any: GaugeSource) -> String { any.subtitle??.uppercased() ?? "no words" }
}
