// The script of the page: filters, search, opening all items, links to one item, all items open in print. The page works
// without it. It never writes markup, so text from a log cannot become markup.

export const PAGE_SCRIPT = `
"use strict";
(() => {
  const doc = document;
  doc.documentElement.classList.add("js");
  const items = [...doc.querySelectorAll("details.item")];
  const search = doc.getElementById("search");
  const shown = doc.getElementById("shown");
  const empty = doc.getElementById("empty");
  const buttons = [...doc.querySelectorAll("button[data-status]")];
  const texts = new Map(items.map((item) => [item, item.textContent.toLowerCase()]));
  let status = "";
  const apply = () => {
    const words = search.value.toLowerCase().split(/\\s+/).filter(Boolean);
    let count = 0;
    for (const item of items) {
      const text = texts.get(item);
      const fits = (status === "" || item.dataset.status === status) && words.every((word) => text.includes(word));
      item.hidden = !fits;
      if (fits) count += 1;
    }
    shown.textContent = count === items.length ? "all " + count + " shown" : count + " of " + items.length + " shown";
    empty.hidden = count > 0;
  };
  for (const button of buttons) {
    button.addEventListener("click", () => {
      status = button.dataset.status === status ? "" : button.dataset.status;
      for (const other of buttons) other.setAttribute("aria-pressed", String(other.dataset.status === status));
      apply();
    });
  }
  search.addEventListener("input", apply);
  const openAll = (open) => { for (const item of items) if (!item.hidden) item.open = open; };
  doc.getElementById("open").addEventListener("click", () => openAll(true));
  doc.getElementById("close").addEventListener("click", () => openAll(false));
  doc.addEventListener("keydown", (event) => {
    if (event.key === "/" && doc.activeElement !== search && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      search.focus();
      search.select();
    } else if (event.key === "Escape" && doc.activeElement === search) {
      search.value = "";
      apply();
    } else if ((event.key === "ArrowDown" || event.key === "ArrowUp") && doc.activeElement.matches("details.item > summary")) {
      const rows = items.filter((item) => !item.hidden).map((item) => item.querySelector("summary"));
      const next = rows[rows.indexOf(doc.activeElement) + (event.key === "ArrowDown" ? 1 : -1)];
      if (next) { event.preventDefault(); next.focus(); }
    }
  });
  // A box can be focused with the keyboard only if its lines are long enough to scroll.
  const updateTabStops = (item) => {
    for (const box of item.querySelectorAll(".context")) {
      if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
      else box.removeAttribute("tabindex");
    }
  };
  for (const item of items) item.addEventListener("toggle", () => { if (item.open) updateTabStops(item); });
  addEventListener("resize", () => { for (const item of items) if (item.open) updateTabStops(item); });
  const openLinkedItem = () => {
    const id = location.hash.slice(1);
    const item = items.find((candidate) => candidate.id === id);
    if (!item) return;
    item.hidden = false;
    item.open = true;
    item.scrollIntoView();
    item.querySelector("summary").focus();
  };
  addEventListener("hashchange", openLinkedItem);
  let wereClosed = [];
  addEventListener("beforeprint", () => {
    wereClosed = items.filter((item) => !item.open);
    for (const item of wereClosed) item.open = true;
  });
  addEventListener("afterprint", () => { for (const item of wereClosed) item.open = false; });
  apply();
  openLinkedItem();
})();
`;
