"""Break disks, databases, descriptors, PostgreSQL and clocks; nothing acknowledged is lost."""

from attack.campaign import Context
from attack.campaigns.faults import clocks, foreign_databases, resources, storage, terminal
from attack.servers import has_postgresql
from attack.small_disk import can_mount

MINUTES = 30.0
NEED_ROOT = (
    terminal.disk_full_during_a_game,
    terminal.disk_read_only_during_a_game,
    terminal.resume_on_a_full_disk,
    terminal.resume_on_a_read_only_disk,
    terminal.table_on_a_full_disk,
    storage.full_disk_under_a_server,
    foreign_databases.start_on_a_read_only_disk,
    foreign_databases.start_on_a_full_disk,
)
NEED_POSTGRESQL = resources.postgresql_absent_at_the_start, resources.postgresql_gone_for_a_minute
OTHERS = (
    storage.file_size_limit_of_a_server,
    storage.locked_database,
    storage.deleted_database,
    storage.replaced_database,
    storage.truncated_database,
    foreign_databases.foreign_files,
    foreign_databases.foreign_tables,
    foreign_databases.truncated_before_the_start,
    foreign_databases.folder_in_place_of_a_file,
    foreign_databases.unreadable_rows,
    foreign_databases.unknown_events,
    foreign_databases.unreadable_record,
    resources.no_descriptors,
    clocks.an_hour_forward,
    clocks.an_hour_back,
    clocks.a_machine_that_sleeps,
)


def run(context: Context) -> None:
    """Cause every fault, in the full form several times."""
    faults = [*OTHERS]
    if can_mount():
        faults += NEED_ROOT
        context.note("Full and read-only disks: a small tmpfs, and RLIMIT_FSIZE.")
    else:
        context.note(
            "Full disks: RLIMIT_FSIZE alone. Read-only ones were not tried: that needs root."
        )
    if has_postgresql(context):
        faults += NEED_POSTGRESQL
    for number in context.times(3, 1):
        for fault in faults:
            with context.attempt(fault.__name__.replace("_", " "), number=number):
                fault(context)
