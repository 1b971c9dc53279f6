// Re-exports of Apple's module: Foundation and Observation, and the parts of Foundation that are
// missing on this platform. Re-exported rather than aliased, because a client that compiles with
// member import visibility must see the members of these types too.
@_exported public import Foundation
@_exported public import Observation
@_exported public import StringComparators
@_exported public import Undo

@_exported public import class CoreData.NSSecureUnarchiveFromDataTransformer
@_exported public import struct CoreData.NSValueTransformerName
@_exported public import class CoreData.ValueTransformer
