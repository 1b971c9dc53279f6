// Index paths of rows and diffable snapshots are part of what a client of lists writes.
@_exported import ListSnapshots
