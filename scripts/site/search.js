// Finds failures in INDEX by id, title, words, or the message that somebody pasted.
"use strict";

const MOST = 30;

/** Rate a failure against a query; 0: it has nothing to do with it. */
function rate(entry, query, words) {
  if (entry.id === query) return 1000;
  const title = entry.title.toLowerCase();
  let score = shows(entry, query) ? 100 : 0;
  for (const word of words) {
    if (entry.id.includes(word)) score += 8;
    if (title.includes(word)) score += 6;
    if (entry.words.includes(word)) score += 2;
  }
  const missing = words.filter((word) => !(entry.id + title + entry.words).includes(word)).length;
  return missing * 2 > words.length && score < 100 ? 0 : score - missing;
}

/** Tell whether one of a failure's patterns is in a pasted text. */
function shows(entry, text) {
  entry.compiled ??= entry.regexes.flatMap((regex) => {
    try {
      return [new RegExp(regex)];
    } catch {
      return []; // a construct that only Python knows
    }
  });
  return text.length > 12 && entry.compiled.some((regex) => regex.test(text));
}

function show(query) {
  const words = query.toLowerCase().split(/[^\p{L}\p{N}_'-]+/u).filter((word) => word.length > 1);
  const rated = INDEX.map((entry) => ({ entry, score: rate(entry, query, words) })).filter(({ score }) => score > 0);
  rated.sort((a, b) => b.score - a.score || a.entry.id.localeCompare(b.entry.id));
  const list = document.getElementById("found");
  list.replaceChildren(...rated.slice(0, MOST).map(({ entry }) => row(entry)));
  list.hidden = query === "";
  document.getElementById("all").hidden = query !== "";
}

function row({ id, title }) {
  const item = document.createElement("li");
  const link = document.createElement("a");
  const code = document.createElement("code");
  link.href = `${id}.html`;
  link.textContent = title;
  code.textContent = id;
  item.append(link, " ", code);
  return item;
}

const box = document.getElementById("query");
box.addEventListener("input", () => show(box.value.trim()));
show(box.value.trim());
