"""What the arena and a container's zygote tell each other: whole packets over one socket."""

import struct
from typing import Final

MAX_ORDER: Final = 1 << 17  # bytes of the first, which says what to do
GO: Final = b"!"  # to a worker: the arena has looked, and likes what it saw

# What the arena asks for: a worker with this number, or how that one ended.
REQUEST: Final = struct.Struct("<BI")
SPAWN: Final = 1
STATUS: Final = 2
# What it is told: the kind, a worker's number, its status, and kilobytes that it and any took.
REPORT: Final = struct.Struct("<BIiQQ")
PREPARED: Final = 1
LOCKED: Final = 2  # by the worker itself: the kernel adds which process says so
ENDED: Final = 3
FAILED: Final = 4  # and why, in place of the rest
COUNTED: Final = 5  # with a descriptor: where the kernel asks about calls that are counted
