/// The server's own tables and views, which sessions find before those in the search path.
enum SystemRelations {
  /// The names after `pg_`, of PostgreSQL 13 to 18.
  private static let endings = """
    aggregate aios am amop amproc attrdef attribute auth_members authid
    available_extension_versions available_extensions backend_memory_contexts cast class
    collation config constraint conversion cursors database db_role_setting default_acl depend
    description dsm_registry_allocations enum event_trigger extension file_settings
    foreign_data_wrapper foreign_server foreign_table group hba_file_rules ident_file_mappings
    index indexes inherits init_privs language largeobject largeobject_metadata locks matviews
    namespace opclass operator opfamily parameter_acl partitioned_table policies policy
    prepared_statements prepared_xacts proc publication publication_namespace publication_rel
    publication_tables range replication_origin replication_origin_status replication_slots
    rewrite roles rules seclabel seclabels sequence sequences settings shadow shdepend
    shdescription shmem_allocations shmem_allocations_numa shseclabel stat_activity
    stat_all_indexes stat_all_tables stat_archiver stat_bgwriter stat_checkpointer stat_database
    stat_database_conflicts stat_gssapi stat_io stat_progress_analyze stat_progress_basebackup
    stat_progress_cluster stat_progress_copy stat_progress_create_index stat_progress_vacuum
    stat_recovery_prefetch stat_replication stat_replication_slots stat_slru stat_ssl
    stat_subscription stat_subscription_stats stat_sys_indexes stat_sys_tables
    stat_user_functions stat_user_indexes stat_user_tables stat_wal stat_wal_receiver
    stat_xact_all_tables stat_xact_sys_tables stat_xact_user_functions stat_xact_user_tables
    statio_all_indexes statio_all_sequences statio_all_tables statio_sys_indexes
    statio_sys_sequences statio_sys_tables statio_user_indexes statio_user_sequences
    statio_user_tables statistic statistic_ext statistic_ext_data stats stats_ext
    stats_ext_exprs subscription subscription_rel tables tablespace timezone_abbrevs
    timezone_names toast transform trigger ts_config ts_config_map ts_dict ts_parser ts_template
    type user user_mapping user_mappings views wait_events
    """

  static let names = endings.split(whereSeparator: \.isWhitespace).map { "pg_\($0)" }
}
