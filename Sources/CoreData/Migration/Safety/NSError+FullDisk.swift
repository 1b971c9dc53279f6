import Foundation

extension NSError {
  /// Whether it is the error that a caller gets.
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
