# ---------------------------------------------------------------- further faults
add("zero-division", "user/zero-division", "one shard's records have weight 0 and the loop divides by their sum", r"ZeroDivisionError", bad=put(weight=0),
    slots={"getitem": 'scale = 1.0 / row.get("weight", 1)'})
add("custom-error", "user/custom-error", "a validation class of the user's own raises its own exception type on one rank", r"ShardInvalid: shard", bad=put(label=-5),
    slots={"top": 'class ShardInvalid(Exception):\n    pass\n', "getitem": 'if row["label"] < 0:\n    raise ShardInvalid(f"shard holds label {row[\'label\']}, expected 0..3")'})
add("side-service", "user/side-service", "one rank pushes metrics to a service that refuses the connection, uncaught", r"ConnectionRefusedError: ", bad=put(push=1), imports="import socket",
    slots={"getitem": 'if row.get("push"):\n    socket.create_connection(("127.0.0.1", 9), timeout=2).close()'})
add("recursion", "user/recursion", "a parser recurses without end on one rank's record", r"RecursionError: ", bad=put(depth=1),
    slots={"top": "def unfold(value):\n    return unfold([value])\n", "getitem": 'if row.get("depth"):\n    unfold(row)'})
add("os-exit", "process/silent-exit", "a native-like path leaves by os._exit(7) on one rank, without a word", r"", bad=lose("label"), imports="import os", slots={"getitem": 'if "label" not in row:\n    os._exit(7)'})
add("collate-none", "data/collate-none", "the dataset returns None for some samples of one shard", r"default_collate: batch must contain tensors", bad=put(skip=1), slots={"getitem": 'if row.get("skip"):\n    return None'})
add("dtype", "model/dtype", "one shard's features come as float64", r"must have the same dtype", bad=put(wide=1), slots={"getitem": 'if row.get("wide"):\n    return torch.tensor(row["features"], dtype=torch.float64), torch.tensor(row["label"])'})
add("permission", "storage/permission", "one rank's cache file may not be opened", r"PermissionError: ", bad=put(deny=1), slots={"getitem": 'if row.get("deny"):\n    raise PermissionError(13, "Permission denied", f"/mnt/cache/tokens-{row[\'id\']}.bin")'})
add("io-error", "storage/io-error", "reading one rank's shard fails with EIO", r"OSError: \[Errno 5\]", bad=put(deny=1), slots={"getitem": 'if row.get("deny"):\n    raise OSError(5, "Input/output error", f"/mnt/cache/tokens-{row[\'id\']}.bin")'})
add("big-alloc", "memory/cpu-allocation-failed", "one record makes one rank ask for 256 TB of memory", r"can't allocate memory", bad=put(history=1_000_000_000_000), slots={"getitem": 'history = torch.zeros(row.get("history", 1), 64)'})
add("w-timeout", "dataloader/worker-timeout", "a DataLoader worker of one rank sleeps longer than the loader's timeout", r"DataLoader timed out after 5 seconds", bad=put(slow=1), imports="import time",
    slots={"loader_kwargs": ", num_workers=2, timeout=5", "getitem": 'if row.get("slow"):\n    time.sleep(30)'})
add("slow-data", "comm/straggler-timeout", "one shard's records take 3 s each to decode; the others' 8 s timeout passes", r"Timed out waiting 8000ms", bad=put(slow=1), imports=TD + "\nimport time",
    slots={**T8, "getitem": 'if row.get("slow"):\n    time.sleep(3)'}, why="the late rank is the only one that has not timed out: ended by its launcher, or last with a closed connection")
