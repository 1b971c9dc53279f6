// Parts of Foundation on Apple's systems that are missing on this platform and that public sources
// with Core Data use. A target that re-exports this module in one file has it in all of its files.

// Parts of Foundation on Apple's systems that are separate modules here.
@_exported import Foundation
@_exported import FoundationNetworking
@_exported import FoundationXML
@_exported import NotificationSequences
@_exported import StringComparators
