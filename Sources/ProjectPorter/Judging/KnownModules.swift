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

  /// Products that stand in for a module of Apple's.
  static let standIns = ["Combine": "CombineShim", "os": "OSShim", "OSLog": "OSLogShim"]

  static func isHere(_ module: String) -> Bool { here.contains(module) || standIns[module] != nil }

  /// Modules of a part of Apple's systems that has no screen in it.
  private static let services: Set<String> = [
    "Accelerate", "Accounts", "ActivityKit", "AdServices", "AdSupport", "AppIntents",
    "AppTrackingTransparency",
    "ARKit", "AssetsLibrary", "AudioToolbox", "AuthenticationServices", "AVFAudio", "AVFoundation",
    "BackgroundTasks", "CallKit", "CarPlay", "CFNetwork", "ClockKit", "CloudKit", "Compression",
    "Contacts",
    "CoreAudio", "CoreBluetooth", "CoreFoundation", "CoreGraphics", "CoreHaptics", "CoreImage",
    "CoreLocation",
    "CoreMedia", "CoreML", "CoreMotion", "CoreNFC", "CoreServices", "CoreSpotlight",
    "CoreTelephony", "CoreText",
    "CoreTransferable", "CoreVideo", "CryptoKit", "CryptoTokenKit", "Darwin", "DeviceActivity",
    "DeviceCheck",
    "EventKit", "ExternalAccessory", "FamilyControls", "FileProvider", "FoundationModels",
    "GameController", "GameKit",
    "GroupActivities", "HealthKit", "HomeKit", "ImageIO", "Intents", "IOKit", "JavaScriptCore",
    "LinkPresentation", "LocalAuthentication", "MachO", "ManagedSettings", "MediaPlayer",
    "MessageUI", "Metal",
    "MetricKit", "MobileCoreServices", "MultipeerConnectivity", "NaturalLanguage", "Network",
    "NetworkExtension", "NotificationCenter", "ObjectiveC", "PassKit", "Photos", "PushKit",
    "QuickLookThumbnailing",
    "SafariServices", "ScreenTime", "Security", "ServiceManagement", "ShazamKit", "Social",
    "SoundAnalysis", "Speech",
    "SQLite3", "StoreKit", "SwiftData", "SystemConfiguration", "TelephonyUtilities",
    "UniformTypeIdentifiers",
    "UserNotifications", "VideoToolbox", "Vision", "WatchConnectivity", "WeatherKit", "XPC", "simd",
    "zlib",
  ]

  /// What may take the place of some of them.
  private static let remedies = [
    "CryptoKit":
      "Crypto of swift-crypto has the same names: import it where CryptoKit cannot be imported",
    "Darwin": "import it under #if canImport(Darwin)",
    "CoreFoundation": "import Foundation",
    "ObjectiveC": "import it under #if canImport(ObjectiveC)",
    "SwiftData": "it is not part of this port",
  ]

  /// Modules that draw.
  private static let interface: Set<String> = [
    "UIKit", "AppKit", "SwiftUI", "WidgetKit", "WatchKit", "Cocoa", "Charts", "MapKit", "SpriteKit",
    "SceneKit",
    "RealityKit", "QuartzCore", "PhotosUI", "ContactsUI", "EventKitUI", "IntentsUI", "HealthKitUI",
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
