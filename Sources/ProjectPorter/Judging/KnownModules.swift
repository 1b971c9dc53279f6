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
    "CoreLocation",
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
    "UserNotifications", "VideoToolbox", "Vision", "WatchConnectivity", "WeatherKit", "XPC", "simd",
    "zlib",
  ]

  /// C modules, with the prefixes of their functions and types; an empty list if some names have no
  /// prefix of their own.
  private static let ofC: [String: [String]] = [
    "Accelerate": [], "CommonCrypto": ["CC", "kCC"],
    "Compression": ["COMPRESSION_", "compression_"], "IOKit": [], "JavaScriptCore": [],
    "MachO": [],
    "Network": ["IPAddress", "IPv4Address", "IPv6Address", "NW", "Network", "nw_"],
    "SQLite3": ["SQLITE_", "sqlite3"],
    "Security": [
      "Authorization", "CMS", "SSL", "Sec", "errAuthorization", "errSSL", "errSec",
      "kAuthorization",
      "kCMS", "kSSL", "kSec", "sec_", "tls_",
    ],
    "SystemConfiguration": ["SC", "kSC"], "XPC": ["XPC", "xpc_"], "simd": [], "zlib": [],
  ]

  /// Returns true if some of the words may belong to the C module; nil for any other module.
  static func isOfC(_ module: String, _ words: some Sequence<String>) -> Bool? {
    ofC[module].map { beginnings in
      beginnings.isEmpty
        || words.contains { word in
          word != module && beginnings.contains { begins(word, with: $0) }
        }
    }
  }

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
    let remedy = remedies[module] ?? "keep what needs it in a file of its own"
    return (.service, "imports \(module), a part of Apple's systems; \(remedy)")
  }
}
