import Foundation

/// Finds constructs of sources made for Xcode that this platform lacks, before the compiler does:
/// these messages explain the remedy, which the compiler's do not.
///
/// The whole file is read, function bodies included. Code in an `#if` is checked only if the
/// condition certainly holds here.
struct ForeignConstructs {
  struct Findings {
    /// Constructs that the compiler certainly refuses.
    var errors: [String] = []
    /// Constructs that behave differently from Apple's systems, or that the compiler may refuse.
    var warnings: [String] = []
  }

  private var cursor: SourceCursor
  private let path: String
  private var conditions: ConditionStack
  private let modules: Set<String>
  /// The target's own types.
  private let declared: Set<String>
  /// The modules that the file imports.
  private var imported: Set<String> = []
  /// The first name of Combine's in the file, with its warning.
  private var combine: String?
  /// Whether the file names NSMutableOrderedSet.
  private var hasOrderedSets = false
  /// Whether a name that Foundation lacks here was reported.
  private var hasReportedFoundation = false
  private var findings = Findings()
  private var isAtStartOfLine = true
  /// Whether `fetchRequest()` precedes; called on a class, it is a request for that class.
  private var followsFetchRequest = false

  /// - Parameters:
  ///   - conditions: the target's compilation conditions.
  ///   - modules: the modules of the target's dependencies; other modules of Apple's are missing.
  ///   - declared: the target's own types.
  static func findings(
    in file: URL, conditions: [String], modules: Set<String>, declared: Set<String>
  ) throws -> Findings {
    findings(
      in: try Data(contentsOf: file), path: file.path, conditions: conditions, modules: modules,
      declared: declared)
  }

  static func findings(
    in text: Data, path: String, conditions: [String], modules: Set<String>,
    declared: Set<String> = []
  ) -> Findings {
    var bytes = [UInt8](text)
    bytes.append(0)
    return bytes.withUnsafeBufferPointer { buffer in
      var search = ForeignConstructs(
        cursor: SourceCursor(buffer), path: path,
        conditions: ConditionStack(names: Set(conditions), modules: modules), modules: modules,
        declared: declared)
      search.run()
      search.reportCombine()
      return search.findings
    }
  }

  private init(
    cursor: SourceCursor, path: String, conditions: ConditionStack, modules: Set<String>,
    declared: Set<String>
  ) {
    self.cursor = cursor
    self.path = path
    self.conditions = conditions
    self.modules = modules
    self.declared = declared
  }

  private mutating func run() {
    while true {
      if cursor.skipTrivia() { isAtStartOfLine = true }
      guard !cursor.isAtEnd else { return }
      switch cursor.byte {
      case UInt8(ascii: "@"):
        attribute()
        // The declaration of the attribute may follow on its line.
        continue
      case UInt8(ascii: "#"): hash()
      case UInt8(ascii: "\""), UInt8(ascii: "/"): cursor.skipPiece()
      case UInt8(ascii: "`"): _ = cursor.name()
      default:
        guard let word = cursor.name() else {
          cursor.advance()
          break
        }
        if word == "fetchRequest", cursor.byte == UInt8(ascii: "(") {
          cursor.skipBrackets()
          followsFetchRequest = true
          continue
        }
        read(word)
      }
      (isAtStartOfLine, followsFetchRequest) = (false, false)
    }
  }

  private mutating func error(_ text: String) {
    guard conditions.isActive else { return }
    findings.errors.append("\(path):\(cursor.line()):1: error: \(text)")
  }

  private mutating func warn(_ text: String) {
    guard conditions.isActive else { return }
    findings.warnings.append("\(path):\(cursor.line()):1: warning: \(text)")
  }

  // MARK: - Attributes and directives

  private static let porting =
    "the plugin PortedSources compiles such sources as they stand (see “Sources made for Xcode”)"

  static let overrideInExtension =
    "an extension can override methods of Objective-C's classes alone: move it into the class, for which the entity's code "
    + "generation becomes Category/Extension; or \(porting)"

  static let observer =
    "NSObject has no key-value observing here: have the class conform to KeyValueObserver, without `override`; or \(porting)"

