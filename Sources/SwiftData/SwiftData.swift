// What Apple's module gives to who imports it: Foundation and Observation, and of Foundation what it lacks here. Exported,
// and not named anew: a client that asks for the visibility of members by import has to see those of these types too.
@_exported public import Foundation
@_exported public import Observation
@_exported public import Undo

@_exported public import class CoreData.NSSecureUnarchiveFromDataTransformer
@_exported public import struct CoreData.NSValueTransformerName
@_exported public import class CoreData.ValueTransformer
