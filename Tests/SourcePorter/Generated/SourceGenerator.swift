import TestSupport

/// Makes sources in two forms: as they are written for Xcode, and by hand for a system without Objective-C.
///
/// Each class has constructs at random, in random order and with random attributes, and a function that prints what they
/// do.
struct SourceGenerator {
  struct Pair {
    var xcode = ""
    var byHand = ""
  }

  private var random: SplitMix64

  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  /// The class of a number, in both forms: `X3` and `L3`.
  mutating func classPair(_ number: Int) -> Pair {
    var members = Pair()
    var calls = Pair()
    var outside = Pair()
    let chosen = Construct.allCases.filter { _ in random.coin() }.shuffled(using: &random)
    for construct in chosen {
      let parts = parts(of: construct, number)
      members.xcode += parts.members.xcode.map { "  \($0)\n" }.joined()
      members.byHand += parts.members.byHand.map { "  \($0)\n" }.joined()
      calls.xcode += parts.calls.xcode.map { "    \($0)\n" }.joined()
      calls.byHand += parts.calls.byHand.map { "    \($0)\n" }.joined()
      outside.xcode += parts.outside.xcode
      outside.byHand += parts.outside.byHand
    }
    let exposes = random.coin() ? "@objcMembers " : ""
    let name = random.coin() ? "@objc(ObjectiveX\(number))\n" : ""
    return Pair(
      xcode: """
        \(name)\(exposes)class X\(number): NSObject {
        \(members.xcode)  func run() {
        \(calls.xcode)  }
        }
        \(outside.xcode)

        """,
      byHand: """
        class L\(number): NSObject {
        \(members.byHand)  func run() {
        \(calls.byHand)  }
        }
        \(outside.byHand)

        """)
  }

  // MARK: - Constructs

  private enum Construct: CaseIterable {
    case keyPath, selector, notification, timer, undoSelector, undoInvocation, keyValueCoding
    case optionalRequirement, optionalAnswer, enumeration, responds, cast, validation, pool, block
    case setter, nested
    case observing, observerObject, dependentKey, observedPath, optionalProperty, optionalQuestion
    case undefinedKey, closureParameter, delayed, keyPathText, managedEntity, className
    case archive, condition
  }

  private struct Parts {
    var members: (xcode: [String], byHand: [String]) = ([], [])
    var calls: (xcode: [String], byHand: [String]) = ([], [])
    var outside: (xcode: String, byHand: String) = ("", "")

    /// What is the same in both forms.
    mutating func call(_ line: String) {
      calls.xcode.append(line)
      calls.byHand.append(line)
    }
  }

  private mutating func access() -> String {
    ["", "", "private ", "fileprivate "].randomElement(using: &random)!
  }

  /// A mark of Objective-C, on a line of its own or not.
  private mutating func objc(_ name: String? = nil) -> String {
    let mark = name.map { "@objc(\($0))" } ?? "@objc"
    return mark + (random.coin() ? "\n  " : " ") + (random.coin() ? "" : "/* marked */ ")
  }

