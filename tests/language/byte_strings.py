b = b"abc"
print(b, b[0], b[1:], list(b), len(b), b.decode(), "é€😀".encode(), b.hex(), bytes([1, 2, 255]), b + b"d", b == b"abc", b"\x00\xff\n\\'", b'"', b"a" b"\x62", rb"\n")
print("é€😀".encode("utf-8").decode("utf-8"), bytes(3), bytes.fromhex("00ff"), isinstance(b, bytes), 97 in b, b"bc" in b, type(b), bytes("ä", "latin-1"), bool(b""), b * 2, sorted([b"b", b"a"]), {b"k": 1}[b"k"], hash(b"x") == hash(b"x"))
print(b"".join([b"a", b"b"]), b"a,b".split(b","), b" a ".strip(), b"abc".find(b"c"), b"abc".replace(b"a", b"z"), b"ABC".lower(), b"abc".startswith(b"ab"), b"aab".count(b"a"), tuple(b"ab"), max(b"az"), [f"{c:02x}" for c in b"hi"])
print(b"\xff\xfe a".decode("utf-8", errors="replace"), b"\xffa".decode("utf-8", errors="ignore"), b"a\xe9".decode("latin-1"), "aé".encode("ascii", "ignore"), "aé".encode("ascii", errors="replace"))
for f in (lambda: b"\xff".decode(), lambda: b"a\xc3".decode(), lambda: "é".encode("ascii"), lambda: b"a" + "a", lambda: bytes("a"), lambda: bytes([256]), lambda: b"a"[3]):
    try: f()
    except Exception as e: print(type(e).__name__, e)
a = bytearray(b"ab"); a.append(99); a[0] = 65; a += b"d"; print(a, len(a), bytes(a), a == b"Abcd")
ids = list("hé".encode("utf-8")); pairs = {}
for p in zip(ids, ids[1:]): pairs[p] = pairs.get(p, 0) + 1
vocab = {i: bytes([i]) for i in range(256)}; vocab[256] = vocab[195] + vocab[169]
print(ids, pairs, b"".join(vocab[i] for i in [104, 256]).decode("utf-8"), isinstance("s", (str, bytes)), isinstance(3, (bytes, bytearray)))
