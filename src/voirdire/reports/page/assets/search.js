// Finding what a reader types, and marking it. All words must occur; what stands in quotes must occur as a whole.

const SNIPPET = 50; // characters on either side of a hit

function patternsOf(query) {
  const words = query.match(/"[^"]+"|\S+/g) ?? [];
  const escaped = words.map((word) => word.replace(/^"(.+)"$/, "$1").replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"));
  return escaped.map((word) => new RegExp(word, "giu"));
}

function found(text, patterns) {
  return patterns.every((pattern) => text.search(pattern) >= 0);
}

/** Where the patterns occur: stretches in order that don't overlap, each [start, end). */
function hits(text, patterns) {
  const all = patterns.flatMap((pattern) => [...text.matchAll(pattern)].map((hit) => [hit.index, hit.index + hit[0].length]));
  all.sort((one, other) => one[0] - other[0]);
  const apart = [];
  for (const [start, end] of all) {
    const last = apart.at(-1);
    if (last && start <= last[1]) last[1] = Math.max(last[1], end);
    else apart.push([start, end]);
  }
  return apart;
}

/** Text nodes and <mark>s for the stretch of a text that begins at `from`; hits are counted in the whole text. */
function highlighted(stretch, found, from = 0) {
  const nodes = [];
  let done = 0;
  for (const [start, end] of found) {
    const [first, last] = [Math.max(start - from, done), Math.min(end - from, stretch.length)];
    if (first >= last) continue;
    if (first > done) nodes.push(document.createTextNode(stretch.slice(done, first)));
    nodes.push(make("mark", { class: "hit" }, stretch.slice(first, last)));
    done = last;
  }
  if (done < stretch.length) nodes.push(document.createTextNode(stretch.slice(done)));
  return nodes;
}

/** The surroundings of the first hit, or null. */
function snippet(text, patterns) {
  const [first] = patterns.flatMap((pattern) => hits(text, [pattern]).slice(0, 1));
  if (!first) return null;
  const [start, end] = [Math.max(0, first[0] - SNIPPET), Math.min(text.length, first[1] + SNIPPET)];
  const line = text.slice(start, end).replace(/\s+/g, " ");
  return texted("p", "snippet", `${start > 0 ? "… " : ""}${line}${end < text.length ? " …" : ""}`, patterns);
}
