"""The numbers from the literature, each with its source, and their reader.

A table is a CSV file in this folder with one value a row: what it belongs to, the quantity, the value with its unit,
the source (a key of references.bib), where in the source, the status and a note. Values are converted to SI on reading.

Status: sourced (read in the source), derived (computed from sourced numbers), recalled (a well-known value of the
source, not looked up in it again), mixed (sourced and estimated parts), estimated (chosen here, reason in the note),
unverified (from the literature, but we have not seen the page).
"""

from .file import parse_toml as parse_toml
from .file import read_text as read_text
from .file import read_toml as read_toml
from .file import refuse_deep as refuse_deep
from .file import refuse_schema as refuse_schema
from .table_reader import STATUS as STATUS
from .table_reader import TABLES as TABLES
from .table_reader import Row as Row
from .table_reader import movements as movements
from .table_reader import pulses as pulses
from .table_reader import read_table_text as read_table_text
from .table_reader import references as references
from .table_reader import surface as surface
from .table_reader import surfaces as surfaces
from .table_reader import table as table
from .table_reader import tree as tree
from .table_reader import values as values
