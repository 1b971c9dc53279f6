/// Names that Foundation has on Apple's systems alone, and where they are here.
enum FoundationNames {
  /// Types that CoreData declares, since Foundation's are not there or cannot be subclassed.
  static let ofCoreData = [
    "ValueTransformer", "NSSecureUnarchiveFromDataTransformer", "UndoManager",
    "NSComparisonPredicate", "NSCompoundPredicate",
  ]

  /// Names that FoundationSupport declares, each with what follows where it is meant.
  static let ofSupport: [String: String] = [
    "NSHashTable": "", "NSMapTable": "", "NSPointerArray": "", "NSPointerFunctions": "",
    "LocalizedStringResource": "", "LocalizedStringKey": "", "RelativeDateTimeFormatter": "",
    "CFAbsoluteTimeGetCurrent": "", "CFAbsoluteTime": "", "CFRunLoopGetCurrent": "",
    "CFRunLoopGetMain": "", "CFRunLoopRun": "", "OSStatus": "",
    "containerURL": "(forSecurityApplicationGroupIdentifier", "NSURL": ".fileURL",
    "NSFastEnumerationIterator": "", "NSFileCoordinator": "", "NSFilePresenter": "",
  ]
}
