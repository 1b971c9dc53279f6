/// Types that Foundation brings along on Apple's systems and lacks here, each tried with Swift 6.3; Core Data's module has
/// some of its own, which are not among these.
enum FoundationGaps {
  static func lacks(_ word: String) -> Bool {
    types.contains(word) || InterfaceWords.isInterface(word, of: "CoreFoundation")
  }

  /// Functions that Apple's C library gives with Foundation.
  static let functions: Set<String> = [
    "fgetxattr", "flistxattr", "fremovexattr", "fsetxattr", "getxattr", "listxattr", "removexattr",
    "setxattr",
  ]

  private static let types: Set<String> = [
    "CGAffineTransform", "CGVector",
    "DateComponentsFormatter", "DistributedNotificationCenter", "ListFormatter",
    "MeasurementFormatter",
    "NSAppleScript", "NSAssertionHandler", "NSBackgroundActivityScheduler",
    "NSBundleResourceRequest",
    "NSDataDetector", "NSDiscardableContent", "NSExtensionContext", "NSFileCoordinator",
    "NSFilePresenter",
    "NSFileProviderService", "NSFileVersion", "NSHashTable", "NSInvocation", "NSItemProvider",
    "NSLinguisticTagger",
    "NSMapTable", "NSMetadataItem", "NSMetadataQuery", "NSMethodSignature", "NSPointerArray",
    "NSProxy",
    "NSPurgeableData", "NSUbiquitousKeyValueStore", "NSURLConnection", "NSUserActivity",
    "NSUserScriptTask",
    "NSXPCConnection", "NSXPCListener", "NetService", "OSStatus", "RelativeDateTimeFormatter",
    "SecKey",
    "URLFileProtection",
  ]
}
