// What Apple's module gives to who imports it.
@_exported public import Foundation
@_exported public import Observation

import CoreData

/// What a transformable attribute is kept by.
public typealias ValueTransformer = CoreData.ValueTransformer
/// What ``ModelContext/undoManager`` is.
public typealias UndoManager = CoreData.UndoManager
