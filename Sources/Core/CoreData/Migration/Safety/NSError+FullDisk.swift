import Foundation

extension NSError {
  /// Whether it is Core Data's error for a full disk, which callers receive.
  var isFullDisk: Bool {
    domain == NSCocoaErrorDomain && code == CocoaError.Code.fileWriteOutOfSpace.rawValue
  }

  var saysThatDiskIsFull: Bool {
    switch domain {
    case NSCocoaErrorDomain where isFullDisk: true
    case NSPOSIXErrorDomain where [ENOSPC, EDQUOT].contains(Int32(code)): true
    default: (userInfo[NSUnderlyingErrorKey] as? NSError)?.saysThatDiskIsFull ?? false
    }
  }
}
