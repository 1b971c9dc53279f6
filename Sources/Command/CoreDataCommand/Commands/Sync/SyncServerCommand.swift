import ArgumentParser

struct SyncServerCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sync-server",
    abstract: "Serves sync: the stores of many devices hold the same objects through it.",
    discussion: """
      coredata sync-server --store sync.sqlite --keys keys.txt --listen 127.0.0.1:8090
      coredata sync-server --store 'postgresql://user@host/sync' --keys keys.txt
      coredata sync-server inspect --store sync.sqlite

      The store is the server's own: a file, made if it is not there, or a PostgreSQL database, which several servers may \
      share behind a balancer. A line of the keys names a key, whose it is, and zones:

      9c1f0a52e6d84b7795d1e2ab03f4c6d8 anna home=write shared=write,Account=read

      They are read anew when they have changed. TLS is left to a proxy.
      """,
    subcommands: [
      ServeCommand.self, InspectZonesCommand.self, RestoredCommand.self, CompactCommand.self,
      RevokeCommand.self,
    ],
    defaultSubcommand: ServeCommand.self)
}
