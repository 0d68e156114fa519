// What a command prints, kept while it runs: all of it, or its beginning and its end when it is very long.
const HEAD = 4 * 1024 * 1024; // characters
const TAIL = 28 * 1024 * 1024;

export class Output {
  private head = "";
  private tail: string[] = [];
  private tailLength = 0;
  private dropped = 0;

  add(chunk: string): void {
    const room = HEAD - this.head.length;
    this.head += chunk.slice(0, Math.max(0, room));
    const rest = room > 0 ? chunk.slice(room) : chunk;
    if (!rest) return;
    this.tail.push(rest);
    this.tailLength += rest.length;
    while (this.tailLength > TAIL && this.tail.length > 1) {
      const gone = this.tail.shift()?.length ?? 0;
      this.tailLength -= gone;
      this.dropped += gone;
    }
  }

  /** The text without the terminal's own marks around it; what was dropped is said where it was. */
  get text(): string {
    const gap = this.dropped > 0 ? `\n[firstfault: ${this.dropped} characters of this output were not kept]\n` : "";
    return (this.head + gap + this.tail.join("")).replace(/\u001b\]633;[^\u0007]*\u0007/g, "");
  }

  get empty(): boolean {
    return !this.text.trim();
  }
}