  static let fault =
    "unlike on Apple's systems, didTurnIntoFault() is not called when an object is freed: what has "
    + "to end with the object goes into a `deinit` of this class, too"

  private mutating func attribute() {
    cursor.advance()
    guard let name = cursor.name() else { return }
    if name == "Published" { readCombine(name) }
    guard ["objc", "objcMembers"].contains(name) else { return }
    error(
      "@\(name) needs the Objective-C runtime, which this platform does not have: \(Self.porting); in shared "
        + "sources put the attribute into #if canImport(ObjectiveC)")
    if cursor.byte == UInt8(ascii: "(") { cursor.skipBrackets() }
  }

  private mutating func hash() {
    guard SourceCursor.isNamePart(cursor.byte(after: 1)) else { return cursor.skipPiece() }
    cursor.advance()
    switch cursor.name() {
    case "if": conditions.open(condition())
    case "elseif": conditions.turn(condition())
    case "else": conditions.turn("true")
    case "endif": conditions.close()
    case "keyPath" where cursor.byte == UInt8(ascii: "("): keyPath()
    case "selector" where cursor.byte == UInt8(ascii: "("):
      error(
        "#selector is for Objective-C alone: take a closure, or a method of your own; \(Self.porting)"
      )
    default: break
    }
  }

  private mutating func condition() -> String {
    let start = cursor.position
    while !cursor.isAtEnd, cursor.byte != 10 {
      if cursor.byte == UInt8(ascii: "/"), cursor.byte(after: 1) == UInt8(ascii: "/") { break }
      cursor.skipPiece()
    }
    return cursor.text(from: start)
  }

  private mutating func keyPath() {
    var ahead = cursor
    let start = ahead.position
    ahead.skipBrackets()
    let path = ahead.text(from: start).dropFirst().dropLast().filter { !$0.isWhitespace }
    let parts = path.split(separator: ".")
    let keys = parts.first?.first?.isUppercase == true ? parts.dropFirst() : parts[...]
    error(
      "#keyPath is for Objective-C alone: write \"\(keys.joined(separator: "."))\", or \\\(path) where a key path of "
        + "Swift is taken; \(Self.porting)")
    cursor.move(to: ahead.position)
  }

  // MARK: - Words

  private mutating func read(_ word: String) {
    switch word {
    case "import" where isAtStartOfLine: readImport()
    case "as": readCast()
    case "mutableSetValue": readMutableSet()
    case "value": readValue()
    case "NSClassFromString": readClassName()
    case "ObservableObject", "AnyCancellable", "AnyPublisher", "PassthroughSubject",
      "CurrentValueSubject":
      readCombine(word)
    case "NotificationCenter": readNotificationCenter()
    case "Foundation": readQualifiedName()
    case "NSMutableOrderedSet": hasOrderedSets = true
    case "intersect" where hasOrderedSets && follows("("): readIntersection()
    default: readFoundation(word)
    }
  }

  /// Records a name of Combine's. Foundation exports Combine on Apple's systems, so files use it
  /// without importing it.
  private mutating func readCombine(_ name: String) {
    guard combine == nil, conditions.isActive, !declared.contains(name) else { return }
    combine =
      "\(path):\(cursor.line()):1: warning: \(name) is Combine's, which Foundation brings along on "
      + "Apple's systems alone: a target that has the product CombineShim of OpenCoreData, and a "
      + "file that says @_exported import CombineShim, has it; otherwise put it into "
      + "#if canImport(Combine)"
  }

  /// Checks `NotificationCenter.Publisher` and `NotificationCenter.default.publisher(for: …)`.
  private mutating func readNotificationCenter() {
    for name in ["Publisher", "default.publisher"] {
      if follows("." + name) { return readCombine("NotificationCenter." + name) }
    }
  }

  /// Whether a text follows, and no letter after it.
  private func follows(_ text: String) -> Bool {
    var ahead = cursor
    for byte in text.utf8 {
      guard ahead.byte == byte else { return false }
      ahead.advance()
    }
    return text.hasSuffix("(") || !SourceCursor.isNamePart(ahead.byte)
  }

