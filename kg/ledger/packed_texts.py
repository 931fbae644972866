"""Texts of an index, packed each by itself: records and what was concluded are two thirds of its file, and much alike."""

import sqlite3
import zlib
from typing import Final

_DICTIONARY: Final = (
    b',"baseline_level":"accelerator","baseline_printed":,"conditions":{"availability":"available","benchmark":'
    b',"model":","kind":"organisation","label":,"scenario":","stated_by_text":false,"benchmark":","conditions":'
    b'{"accelerators":,"role":"repeats","statistic":"mean","subject":,"computed":{"unit":,"code":","division":'
    b'{"status":"unstated","computed":,"document":","unit":","is_claim":false,"direction":"higher","id":,"end":'
    b',"kind":"accelerator","label":,"availability":{"status":"unstated","said_on":","availability":"available"'
    b',"benchmark":,"reaches":","end_states":[","label":","statement":","path":[","record":"claim","restates":['
    b'{"source":,"said_on_basis":"inferred","source":{"aliases":[","said_on_basis":"inferred","missing":[,"message":"'
    b',"category":"datacenter","division":,"kind":"qualitative","derivation":1,"explanations":[,"start":,"corrected":'
    b',"mentions":1,"origins":1,"record":"origins","derivations":[{"expression":"rests-on","inputs":{{"anchor":'
    b'{"column":,"severity":"info","verdict":"unopened","severity":"info","verdict":"consistent","record":"advice"'
    b',"value":,"value":,"kind":"specification","level":"accelerator","metric":"peak-compute","normaliser":"per-chip"'
    b',"severity":"info","rule_version":,"kind":"measurement","level":"accelerator","metric":"throughput","normaliser":"per-chip"'
    b',"kind":"measurement","level":"accelerator","metric":"throughput","normaliser":"total","kind":"measurement"'
    b',"level":"accelerator","metric":"accelerators-used","normaliser":"total","explanations":[,"record":"step"'
    b',"via":"derived-from","conditions":{,"record":"step","via":"restates","source":","id":","hop":1,"is_claim":true'
    b',"reaches":,"end_state":"unopened","fidelity":"unverified","hop":1,"is_claim":,"quantity":{"printed":,"subject":"'
    b'{"claim":","level":"accelerator"{"anchor":{"document":,"asserted_by":","subject_printed":","record":"entity"'
    b',"revision":,"record":"finding","reference":,"revision":"{"basis":"document","claims":[{"claim":,"record":"claim"'
    b',"revision":'
)
"""What such texts share, the commonest last, as counted in the shipped content. Who changes it raises the form of the index."""
_PACKED: Final = b"z"
"""Begins what is packed; a text begins with a brace."""
_RAW: Final = -15
"""The window of zlib, without a head and a checksum: SQLite and the revision of a record see to that."""
# Copied for each text: to take the dictionary in takes longer than to pack a text. Of a small window and little memory:
# the 270 kB of the usual ones go back to the system with each copy, which took five times as long as the packing itself.
_PACKER: Final = zlib.compressobj(1, zlib.DEFLATED, -13, 6, zdict=_DICTIONARY)


def packing(database: sqlite3.Connection) -> sqlite3.Connection:
    """The connection, whose statements can say `packed(?)` and `text(body)`.

    What does not unpack is sqlite3.DatabaseError, as damage of the file is.
    """
    database.create_function("packed", 1, packed)
    database.create_function("text", 1, unpacked)
    return database


def packed(text: bytes) -> bytes:
    """The packed form of a text.

    >>> text = b'{"id":"000/one","record":"claim"}'
    >>> len(packed(text)) < len(text), unpacked(packed(text)) == text
    (True, True)
    """
    packer = _PACKER.copy()
    return _PACKED + packer.compress(text) + packer.flush()


def unpacked(body: bytes) -> bytes:
    """The text, which an index of an older form holds as it is; raises ValueError or zlib.error for what was cut off or changed."""
    if not body.startswith(_PACKED):
        return body
    unpacker = zlib.decompressobj(_RAW, zdict=_DICTIONARY)
    text = unpacker.decompress(body[1:])
    if not unpacker.eof:
        raise ValueError("a text that was cut off")
    return text
