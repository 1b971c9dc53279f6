/// What there is on Linux of the modules that sources made for Xcode import.
enum KnownModules {
  /// Modules of Swift's own, and of Core Data's.
  private static let here: Set<String> = [
    "Swift", "Foundation", "FoundationEssentials", "FoundationInternationalization",
    "FoundationNetworking",
    "FoundationXML", "CoreData", "Dispatch", "Observation", "Synchronization", "RegexBuilder",
    "XCTest", "Testing",
    "Glibc", "_Concurrency", "Distributed", "_StringProcessing",
  ]

  /// A product that stands in for a module of Apple's.
  struct StandIn {
    /// Its name, which is that of its module too.
    let product: String
    /// Where it is; OpenCoreData where nothing is said.
    var package: RemotePackage?
    /// A trait of OpenCoreData's that builds it.
    var trait: String?
  }

  static let standIns: [String: StandIn] = [
    "Combine": StandIn(product: "CombineShim"), "os": StandIn(product: "OSShim"),
    "OSLog": StandIn(product: "OSLogShim"),
    "SwiftData": StandIn(product: "SwiftData", trait: "SwiftData"),
    "CryptoKit": StandIn(
      product: "Crypto",
      package: RemotePackage(
        url: "https://github.com/apple/swift-crypto", requirement: "\"3.0.0\"..<\"5.0.0\"")),
  ]

  static func isHere(_ module: String) -> Bool { here.contains(module) || standIns[module] != nil }

  /// Modules of a part of Apple's systems that has no screen in it.
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
    "SafariServices", "ScreenTime", "Security", "ServiceManagement", "ShazamKit", "Social",
    "SoundAnalysis", "Speech",
    "SQLite3", "StoreKit", "SystemConfiguration", "TelephonyUtilities",
    "UniformTypeIdentifiers",
    "UserNotifications", "VideoToolbox", "Vision", "WatchConnectivity", "WeatherKit", "XPC", "simd",
    "zlib",
  ]

  /// Those of them whose functions and types have names of C's.
  static let ofC: Set<String> = [
    "Accelerate", "CommonCrypto", "Compression", "IOKit", "JavaScriptCore", "MachO", "Network",
    "SQLite3", "Security", "SystemConfiguration", "XPC", "simd", "zlib",
  ]

  /// What may take the place of some of them.
  private static let remedies = [
    "CommonCrypto": "CryptoKit is known on Linux: Crypto of swift-crypto has its names",
    "SQLite3": "the library is CSQLite of a package here",
  ]

  /// Modules that draw.
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

  /// Why a module of Apple's is not here; nil where it is none.
  static func absence(of module: String) -> (reason: LeftOut.Reason, text: String)? {
    if interface.contains(module) {
      return (.interface, "imports \(module): it needs a user interface")
    }
    guard services.contains(module) || module.hasPrefix("_") else { return nil }
    let remedy = remedies[module] ?? "keep what needs it in a file of its own"
    return (.service, "imports \(module), a part of Apple's systems; \(remedy)")
  }
}
