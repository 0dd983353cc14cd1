// Tables that sort by a click on a column's name: up, down, and back to the order of the report.

const ORDERS = { none: "ascending", ascending: "descending", descending: "none" };

function startTables() {
  for (const table of document.querySelectorAll(".table table")) {
    const body = table.tBodies[0];
    const original = [...body.rows];
    const headers = [...table.tHead.rows[0].cells];
    headers.forEach((header, column) => {
      const button = make("button", { type: "button" }, ...header.childNodes);
      header.append(button);
      header.setAttribute("aria-sort", "none");
      button.addEventListener("click", () => {
        const order = ORDERS[header.getAttribute("aria-sort")];
        for (const each of headers) each.setAttribute("aria-sort", each === header ? order : "none");
        body.append(...sorted(original, column, order));
      });
    });
  }
}

function sorted(rows, column, order) {
  if (order === "none") return rows;
  const sign = order === "ascending" ? 1 : -1;
  const value = (row) => row.cells[column].dataset.value;
  return [...rows].sort((one, other) => compared(value(one), value(other), sign));
}

/** Numbers by size, texts by the alphabet, what is undefined last in either direction. */
function compared(one, other, sign) {
  if (one === "" || other === "") return (one === "") - (other === "");
  const [first, second] = [Number(one), Number(other)];
  if (!Number.isNaN(first) && !Number.isNaN(second)) return sign * (first - second);
  return sign * one.localeCompare(other, undefined, { numeric: true });
}
