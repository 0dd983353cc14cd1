// Answers to the same question side by side: a reader chooses the place, and each of the compared has a column.

/** @param list the ReadingList that they stand in @param compare across: the facet of the columns, same: what they share */
function startCompare(list, compare) {
  const box = list.root.querySelector(".compare");
  const [selects, turn] = [[...box.querySelectorAll("[data-same]")], box.querySelector("[data-turn]")];
  const readings = list.items.map((item) => item.reading);
  for (const select of selects) {
    const values = new Set(readings.map((reading) => reading.facets[select.dataset.same]));
    select.append(...[...values].map((value) => make("option", { value, dir: "auto" }, value)));
  }
  const longest = readings.reduce((one, other) => (other.exchanges.length > one.exchanges.length ? other : one));
  turn.append(...longest.exchanges.map(({ heading }, value) => make("option", { value: String(value), dir: "auto" }, heading)));

  const draw = () => {
    const there = readings.filter(({ facets }) => selects.every((select) => facets[select.dataset.same] === select.value));
    const columns = there.map((reading) => columnOf(reading, compare.across, Number(turn.value), list));
    box.querySelector(".columns").replaceChildren(...(columns.length ? columns : [nothing("Nothing was asked there.")]));
  };
  for (const select of [...selects, turn]) select.addEventListener("change", draw);
  box.addEventListener("toggle", draw);
  box.hidden = false;
}

function columnOf(reading, across, turn, list) {
  const exchange = reading.exchanges[turn];
  return make(
    "section",
    { class: "column" },
    texted("h3", "", reading.facets[across]),
    exchange ? exchangeOf(exchange, list) : nothing("Not asked."),
    make("p", { class: "link" }, make("a", { href: `#${anchorOf(reading)}` }, "All of it", unseen(`: ${reading.title}`))),
  );
}

function nothing(text) {
  return make("p", { class: "nothing" }, text);
}
