/// Types that Foundation has on Apple's systems and lacks on Linux, each tried with Swift 6.3.
/// Types that the module CoreData supplies instead are not listed.
enum FoundationGaps {
  static func lacks(_ word: String) -> Bool {
    types.contains(word) || InterfaceWords.isInterface(word, of: "CoreFoundation")
  }

  /// C functions that Foundation re-exports on Apple's systems and Linux lacks.
  static let functions: Set<String> = [
    "fgetxattr", "flistxattr", "fremovexattr", "fsetxattr", "getxattr", "listxattr", "removexattr",
    "setxattr",
  ]

  private static let types: Set<String> = [
    "CGAffineTransform", "CGVector",
    "DateComponentsFormatter", "DistributedNotificationCenter",
    "MeasurementFormatter",
    "NSAppleScript", "NSAssertionHandler", "NSBackgroundActivityScheduler",
    "NSBundleResourceRequest",
    "NSDataDetector", "NSDiscardableContent", "NSExtensionContext",
    "NSFileProviderService", "NSFileVersion", "NSInvocation", "NSItemProvider",
    "NSLinguisticTagger",
    "NSMetadataItem", "NSMetadataQuery", "NSMethodSignature",
    "NSProxy",
    "NSPurgeableData", "NSUbiquitousKeyValueStore", "NSURLConnection", "NSUserActivity",
    "NSUserScriptTask",
    "NSXPCConnection", "NSXPCListener", "NetService",
    "SecKey",
    "URLFileProtection",
  ]
}
