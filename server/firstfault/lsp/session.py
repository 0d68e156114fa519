"""What a session knows: the editor's folders and documents as paths, what was diagnosed, and what is shown of it."""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.uris import from_fs_path, to_fs_path

from firstfault import __version__
from firstfault.lsp import actions, diagnostics, edits
from firstfault.lsp.custom import CustomSignatures
from firstfault.lsp.linting import Linting
from firstfault.lsp.protocol import Protocol
from firstfault.lsp.runs import Mark, Runs


class FirstfaultServer(LanguageServer):
    """Holds what has been diagnosed, and knows the editor's folders and documents as paths."""

    protocol: Protocol

    def __init__(self) -> None:
        # pygls applies ranges by str.splitlines, which is wrong after a form feed: whole texts are never wrong
        super().__init__("firstfault", __version__, types.TextDocumentSyncKind.Full, protocol_cls=Protocol)
        self.runs = Runs()
        self.signatures = CustomSignatures()
        self.linting = Linting()
        # threads of their own: short work must find a free one while long logs are read
        self.readers = ThreadPoolExecutor(4, "reader")
        self.trusted = False
        self.commands: tuple[str, ...] = ()
        self._said: set[str] = set()
        self._texts: dict[Path, list[str]] = {}

    def folders(self) -> list[Path]:
        """Return the workspace's folders; none is fine."""
        uris = [folder.uri for folder in self.workspace.folders.values()] or [self.workspace.root_uri or ""]
        return [path for path in map(path_of, uris) if path]

    def trusted_folders(self) -> list[Path]:
        """Return the folders whose own signatures may be used."""
        return self.folders() if self.trusted else []

    def documents(self) -> dict[Path, str]:
        """Return the texts of the open files."""
        opened = [(path_of(document.uri), document.source) for document in self.workspace.text_documents.values()]
        return {path: source for path, source in opened if path}

    def uri_of(self, path: Path) -> str:
        """Return a file's address, as the editor writes it where the file is open."""
        for document in self.workspace.text_documents.values():
            if path_of(document.uri) == path:
                return str(document.uri)
        return from_fs_path(str(path)) or path.as_uri()

    def buffer(self, uri: str, path: Path) -> actions.Buffer:
        """Return a file's text as it is now, for edits."""
        document = self.workspace.get_text_document(uri)
        return actions.Buffer(uri, path, document.source, document.version)

    def publish(self, paths: Iterable[Path]) -> None:
        """Show the marks of files as they are now."""
        for path in sorted(paths):
            codec = self.workspace.position_codec
            found = diagnostics.of_file(self.runs.marks(path), self.uri_of, codec)
            told = {(mark.line, run.cause) for run, mark in self.runs.marks(path)}
            found += self.linting.diagnostics(path, codec, told)
            self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(self.uri_of(path), found))

    def recheck(self, paths: Iterable[Path]) -> None:
        """Find the marked lines of open files again, whose text may have changed unseen."""
        documents = self.documents()
        for path in paths:
            if path in documents:
                self._texts.pop(path, None)
                self.edited(path, documents[path])

    def edited(self, path: Path, source: str) -> None:
        """Let a file's marks follow their lines, and end with them."""
        if not self.runs.marks(path):
            return
        lines, before = edits.lines_of(source), self._texts.get(path)

        def moved(mark: Mark) -> int | None:
            text = mark.text or ""
            if before is None:
                return edits.again(mark.line, text, lines)
            return edits.followed(mark.line, text, before, lines)

        self._texts[path] = lines
        self.publish(self.runs.follow(path, moved))

    def complain(self, sentences: Iterable[str]) -> None:
        """Tell the user what they can mend, each thing once."""
        for sentence in sentences:
            if sentence not in self._said:
                self._said.add(sentence)
                self.window_show_message(types.ShowMessageParams(types.MessageType.Warning, sentence))


def path_of(uri: str) -> Path | None:
    """Return the path of a file's address; None for an unsaved text. A notebook's cells are told apart by name."""
    path = to_fs_path(uri)
    if path and uri.startswith("vscode-notebook-cell:"):
        return Path(f"{path}#{uri.partition('#')[2]}")
    return Path(path) if path else None