  /// Checks `Foundation.ValueTransformer` and other names that are CoreData's here.
  private mutating func readQualifiedName() {
    guard let name = FoundationNames.ofCoreData.first(where: { follows("." + $0) }) else { return }
    warn(
      "\(name) is not in Foundation on this platform but in CoreData: import CoreData and leave the module's name out, or "
        + "write CoreData.\(name) where a type of yours has the name; \(Self.porting)")
  }

  /// Warns of the one method that ends nowhere.
  private mutating func readIntersection() {
    warn(
      "Foundation's NSMutableOrderedSet does not come back from intersect(_:) on this platform: "
        + "take the others out, removeObjects(in: set.array.filter { !other.contains($0) })")
  }

  /// Reports the first name in a file that Foundation lacks on this platform.
  private mutating func readFoundation(_ word: String) {
    guard let rest = FoundationNames.ofSupport[word], follows(rest), conditions.isActive,
      !hasReportedFoundation, !declared.contains(word), !modules.contains("FoundationSupport")
    else { return }
    hasReportedFoundation = true
    warn(
      "\(word)\(rest)\(rest.hasPrefix("(") ? ":)" : "") is not in Foundation on this platform: a target that has the product "
        + "FoundationSupport of OpenCoreData, and a file that says @_exported import "
        + "FoundationSupport, has it; \(Self.porting)")
  }

  /// Reports Combine's name unless an import may have brought it.
  private mutating func reportCombine() {
    let plain: Set = [
      "Foundation", "CoreData", "XCTest", "Testing", "os", "OSLog", "Dispatch", "Observation",
    ]
    guard let combine, imported.isSubset(of: plain),
      modules.isDisjoint(with: ["CombineShim", "OpenCombine"])
    else { return }
    findings.warnings.append(combine)
  }

  private mutating func readImport() {
    var ahead = cursor
    ahead.skipTrivia()
    var module = ahead.name()
    var isOfKind = false
    let kinds: Set = ["struct", "class", "enum", "protocol", "typealias", "func", "let", "var"]
    if let kind = module, kinds.contains(kind) {
      isOfKind = true
      ahead.skipTrivia()
      module = ahead.name()
    }
    if let module, conditions.isActive { imported.insert(module) }
    if let module, !isOfKind, ["CoreData", "Foundation"].contains(module),
      ahead.byte == UInt8(ascii: ".")
    {
      ahead.advance()
      return error(
        "there is no module \(module).\(ahead.name() ?? "") on this platform: import \(module) as "
          + "a whole; \(Self.porting)")
    }
    guard let module, AppleModules.all.contains(module), !modules.contains(module) else { return }
    if let shim = AppleModules.shims[module] {
      let isWhole = ahead.byte != UInt8(ascii: ".") || isOfKind
      guard isWhole, modules.contains(shim) else {
        return warn(
          "there is no module \(module) on this platform: a target that has the product \(shim) of "
            + "OpenCoreData and is compiled with -module-alias \(module)=\(shim) imports it"
            + (isWhole ? "" : ", as a whole: import \(module)") + "; \(Self.porting)")
      }
      return
    }
    warn(
      "there is no module \(module) on this platform: put what needs it into #if canImport(\(module)); \(Self.porting)"
    )
  }

  private static let erased: Set<String> = [
    "NSFetchRequest", "NSFetchedResultsController", "NSAsynchronousFetchRequest",
    "NSAsynchronousFetchResult",
  ]

  /// Checks casts such as `as! NSFetchRequest<…>`.
  private mutating func readCast() {
    guard cursor.byte == UInt8(ascii: "!") || cursor.byte == UInt8(ascii: "?") else { return }
    let mark = cursor.byte == UInt8(ascii: "!") ? "stops the program" : "is nil"
    var ahead = cursor
    ahead.advance()
    ahead.skipTrivia()
    guard let type = ahead.name(), Self.erased.contains(type), ahead.byte == UInt8(ascii: "<")
    else { return }
    ahead.advance()
    if followsFetchRequest, ahead.name() != "NSFetchRequestResult" { return }
    warn(
      "a cast between a \(type) of different types of results \(mark) here, as with every generic class of Swift: "
        + "leave it out where the method takes any of them, or make "
        + (type == "NSFetchRequest" ? "a copy, NSFetchRequest<…>(request)" : "one of the type"))
  }

