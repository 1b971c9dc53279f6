// What Foundation has on Apple's systems and lacks here, found missing in public sources that use Core Data. A target
// that re-exports this module in one file has it in all.

// Parts of Foundation on Apple's systems, modules of their own here.
@_exported import Foundation
@_exported import FoundationNetworking
@_exported import FoundationXML
@_exported import NotificationSequences
