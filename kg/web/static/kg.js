// Keys, jumps, cards that stay on the screen, copying. Every page can be read without this.
"use strict";
(() => {
  const typing = (target) => target.closest("input:not([type=checkbox]), textarea, select");
  const reading = document.querySelector(".reading");

  // --- figures of a text ----------------------------------------------------------------------
  const figures = reading ? [...reading.querySelectorAll("a.mark")] : [];
  const isShown = (one) => {
    const word = [...one.classList].find((name) => name.startsWith("m-")).slice(2);
    const box = document.getElementById(`show-${word}`);
    return !box || box.checked;
  };
  let at = -1;
  let worstAt = -1;
  const told = document.getElementById("place");
  const go = (one, among) => {
    if (!one) return;
    document.body.classList.remove("hush");
    at = figures.indexOf(one);
    told.textContent = `${among.indexOf(one) + 1} of ${among.length}`;
    for (const each of reading.querySelectorAll(".places a.at")) each.classList.remove("at");
    reading.querySelector(`.places a[href="#${one.id}"]`)?.classList.add("at");
    one.focus({ preventScroll: true });
    one.scrollIntoView({ block: "center" });
  };
  const step = (by) => {
    const focused = figures.indexOf(document.activeElement);
    if (focused >= 0) at = focused;
    else if (at < 0 && by < 0) at = figures.length;
    for (let next = at + by; next >= 0 && next < figures.length; next += by) if (isShown(figures[next])) return go(figures[next], figures.filter(isShown));
  };
  const worst = () => {
    const numbers = document.getElementById("document").dataset.worst.split(" ").filter(Boolean);
    const listed = numbers.map((number) => document.getElementById(`f${number}`)).filter((one) => one && isShown(one));
    if (!listed.length) return;
    worstAt = (worstAt + 1) % listed.length;
    go(listed[worstAt], listed);
  };
  const jumps = { worst, next: () => step(1), previous: () => step(-1) };
  for (const button of document.querySelectorAll("[data-jump]")) {
    button.hidden = false;
    button.addEventListener("click", () => jumps[button.dataset.jump]());
  }
  for (const one of document.querySelectorAll(".nojs")) one.hidden = true;

  const place = (mark) => {
    const tip = mark.nextElementSibling;
    if (!tip || !tip.classList.contains("tip")) return;
    tip.style.transform = "";
    const box = tip.getBoundingClientRect();
    const room = document.documentElement.clientWidth - 8;
    const left = box.right > room ? room - box.right : box.left < 8 ? 8 - box.left : 0;
    const high = box.bottom > window.innerHeight - 8 && mark.getBoundingClientRect().top > box.height + 60 ? mark.getBoundingClientRect().top - 8 - box.bottom : 0;
    if (left || high) tip.style.transform = `translate(${left}px, ${high}px)`;
  };
  for (const kind of ["mouseover", "focusin"]) {
    document.addEventListener(kind, (event) => {
      const mark = event.target.closest("a.mark");
      if (!mark) return;
      document.body.classList.remove("hush");
      place(mark);
    });
  }

  // Where nothing can be pointed with, the first touch shows the card and the second one follows the link.
  let touched = null;
  document.addEventListener("click", (event) => {
    const mark = event.target.closest("a.mark");
    if (!mark || !matchMedia("(hover: none)").matches || event.detail === 0) return;
    if (touched !== mark) event.preventDefault();
    touched = mark;
  });

  // --- copying --------------------------------------------------------------------------------
  const say = (link, text) => {
    const before = link.textContent;
    link.textContent = text;
    setTimeout(() => { link.textContent = before; }, 1500);
  };
  for (const link of document.querySelectorAll("[data-copy], [data-copy-address]")) {
    link.addEventListener("click", async (event) => {
      if (!navigator.clipboard || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      const text = link.dataset.copy ? await (await fetch(link.dataset.copy)).text() : link.href;
      await navigator.clipboard.writeText(text);
      say(link, "Copied");
    });
  }

  // --- pictures -------------------------------------------------------------------------------
  // PNG is made here out of the SVG: the server needs no renderer for it.
  const drawn = (image) => {
    const canvas = document.createElement("canvas"), pen = canvas.getContext("2d");
    const scale = Math.min(2, 16000 / Math.max(image.naturalWidth, image.naturalHeight));
    canvas.width = image.naturalWidth * scale;
    canvas.height = image.naturalHeight * scale;
    pen.fillStyle = getComputedStyle(document.documentElement).backgroundColor;
    pen.fillRect(0, 0, canvas.width, canvas.height);
    pen.drawImage(image, 0, 0, canvas.width, canvas.height);
    return canvas.toDataURL("image/png");
  };
  for (const link of document.querySelectorAll("[data-png]")) {
    link.parentElement.hidden = false;
    link.addEventListener("click", (event) => {
      event.preventDefault();
      const image = new Image();
      image.addEventListener("load", () => {
        const file = document.createElement("a");
        file.download = link.dataset.png;
        file.href = drawn(image);
        file.click();
        say(link, "Saved");
      });
      image.addEventListener("error", () => say(link, "No picture"));
      image.src = link.href;
    });
  }

  // --- a proposal -----------------------------------------------------------------------------
  const rows = [...document.querySelectorAll("[data-row]")];
  const reasons = document.querySelector("[data-letters]");
  const select = (by) => {
    const now = rows.findIndex((row) => row.classList.contains("selected"));
    rows[now].classList.remove("selected");
    const next = rows[(now + by + rows.length) % rows.length];
    next.classList.add("selected");
    next.scrollIntoView({ block: "nearest" });
  };
  const use = (one) => (one.matches("input") ? one.focus() : one.click());
  const decide = (key, isHeld) => {
    if (reasons && reasons.open && key !== "Escape") {
      const found = reasons.querySelectorAll("button")[key.length === 1 ? key.charCodeAt(0) - 97 : -1];
      reasons.open = false;
      if (found) found.click();
      return true;
    }
    const by = { ArrowUp: -1, ArrowDown: 1 }[key];
    if (by && rows.length) return select(by), true;
    const one = [...document.querySelectorAll("[data-key], .selected [data-row-key]")].find((each) => (each.dataset.key || each.dataset.rowKey) === key);
    // A key that is held down repeats on the next page too: it would accept one claim after another.
    if (one && !(isHeld && one.matches("button"))) use(one);
    return Boolean(one);
  };

  // --- keys -----------------------------------------------------------------------------------
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape") document.body.classList.add("hush");
    if (typing(event.target)) return;
    if (decide(event.key, event.repeat)) return event.preventDefault();
    const key = { "/": () => document.getElementById("q").focus(), ...(reading ? { n: jumps.next, j: jumps.next, p: jumps.previous, k: jumps.previous, w: jumps.worst } : {}) }[event.key];
    if (!key) return;
    event.preventDefault();
    key();
  });
})();
