"""The compiler's own index of a debug build, read through the library that lies beside the compiler."""
import collections
import ctypes
import os
import shutil
import sys

# Roles of an occurrence, and of its relation to another symbol.
DEFINITION, REFERENCE, IMPLICIT, OVERRIDES = 1 << 1, 1 << 2, 1 << 8, 1 << 11
RECORD = 2  # the kind of a unit's dependency that holds its occurrences


class Text(ctypes.Structure):
    """A string of the library's, which holds until its owner goes."""

    _fields_ = [("data", ctypes.POINTER(ctypes.c_char)), ("length", ctypes.c_size_t)]

    def __str__(self):
        return ctypes.string_at(self.data, self.length).decode()


Visitor = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, ctypes.c_void_p)
NameVisitor = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, Text)


class Index:
    def __init__(self, path):
        # Beside the compiler that wrote the index.
        toolchain = os.path.dirname(os.path.dirname(os.path.realpath(shutil.which("swiftc"))))
        self.library = ctypes.CDLL(os.path.join(toolchain, "lib", "libIndexStore.so"))
        self.store = self.open("indexstore_store_create", path)

    def call(self, name, *arguments, returns=ctypes.c_void_p):
        function = self.library[name]
        function.restype = returns
        return function(*[ctypes.c_void_p(a) if isinstance(a, int) else a for a in arguments])

    def open(self, function, *arguments):
        error = ctypes.c_void_p()
        opened = self.call(function, *[a.encode() if isinstance(a, str) else a for a in arguments], ctypes.byref(error))
        if not opened:
            reason = self.call("indexstore_error_get_description", error, returns=ctypes.c_char_p)
            sys.exit(f"{arguments[0]}: expected an index of the compiler's, as a debug build leaves it: {reason.decode()}")
        return opened

    def text(self, function, object):
        return str(self.call(function, object, returns=Text))

    def units(self):
        """Names of what was compiled, a file each."""
        names = []
        visit = NameVisitor(lambda _, name: names.append(str(name)) or True)
        function = self.library["indexstore_store_units_apply_f"]
        function(ctypes.c_void_p(self.store), ctypes.c_uint(0), None, visit)
        return names

    def visited(self, function, object, look):
        """Calls `look` with each thing that the library's function hands out."""
        self.call(function, object, None, Visitor(lambda _, thing: look(thing) or True), returns=ctypes.c_bool)

    def records(self, folders):
        """The records of each of the folders' files, as its last compilation left them."""
        latest = {}
        for name in self.units():
            unit = self.open("indexstore_unit_reader_create", self.store, name)
            file = self.text("indexstore_unit_reader_get_main_file", unit)
            if os.path.exists(file) and any(file.startswith(folder + "/") for folder in folders):
                seconds, nanoseconds = ctypes.c_int64(), ctypes.c_int64()
                self.call("indexstore_unit_reader_get_modification_time", unit,
                          ctypes.byref(seconds), ctypes.byref(nanoseconds), returns=None)
                records = []

                def note(dependency):
                    if self.call("indexstore_unit_dependency_get_kind", dependency, returns=ctypes.c_int) == RECORD:
                        records.append(self.text("indexstore_unit_dependency_get_name", dependency))

                self.visited("indexstore_unit_reader_dependencies_apply_f", unit, note)
                when = (seconds.value, nanoseconds.value)
                latest[file] = max(latest.get(file, ((0, 0), [])), (when, records))
            self.call("indexstore_unit_reader_dispose", unit, returns=None)
        return {file: records for file, (_, records) in latest.items()}

    def occurrences(self, record):
        """Counts of (symbol, roles) in a record; a symbol that a member overrides or implements has OVERRIDES alone."""
        found = collections.Counter()
        reader = self.open("indexstore_record_reader_create", self.store, record)

        def look(occurrence):
            roles = self.call("indexstore_occurrence_get_roles", occurrence, returns=ctypes.c_uint64)
            symbol = self.call("indexstore_occurrence_get_symbol", occurrence)
            found[self.text("indexstore_symbol_get_usr", symbol), roles] += 1
            self.visited("indexstore_occurrence_relations_apply_f", occurrence, relate)

        def relate(relation):
            if self.call("indexstore_symbol_relation_get_roles", relation, returns=ctypes.c_uint64) & OVERRIDES:
                symbol = self.call("indexstore_symbol_relation_get_symbol", relation)
                found[self.text("indexstore_symbol_get_usr", symbol), OVERRIDES] += 1

        self.visited("indexstore_record_reader_occurrences_apply_f", reader, look)
        self.call("indexstore_record_reader_dispose", reader, returns=None)
        return found
