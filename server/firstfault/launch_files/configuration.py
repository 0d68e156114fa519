"""accelerate's YAML and DeepSpeed's JSON: one setting changed in its line."""

from __future__ import annotations

from firstfault.launch_files._nodes import documents, get, insert, items, json_document, scalar


def free_port(text: str) -> str:
    """Let accelerate choose a free port (0), on one machine."""
    found = documents(text)
    if len(found) != 1 or scalar(get(found[0], "num_machines")) not in {"", "1"}:
        return text
    port = get(found[0], "main_process_port")
    if port is None:
        last = list(items(found[0]))[-1][0].start_mark
        return insert(text, last.line, "main_process_port: 0") if last.column == 0 else text
    if scalar(port) == "0" or port.start_mark.line != port.end_mark.line:
        return text
    lines = text.splitlines(keepends=True)
    line = lines[port.start_mark.line]
    lines[port.start_mark.line] = line[: port.start_mark.column] + "0" + line[port.end_mark.column :]
    return "".join(lines)


def derived_batch_size(text: str) -> str:
    """Take `train_batch_size` out, where the numbers that it follows from are given, on a line of its own."""
    root = json_document(text)
    numbers = [scalar(get(root, key)) for key in ("train_micro_batch_size_per_gpu", "gradient_accumulation_steps")]
    entries = list(items(root))
    at = next((i for i, (key, _) in enumerate(entries) if key.value == "train_batch_size"), None)
    if at is None or not all(number.isdecimal() for number in numbers) or not scalar(entries[at][1]).isdecimal():
        return text
    key, value = entries[at]
    lines = text.splitlines(keepends=True)
    line = lines[key.start_mark.line]
    before, after = line[: key.start_mark.column].strip(), line[value.end_mark.column :].strip()
    if before or value.end_mark.line != key.start_mark.line or after != ",":
        return text
    return "".join(lines[: key.start_mark.line] + lines[key.start_mark.line + 1 :])
