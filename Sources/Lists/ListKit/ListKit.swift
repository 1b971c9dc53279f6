// Re-exported: clients of lists write index paths of rows and diffable snapshots.
@_exported import ListSnapshots
