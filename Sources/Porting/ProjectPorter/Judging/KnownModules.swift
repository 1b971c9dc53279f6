/// Modules that sources made for Xcode import, and their availability on Linux.
enum KnownModules {
  /// Modules of the Swift toolchain, and CoreData.
  private static let here: Set<String> = [
    "Swift", "Foundation", "FoundationEssentials", "FoundationInternationalization",
    "FoundationNetworking",
    "FoundationXML", "CoreData", "Dispatch", "Observation", "Synchronization", "RegexBuilder",
    "XCTest", "Testing",
    "Glibc", "_Concurrency", "Distributed", "_StringProcessing",
  ]

  /// A product that replaces one of Apple's modules.
  struct StandIn {
    /// The name of the product and of its module.
    let product: String
    /// The package of the product; nil means OpenCoreData.
    var package: RemotePackage?
    /// The trait of OpenCoreData that builds the product, if one is needed.
    var trait: String?
  }

  static let standIns: [String: StandIn] = [
    "Combine": StandIn(product: "CombineShim"), "os": StandIn(product: "OSShim"),
    "OSLog": StandIn(product: "OSLogShim"), "Security": StandIn(product: "SecurityShim"),
    "SwiftData": StandIn(product: "SwiftData", trait: "SwiftData"),
    "CoreLocation": StandIn(product: "CoreLocationShim"),
    "UserNotifications": StandIn(product: "UserNotificationsShim"),
    "CryptoKit": StandIn(
      product: "Crypto",
      package: RemotePackage(
        url: "https://github.com/apple/swift-crypto", requirement: "\"3.0.0\"..<\"5.0.0\"")),
  ]

  static func isHere(_ module: String) -> Bool { here.contains(module) || standIns[module] != nil }

  /// Modules of Apple's system services without a user interface.
  private static let services: Set<String> = [
    "Accelerate", "Accounts", "ActivityKit", "AdServices", "AdSupport", "AppIntents",
    "AppTrackingTransparency",
    "ARKit", "AssetsLibrary", "AudioToolbox", "AuthenticationServices", "AVFAudio", "AVFoundation",
    "BackgroundTasks", "CallKit", "CarPlay", "CFNetwork", "ClockKit", "CloudKit", "CommonCrypto",
    "Compression",
    "Contacts",
    "CoreAudio", "CoreBluetooth", "CoreHaptics", "CoreImage",
    "CoreMedia", "CoreML", "CoreMotion", "CoreNFC", "CoreServices", "CoreSpotlight",
    "CoreTelephony", "CoreText",
    "CoreTransferable", "CoreVideo", "CryptoTokenKit", "DeviceActivity",
    "DeviceCheck",
    "EventKit", "ExternalAccessory", "FamilyControls", "FileProvider", "FoundationModels",
    "GameController", "GameKit",
    "GroupActivities", "HealthKit", "HomeKit", "ImageIO", "Intents", "IOKit", "JavaScriptCore",
    "LinkPresentation", "LocalAuthentication", "MachO", "ManagedSettings", "MediaPlayer",
    "MessageUI", "Metal",
    "MetricKit", "MobileCoreServices", "MultipeerConnectivity", "NaturalLanguage", "Network",
    "NetworkExtension", "NotificationCenter", "PassKit", "Photos", "PushKit",
    "QuickLookThumbnailing",
    "SafariServices", "ScreenTime", "ServiceManagement", "ShazamKit", "Social",
    "SoundAnalysis", "Speech",
    "SQLite3", "StoreKit", "SystemConfiguration", "TelephonyUtilities",
    "UniformTypeIdentifiers",
    "VideoToolbox", "Vision", "WatchConnectivity", "WeatherKit", "XPC", "simd",
    "zlib",
  ]

  /// C modules, with the prefixes of their functions and types; an empty list if some names have no
  /// prefix of their own.
  private static let ofC: [String: [String]] = [
    "Accelerate": [], "CommonCrypto": ["CC", "kCC"],
    "Compression": ["COMPRESSION_", "compression_"], "IOKit": [], "JavaScriptCore": [],
    "MachO": [
      "HOST_", "KERN_", "MACH_", "NSGetExecutablePath", "TASK_", "THREAD_", "VM_", "_NSGet",
      "_dyld",
      "dyld", "host_", "integer_t", "kern_", "mach_", "natural_t", "nlist", "section_",
      "segment_command", "task_", "thread_", "vm_",
    ],
    "Network": ["IPAddress", "IPv4Address", "IPv6Address", "NW", "Network", "nw_"],
    "SQLite3": ["SQLITE_", "sqlite3"],
    "Security": [
      "Authorization", "CMS", "SSL", "Sec", "errAuthorization", "errSSL", "errSec",
      "kAuthorization",
      "kCMS", "kSSL", "kSec", "sec_", "tls_",
    ],
    "SystemConfiguration": ["SC", "kSC"], "XPC": ["XPC", "xpc_"], "simd": [], "zlib": [],
  ]

