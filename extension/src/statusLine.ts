// The one line about the latest failed command, in the status bar and, where the user wants it, in a notification.
import * as vscode from "vscode";
import type { Answer, Answers } from "./answers.js";
import * as settings from "./settings.js";

const WIDTH = 110; // characters of a status bar that others need as well

export class StatusLine implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem("firstfault.line", vscode.StatusBarAlignment.Left, 0);
  private readonly listener: vscode.Disposable;
  private shown: string | undefined;
  private offered: string | undefined;

  constructor(private readonly answers: Answers) {
    this.item.name = "Firstfault";
    this.listener = answers.onDidChange(() => {
      if (this.shown !== undefined && !this.answers.get(this.shown)) this.hide();
    });
  }

  /** Say what broke a run that the user did not ask about. */
  announce(answer: Answer): void {
    this.show(answer);
    if (settings.automaticDiagnosis() !== "notification") return;
    void vscode.window.showInformationMessage(answer.diagnosis.summary, "Open Diagnosis", "Dismiss").then((choice) => {
      if (choice === "Open Diagnosis") void vscode.commands.executeCommand("firstfault.openDiagnosis", { id: answer.id });
      if (choice === "Dismiss") void vscode.commands.executeCommand("firstfault.dismissAnswer", { id: answer.id });
    });
  }

  show(answer: Answer): void {
    this.shown = answer.id;
    this.offered = undefined;
    const { summary, verdict } = answer.diagnosis;
    const short = summary.length > WIDTH ? `${summary.slice(0, WIDTH - 1)}…` : summary;
    this.put(`$(${verdict === "failure" ? "error" : "question"}) ${escapeIcons(short)}`, summary, {
      command: "firstfault.openDiagnosis",
      title: "Open Diagnosis",
      arguments: [{ id: answer.id }],
    });
  }

  /** Offer to read a command's output that the editor did not pass on. */
  offerToRead(command: string): void {
    this.shown = undefined;
    this.offered = command;
    this.put("$(pulse) A training command failed: click to read its output", command, {
      command: "firstfault.diagnoseLastCommand",
      title: "Diagnose Last Terminal Command",
    });
  }

  /** Take an offer back: the command has succeeded since. */
  withdraw(command: string): void {
    if (this.offered === command) this.hide();
  }

  hide(): void {
    this.shown = this.offered = undefined;
    this.item.hide();
  }

  dispose(): void {
    this.listener.dispose();
    this.item.dispose();
  }

  private put(text: string, tooltip: string, command: vscode.Command): void {
    this.item.text = text;
    this.item.tooltip = `Firstfault: ${tooltip}`;
    this.item.accessibilityInformation = { label: `Firstfault: ${tooltip}` };
    this.item.command = command;
    this.item.backgroundColor = new vscode.ThemeColor("statusBarItem.warningBackground");
    this.item.show();
  }
}

/** Keep `$(name)` of a log from becoming an icon. */
function escapeIcons(text: string): string {
  return text.replaceAll("$(", "$\u200b(");
}