  private mutating func parts(of construct: Construct, _ number: Int) -> Parts {
    let value = Int.random(in: 0..<100, using: &random)
    var parts = Parts()
    switch construct {
    case .keyPath:
      let type = random.coin() ? "X\(number)." : ""
      let line = random.coin() ? "\n      " : ""
      parts.members.xcode = ["\(objc())\(random.coin() ? "dynamic " : "")var named = \"n\(value)\""]
      parts.members.byHand = ["var named = \"n\(value)\""]
      parts.calls.xcode = ["print(#keyPath(\(line)\(type)named), named)"]
      parts.calls.byHand = ["print(\"named\", named)"]
    case .selector:
      let access = access()
      let labels = random.coin() ? "(_:)" : ""
      let function = "func twice(_ x: Int) -> NSNumber { NSNumber(value: x * 2) }"
      parts.members.xcode = ["\(objc())\(access)\(function)"]
      parts.members.byHand = ["\(access)\(function)"]
      parts.calls.xcode = [
        "print(perform(#selector(twice\(labels)), with: \(value)).takeUnretainedValue())"
      ]
      parts.calls.byHand = ["print(twice(\(value)))"]
    case .notification:
      let name = "Notification.Name(\"note\(number)\")"
      let function =
        "func noted(_ note: Notification) { print(\"noted\", note.userInfo?[\"v\"] ?? 0) }"
      parts.members.xcode = ["\(objc())\(access())\(function)"]
      parts.members.byHand = [function]
      parts.calls.xcode = [
        "NotificationCenter.default.addObserver(self, selector: #selector(noted(_:)), name: \(name), object: nil)"
      ]
      parts.calls.byHand = [
        "let token = NotificationCenter.default.addObserver(forName: \(name), object: nil, queue: nil) { [weak self] in self?.noted($0) }"
      ]
      parts.call(
        "NotificationCenter.default.post(name: \(name), object: nil, userInfo: [\"v\": \(value)])")
      parts.calls.xcode.append("NotificationCenter.default.removeObserver(self)")
      parts.calls.byHand.append("NotificationCenter.default.removeObserver(token)")
      parts.call("NotificationCenter.default.post(name: \(name), object: nil)")
    case .timer:
      let function = "func ticked(_ timer: Timer) { print(\"ticked\", timer.isValid) }"
      parts.members.xcode = ["\(objc())\(access())\(function)"]
      parts.members.byHand = [function]
      parts.calls.xcode = [
        "Timer(timeInterval: 9, target: self, selector: #selector(ticked), userInfo: nil, repeats: true).fire()"
      ]
      parts.calls.byHand = [
        "Timer(timeInterval: 9, repeats: true) { [self] in ticked($0) }.fire()"
      ]
    case .undoSelector:
      parts.members.xcode = [
        "let undo1 = UndoManager()", "var size = 0",
        "\(objc())func resize(_ x: Int) { undo1.registerUndo(withTarget: self, selector: #selector(resize(_:)), object: size); size = x }",
      ]
      parts.members.byHand = [
        "let undo1 = UndoManager()", "var size = 0",
        "func resize(_ x: Int) { let old = size; undo1.registerUndo(withTarget: self) { $0.resize(old) }; size = x }",
      ]
      parts.call(
        "resize(\(value)); print(size); undo1.undo(); print(size); undo1.redo(); print(size)")
    case .undoInvocation:
      let cast = random.coin() ? "as AnyObject" : "as! X\(number)"
      parts.members.xcode = [
        "let undo2 = UndoManager()", "var place = 1",
        "\(objc())func move(to x: Int, by y: Int) { (undo2.prepare(withInvocationTarget: self) \(cast)).move(to: place, by: -y); place = x + y - y }",
      ]
      parts.members.byHand = [
        "let undo2 = UndoManager()", "var place = 1",
        "func move(to x: Int, by y: Int) { let old = place; undo2.registerUndo(withTarget: self) { $0.move(to: old, by: -y) }; place = x + y - y }",
      ]
      parts.call("move(to: \(value), by: 2); print(place); undo2.undo(); print(place)")
    case .keyValueCoding:
      parts.members.xcode = [
        "\(objc())\(random.coin() ? "dynamic " : "")var count = 1",
        "\(objc(random.coin() ? "label" : nil))var label: String?",
      ]
      parts.members.byHand = ["var count = 1", "var label: String?"]
      parts.calls.xcode = [
        "setValue(\(value), forKey: \"count\"); setValue(\"l\", forKey: \"label\")",
        "print(value(forKey: \"count\") ?? \"nil\", value(forKey: \"label\") ?? \"nil\")",
        "setValue(nil, forKey: \"label\"); print(label ?? \"none\")",
      ]
      parts.calls.byHand = [
        "count = \(value); label = \"l\"", "print(count, label ?? \"nil\")",
        "label = nil; print(label ?? \"none\")",
      ]
    case .optionalRequirement:
      let has = random.coin()
      let method = "func told(_ x: Int) { print(\"told\", x) }"
      parts.outside.xcode =
        "\n@objc protocol PX\(number) { \(random.coin() ? "\n" : "")@objc optional func told(_ x: Int) }\nclass CX\(number): NSObject, PX\(number) { \(has ? method : "") }"
      parts.outside.byHand =
        "\nclass CL\(number): NSObject { \(has ? method : "") }"
      parts.calls.xcode = [
        "let p: PX\(number)? = CX\(number)()", "p?.told?(\(value))",
      ]
      parts.calls.byHand = has ? ["CL\(number)().told(\(value))"] : []
    case .optionalAnswer:
      let has = random.coin()
      let method = "func mayDo(_ x: Int, twice: Bool) -> Bool { x > 50 }"
      parts.outside.xcode =
        "\n@objc protocol QX\(number): NSObjectProtocol { @objc optional func mayDo(_ x: Int, twice: Bool) -> Bool }\nclass DX\(number): NSObject, QX\(number) { \(has ? method : "") }"
      parts.outside.byHand = "\nclass DL\(number): NSObject { \(has ? method : "") }"
      parts.calls.xcode = [
        "let q: QX\(number)? = DX\(number)()",
        "print(q?.mayDo?(\(value), twice: true) ?? true, q!.responds(to: #selector(QX\(number).mayDo(_:twice:))))",
      ]
      parts.calls.byHand = [
        has ? "print(DL\(number)().mayDo(\(value), twice: true), true)" : "print(true, false)"
      ]
    case .enumeration:
      let kind = ["Int", "Int16", "Int32"].randomElement(using: &random)!
      parts.outside.xcode = "\n@objc enum EX\(number): \(kind) { case a, b = \(value + 1) }"
      parts.outside.byHand = "\nenum EL\(number): \(kind) { case a, b = \(value + 1) }"
      parts.members.xcode = ["\(objc())var e: EX\(number) = .b"]
      parts.members.byHand = ["var e: EL\(number) = .b"]
      parts.calls.xcode = ["print(e.rawValue, value(forKey: \"e\") ?? \"nil\")"]
      parts.calls.byHand = ["print(e.rawValue, e.rawValue)"]
    case .responds:
      parts.members.xcode = [
        "\(objc())func known(_ x: Int, with y: Int) {}", "@nonobjc func unknown() {}",
      ]
      parts.members.byHand = ["func known(_ x: Int, with y: Int) {}", "func unknown() {}"]
      parts.calls.xcode = [
        "print(responds(to: #selector(known(_:with:))), responds(to: Selector(\"unknown\")))"
      ]
      parts.calls.byHand = ["print(true, false)"]
    case .cast:
      let forced = random.coin()
      parts.calls.xcode = [
        "let r = NSFetchRequest<NSManagedObject>(entityName: \"E\(value)\")",
        forced
          ? "print((r as! NSFetchRequest<NSFetchRequestResult>).entityName ?? \"none\")"
          : "print((r.copy() as? NSFetchRequest<NSManagedObject>)?.entityName ?? \"none\")",
      ]
      parts.calls.byHand = ["print(\"E\(value)\")"]
    case .validation:
      parts.members.xcode = [
        "\(objc())func validateAge(_ v: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws { if let x = v.pointee as? Int, x > 50 { v.pointee = 50 as NSNumber } }"
      ]
      parts.members.byHand = ["func age(_ x: Int) -> Int { min(x, 50) }"]
      parts.calls.xcode = [
        "var v: Any? = \(value); try! validateValue(&v, forKey: \"age\"); print(v ?? \"nil\")"
      ]
      parts.calls.byHand = ["print(age(\(value)))"]
    case .pool:
      parts.calls.xcode = ["autoreleasepool { print(\"in pool\", \(value)) }"]
      parts.calls.byHand = ["print(\"in pool\", \(value))"]
    case .block:
      parts.members.xcode = [
        "let blockType: @convention(block) (Int) -> Int = { $0 + 1 }",
        "@IBOutlet weak var outlet: NSObject!",
        "@IBAction func pressed(_ sender: Any) { print(\"pressed\") }",
      ]
      parts.members.byHand = [
        "let blockType: (Int) -> Int = { $0 + 1 }",
        "func pressed(_ sender: Any) { print(\"pressed\") }",
      ]
      parts.calls.xcode = [
        "perform(Selector(\"pressed:\"), with: self); print(blockType(\(value)))"
      ]
      parts.calls.byHand = ["pressed(self); print(blockType(\(value)))"]
    case .setter:
      parts.members.xcode = [
        "\(objc())\(access())var width = 2 { didSet { print(\"set\", oldValue, width) } }"
      ]
      parts.members.byHand = ["var width = 2 { didSet { print(\"set\", oldValue, width) } }"]
      parts.calls.xcode = [
        "perform(#selector(setter: X\(number).width), with: \(value)); perform(#selector(getter: width)); print(width)"
      ]
      parts.calls.byHand = ["width = \(value); print(width)"]
    case .observing:
      let form = Int.random(in: 0..<3, using: &random)
      let name = random.coin() ? "theWatched" : nil
      let body = [
        " = 1", " = 1 { didSet { print(\"did\", oldValue) } }",
        ": Int { get { hiddenWatched } set { hiddenWatched = newValue + 1 } }",
      ][form]
      parts.members.xcode = [
        "\(objc(name))dynamic var watched\(body)", "private var hiddenWatched = 1",
      ]
      parts.members.byHand = [
        "var watched\(body)", "private var hiddenWatched = 1",
        "func watch(_ x: Int) { let old = watched; print(\"soon\", old); watched = x; print(\"watched\", old, watched) }",
      ]
      parts.calls.xcode = [
        "let watching = observe(\\.watched, options: [.prior, .old, .new]) { _, c in if c.isPrior { print(\"soon\", c.oldValue!) } else { print(\"watched\", c.oldValue!, c.newValue!) } }",
        "watched = \(value); watched += 1; watching.invalidate(); watched = 0",
      ]
      parts.calls.byHand = ["watch(\(value)); watch(watched + 1)", "watched = 0"]
    case .observerObject:
      parts.outside.xcode =
        "\nclass OX\(number): NSObject { override func observeValue(forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?, context: UnsafeMutableRawPointer?) { print(keyPath!, change?[.newKey] ?? \"none\") } }"
      parts.members.xcode = ["\(objc())dynamic var noticed: String?"]
      parts.members.byHand = [
        "var noticed: String?",
        "func notice(_ x: String?) { noticed = x; print(\"noticed\", x.map { $0 as Any } ?? NSNull()) }",
      ]
      parts.calls.xcode = [
        "let noticer = OX\(number)(); addObserver(noticer, forKeyPath: #keyPath(noticed), options: [.new], context: nil)",
        "noticed = \"n\(value)\"; setValue(nil, forKey: \"noticed\"); removeObserver(noticer, forKeyPath: \"noticed\"); noticed = nil",
      ]
      parts.calls.byHand = ["notice(\"n\(value)\"); notice(nil)", "noticed = nil"]
    case .dependentKey:
      let form = [
        "func keyPathsForValuesAffectingSum() -> Set<String> { [\"first\"] }",
        "var keyPathsForValuesAffectingSum: Set<String> { [\"first\"] }",
      ].randomElement(using: &random)!
      parts.members.xcode = [
        "\(objc())dynamic var first = 1", "@objc var sum: Int { first + 1 }",
        "\(objc())class \(form)",
      ]
      parts.members.byHand = ["var first = 1", "var sum: Int { first + 1 }"]
      parts.calls.xcode = [
        "let sums = observe(\\.sum, options: [.initial, .new]) { _, c in print(\"sum\", c.newValue!) }",
        "first = \(value); willChangeValue(forKey: \"sum\"); didChangeValue(forKey: \"sum\"); sums.invalidate()",
      ]
      parts.calls.byHand = [
        "print(\"sum\", sum); first = \(value); print(\"sum\", sum); print(\"sum\", sum)"
      ]
    case .observedPath:
      parts.outside.xcode =
        "\nclass RX\(number): NSObject { @objc dynamic var length = 1 }"
      parts.outside.byHand = "\nclass RL\(number): NSObject { var length = 1 }"
      parts.members.xcode = ["\(objc())dynamic var rope: RX\(number)?"]
      parts.members.byHand = ["var rope: RL\(number)?"]
      let path = random.coin()
      parts.calls.xcode = [
        path
          ? "let roping = observe(\\.rope?.length, options: [.new]) { _, c in print(\"rope\", (c.newValue ?? nil) ?? 0) }"
          : "let roping = observe(\\.rope, options: []) { x, _ in print(\"rope\", x.rope?.length ?? 0) }",
        "rope = RX\(number)(); let first\(number) = rope!; first\(number).length = \(value); rope = nil; first\(number).length = 3; roping.invalidate()",
      ]
      parts.calls.byHand = [
        "print(\"rope\", 1)", path ? "print(\"rope\", \(value))" : "", "print(\"rope\", 0)",
      ]
    case .optionalProperty:
      let has = random.coin()
      parts.outside.xcode =
        "\n@objc protocol TX\(number): NSObjectProtocol { @objc optional var shown: String { get }\n@objc optional var hint: String? { get set } }\nclass VX\(number): NSObject, TX\(number) { \(has ? "var shown = \"s\"; var hint: String?" : "") }"
      parts.calls.xcode = [
        "let t: TX\(number)? = VX\(number)()",
        "print(t?.shown ?? \"none\", t?.shown?.count ?? 0, t!.shown ?? \"none\")",
        "if let hint = t?.hint { print(hint ?? \"nil\") } else { print(\"no hint\") }",
      ]
      parts.calls.byHand =
        has
        ? ["print(\"s\", 1, \"s\"); print(\"nil\")"]
        : ["print(\"none\", 0, \"none\"); print(\"no hint\")"]
    case .optionalQuestion:
      let has = random.coin()
      parts.outside.xcode =
        "\n@objc protocol WX\(number) { @objc optional func asked\(number)(_ x: Int) }\nclass YX\(number): NSObject, WX\(number) { \(has ? "func asked\(number)(_ x: Int) {}" : "") }"
      parts.calls.xcode = [
        "let w: WX\(number)? = YX\(number)()",
        "print(w?.asked\(number) != nil, nil == w!.asked\(number))",
      ]
      parts.calls.byHand = ["print(\(has), \(!has))"]
    case .undefinedKey:
      parts.outside.xcode = """
        \nclass AX\(number): NSObject { @objc var known = 1 }
        class BX\(number): AX\(number) { override func value(forUndefinedKey key: String) -> Any? { key == "odd" ? \(value) : super.value(forUndefinedKey: key) } }
        """
      parts.calls.xcode = [
        "let u = BX\(number)(); print(u.value(forKey: \"odd\") ?? \"nil\", u.value(forKey: \"known\") ?? \"nil\")"
      ]
      parts.calls.byHand = ["print(\(value), 1)"]
    case .closureParameter:
      parts.members.xcode = [
        "\(objc())func each(_ x: Int, then done: ((_ y: Int) -> Void)?) { done?(x) }"
      ]
      parts.members.byHand = ["func each(_ x: Int, then done: ((_ y: Int) -> Void)?) { done?(x) }"]
      parts.call("each(\(value)) { print(\"each\", $0) }")
    case .delayed:
      let function = "func later(_ x: Int) { print(\"later\", x) }"
      parts.members.xcode = ["\(objc())\(access())\(function)"]
      parts.members.byHand = [function]
      let takesBack = random.coin()
      let taken =
        random.coin()
        ? "NSObject.cancelPreviousPerformRequests(withTarget: self)"
        : "X\(number).cancelPreviousPerformRequests(withTarget: self, selector: #selector(later(_:)), object: \(value))"
      parts.calls.xcode = [
        "perform(#selector(later), with: \(value), afterDelay: 0); \(takesBack ? taken : "")",
        "RunLoop.current.run(until: Date(timeIntervalSinceNow: 0.05))",
      ]
      parts.calls.byHand = takesBack ? [] : ["later(\(value))"]
    case .keyPathText:
      let name = random.coin() ? "theText" : nil
      parts.members.xcode = ["\(objc(name))var text = \"t\""]
      parts.members.byHand = ["var text = \"t\""]
      parts.calls.xcode = [
        "print((\\X\(number).text)._kvcKeyPathString ?? \"nil\", #keyPath(text))"
      ]
      parts.calls.byHand = ["print(\"\(name ?? "text")\", \"\(name ?? "text")\")"]
    case .managedEntity:
      parts.outside.xcode =
        "\nclass MX\(number): NSManagedObject {}\nextension MX\(number) { override class func entity() -> NSEntityDescription { let e = NSEntityDescription(); e.name = \"m\(value)\"; return e } }"
      parts.calls.xcode = ["print(MX\(number).entity().name ?? \"nil\")"]
      parts.calls.byHand = ["print(\"m\(value)\")"]
    case .className:
      parts.outside.xcode = "\n@objc(NX\(number)Name) \(access())class NX\(number): NSObject {}"
      parts.calls.xcode = [
        "print(NSClassFromString(\"NX\(number)Name\") == NX\(number).self, NSStringFromClass(NX\(number).self))"
      ]
      parts.calls.byHand = ["print(true, \"NX\(number)Name\")"]
    case .archive:
      let coding = random.coin() ? "NSSecureCoding" : "NSCoding"
      let name = random.coin() ? "@objc(FX\(number)Name) " : ""
      let access = ["", "private ", "fileprivate "].randomElement(using: &random)!
      let body = """
        class Filed: NSObject, \(coding) { static var supportsSecureCoding: Bool { true }; let n: Int; init(_ n: Int) { self.n = n }
            required init?(coder: NSCoder) { n = coder.decodeInteger(forKey: "n") }; func encode(with coder: NSCoder) { coder.encode(n, forKey: "n") } }
        """
      let around = ["class", "struct", "enum"].randomElement(using: &random)!
      let below = random.coin()
      let place = ["", "Folder.", "Folder<Int>.", "Folder.Inner."].randomElement(using: &random)!
      parts.members.xcode =
        switch place {
        case "": [name + access + body]
        case "Folder.": ["\(around) Folder { \(name)\(body) }"]
        case "Folder<Int>.": ["\(around) Folder<T> { \(body) }"]
        default: ["\(around) Folder { struct Inner { \(name)\(body) } }"]
        }
      if below { parts.members.xcode.append("\(access)class Below: \(place)Filed {}") }
      parts.members.byHand = ["struct Filed { let n: Int }"]
      parts.calls.xcode = [
        "let filed = \(below ? "Below" : place + "Filed")(\(value)), file = try! NSKeyedArchiver.archivedData(withRootObject: filed, requiringSecureCoding: \(coding == "NSSecureCoding"))",
        "let reader = try! NSKeyedUnarchiver(forReadingFrom: file); reader.requiresSecureCoding = false",
        "let read = reader.decodeObject(forKey: NSKeyedArchiveRootObjectKey); print((read as? \(place)Filed)?.n ?? 0, type(of: read!) == type(of: filed))",
      ]
      parts.calls.byHand = ["print(Filed(n: \(value)).n, true)"]
    case .condition:
      let isMet = random.coin()
      let condition =
        isMet
        ? ["os(Linux)", "!os(iOS)", "os(iOS) || os(Linux)"].randomElement(using: &random)!
        : ["os(iOS)", "canImport(UIKit)", "!os(Linux)"].randomElement(using: &random)!
      let function = "func only(_ x: Int) -> NSString { NSString(string: \"only \\(x)\") }"
      parts.members.xcode = [
        "#if \(condition)\n  \(objc())\(access())\(function)\n  #else\n  \(objc())\(access())func otherwise() -> NSString { \"otherwise\" }\n  #endif"
      ]
      parts.members.byHand = [function]
      parts.calls.xcode = [
        "print(perform(responds(to: Selector(\"only:\")) ? Selector(\"only:\") : Selector(\"otherwise\"), with: \(value)).takeUnretainedValue())"
      ]
      parts.calls.byHand = ["print(\(isMet ? "only(\(value))" : "\"otherwise\""))"]
    case .nested:
      let access = ["", "private ", "fileprivate "].randomElement(using: &random)!
      let body = "func answer() -> NSString { \"nested \(value)\" }"
      parts.members.xcode = ["\(access)class Nested: NSObject { \(objc())\(access)\(body) }"]
      parts.members.byHand = ["\(access)class Nested: NSObject { \(body) }"]
      parts.calls.xcode = ["print(Nested().perform(Selector(\"answer\")).takeUnretainedValue())"]
      parts.calls.byHand = ["print(Nested().answer())"]
    }
    return parts
  }
}

extension SplitMix64 {
  mutating func coin() -> Bool { next() & 1 == 1 }
}