  /// The words that may belong to the C module; all of them where its names have no prefix, and nil
  /// for any other module.
  static func ofC(_ module: String, words: some Collection<String>) -> Set<String>? {
    ofC[module].map { beginnings in
      beginnings.isEmpty
        ? Set(words)
        : Set(
          words.filter { word in
            word != module && beginnings.contains { begins(word, with: $0) }
          })
    }
  }

  /// Returns true if the C module has names by which its uses cannot be told from others.
  static func hasAnyName(_ module: String) -> Bool { ofC[module]?.isEmpty ?? false }

  /// Matches `SecItemAdd` for the prefix `Sec`, but not `Section`.
  private static func begins(_ word: String, with beginning: String) -> Bool {
    word.hasPrefix(beginning)
      && !(beginning.last?.isLetter == true
        && word.dropFirst(beginning.count).first?.isLowercase == true)
  }

  /// Suggested replacements for some modules.
  private static let remedies = [
    "CommonCrypto": "CryptoKit is known on Linux: Crypto of swift-crypto has its names",
    "SQLite3": "the library is CSQLite of a package here",
  ]

  /// Modules with a user interface.
  private static let interface: Set<String> = [
    "UIKit", "AppKit", "SwiftUI", "WidgetKit", "WatchKit", "Cocoa", "Charts", "MapKit", "SpriteKit",
    "SceneKit",
    "RealityKit", "PhotosUI", "ContactsUI", "EventKitUI", "IntentsUI", "HealthKitUI",
    "PDFKit",
    "QuickLook", "QuickLookUI", "WebKit", "TipKit", "AVKit", "GameplayKit", "PencilKit",
    "PreviewsMacros", "Messages",
    "MetalKit", "DeveloperToolsSupport", "SwiftUICore", "UserNotificationsUI", "CoreAudioKit",
    "VisionKit",
    "PlaygroundSupport", "TVUIKit", "TVMLKit", "CloudKitUI", "WatchOS", "ExtensionKit",
    "MediaAccessibility",
  ]

  /// The reason why one of Apple's modules is missing here; nil for any other module.
  static func absence(of module: String) -> (reason: LeftOut.Reason, text: String)? {
    if interface.contains(module) {
      return (.interface, "imports \(module): it needs a user interface")
    }
    guard services.contains(module) || module.hasPrefix("_") else { return nil }
    return (.service, "imports \(module), a part of Apple's systems; \(remedy(for: module))")
  }

  /// The reason why a word of one of Apple's modules is missing here.
  static func absence(of word: String, in module: String) -> String {
    interface.contains(module)
      ? "uses \(word) of \(module): it needs a user interface"
      : "uses \(word) of \(module), a part of Apple's systems; \(remedy(for: module))"
  }

  private static func remedy(for module: String) -> String {
    remedies[module] ?? "keep what needs it in a file of its own"
  }

  /// Prefixes of the types of some modules; of other modules any unknown word may be a type.
  private static let prefixes: [String: [String]] = [
    "AVFoundation": ["AV", "CM"], "AuthenticationServices": ["AS"], "BackgroundTasks": ["BG"],
    "CallKit": ["CX"], "CloudKit": ["CK"], "Contacts": ["CN"], "CoreBluetooth": ["CB"],
    "CoreMotion": ["CM"], "CoreSpotlight": ["CS"], "EventKit": ["EK"],
    "GameKit": ["GK"], "HealthKit": ["HK"], "HomeKit": ["HM"], "Intents": ["IN"],
    "LocalAuthentication": ["LA"], "MapKit": ["MK"], "MediaPlayer": ["MP"],
    "MessageUI": ["MF"], "PassKit": ["PK"], "PDFKit": ["PDF"], "Photos": ["PH"],
    "SafariServices": ["SF"], "Speech": ["SF"], "UniformTypeIdentifiers": ["UT"],
    "Vision": ["VN"], "WatchConnectivity": ["WC"], "WebKit": ["WK"],
  ]

  /// Returns true if the word begins as the types of the module do.
  static func isTypical(_ word: String, of module: String) -> Bool {
    prefixes[module].map { beginnings in beginnings.contains { begins(word, with: $0) } } ?? false
  }

  /// Returns true if the word can be no type of the module: its types have other beginnings.
  static func isForeign(_ word: String, to module: String) -> Bool {
    prefixes[module].map { beginnings in !beginnings.contains { begins(word, with: $0) } } ?? false
  }
}
