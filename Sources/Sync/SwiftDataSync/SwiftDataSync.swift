// A client sees the engines' configuration and status without importing CoreDataSync.
@_exported import CoreDataSync