  /// Checks casts such as `mutableSetValue(forKey: …) as! Set<…>`.
  private mutating func readMutableSet() {
    var ahead = cursor
    guard ahead.byte == UInt8(ascii: "(") else { return }
    ahead.skipBrackets()
    ahead.skipTrivia()
    guard ahead.name() == "as" else { return }
    if ahead.byte == UInt8(ascii: "!") || ahead.byte == UInt8(ascii: "?") { ahead.advance() }
    ahead.skipTrivia()
    guard ahead.name() == "Set" else { return }
    warn(
      "a set of mutableSetValue(forKey:) that is cast to Set is empty on this platform, whatever its members: cast "
        + "value(forKey:) or use allObjects")
  }

  /// Checks casts such as `value(forKey: …) as! NSMutableSet`.
  private mutating func readValue() {
    var ahead = cursor
    guard ahead.byte == UInt8(ascii: "(") else { return }
    let start = ahead.position
    ahead.skipBrackets()
    guard ahead.text(from: start).filter({ !$0.isWhitespace }).hasPrefix("(forKey:") else { return }
    ahead.skipTrivia()
    guard ahead.name() == "as" else { return }
    if ahead.byte == UInt8(ascii: "!") || ahead.byte == UInt8(ascii: "?") { ahead.advance() }
    ahead.skipTrivia()
    guard let type = ahead.name(), ["NSMutableSet", "NSMutableOrderedSet"].contains(type)
    else { return }
    let method = type == "NSMutableSet" ? "mutableSetValue" : "mutableOrderedSetValue"
    warn(
      "what value(forKey:) gives of a relationship is a copy on this platform, and changes of it "
        + "are lost: take \(method)(forKey:)")
  }

  /// Checks `NSClassFromString(entity.managedObjectClassName)`.
  private mutating func readClassName() {
    var ahead = cursor
    guard ahead.byte == UInt8(ascii: "(") else { return }
    let start = ahead.position
    ahead.skipBrackets()
    guard ahead.text(from: start).contains("managedObjectClassName") else { return }
    warn(
      "NSClassFromString finds classes by Module.Class alone on this platform, and names of models "
        + "have no module: take type(of:) of an object")
  }
}

/// Modules of Apple's systems that no other system has.
enum AppleModules {
  /// Modules with a stand-in, and its name.
  static let shims = ["os": "OSShim", "OSLog": "OSLogShim", "Combine": "CombineShim"]

  static let all: Set<String> = Set(
    """
    ARKit AVFoundation AVKit Accelerate ActivityKit AppIntents AppKit AudioToolbox BackgroundTasks CallKit Charts CloudKit \
    Cocoa Combine Contacts ContactsUI CoreAudio CoreBluetooth CoreGraphics CoreImage CoreLocation CoreMIDI CoreML CoreMotion \
    CoreServices CoreSpotlight CoreTelephony CoreText CryptoKit Darwin EventKit EventKitUI GameKit GameplayKit HealthKit \
    HomeKit ImageIO Intents IntentsUI LinkPresentation LocalAuthentication MapKit MediaPlayer MessageUI Metal MetalKit \
    MobileCoreServices MultipeerConnectivity NaturalLanguage Network NetworkExtension NotificationCenter OSLog ObjectiveC \
    PDFKit PassKit PencilKit Photos PhotosUI PushKit QuartzCore QuickLook RealityKit SafariServices SceneKit Security Social \
    Speech SpriteKit StoreKit SwiftUI SystemConfiguration TipKit UIKit UniformTypeIdentifiers UserNotifications VideoToolbox \
    Vision WatchConnectivity WatchKit WebKit WidgetKit os
    """.split(separator: " ").map(String.init))
}
