// The page of a picture. All words from the data are set as text, never as markup. Nothing is asked of any host.
"use strict";
(function () {
  const data = JSON.parse(document.getElementById("kg-data").textContent);
  const byId = (name) => document.getElementById(name);
  const canvas = byId("canvas"), tip = byId("tip"), details = byId("details"), told = byId("told"), results = byId("results");
  const nodeOf = new Map(data.nodes.map((one) => [one.id, one]));
  const linesOf = new Map(data.nodes.map((one) => [one.id, []]));
  for (const line of data.edges) {
    linesOf.get(line.from).push(line);
    if (line.to !== line.from) linesOf.get(line.to).push(line);
  }
  const members = new Map();
  for (const one of data.nodes) {
    const bundle = info(one.id).bundle;
    if (bundle) members.set(bundle, (members.get(bundle) || []).concat([one.id]));
  }
  const calm = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  const first = new Set(data.first || []), narrow = window.matchMedia("(max-width: 700px)");
  const state = { chosen: null, found: null, open: null, off: new Set(), dark: isDark(), first: first.size > 0 };
  const home = new Map(data.nodes.map((one) => [one.id, { x: one.x, y: one.y }]));
  const labelsOnLines = data.edges.length <= 160 || data.layout === "blocks";
  const faintAtRest = data.edges.length <= 120 || data.layout === "blocks";

  function info(id) { return data.info[id] || {}; }
  function make(tag, words, className) {
    const made = document.createElement(tag);
    if (words !== undefined) made.textContent = words;
    if (className) made.className = className;
    return made;
  }
  function isDark() {
    const forced = document.documentElement.dataset.theme;
    return forced ? forced === "dark" : window.matchMedia("(prefers-color-scheme: dark)").matches;
  }

  // --- looks ---------------------------------------------------------------------------------------------------------

  const VERDICTS = {
    light: { confirmed: "#1a7f4b", unverified: "#5f6b76", caution: "#8a6d00", disputed: "#b65400", wrong: "#b3121d" },
    dark: { confirmed: "#5fd39a", unverified: "#a3adb8", caution: "#e6c84b", disputed: "#ff9f4a", wrong: "#ff7a7a" },
  };
  function ink() { return state.dark ? { page: "#12161d", text: "#e8ecf2", soft: "#9aa6b8", line: "#5d6a7e", accent: "#7ab8ff" } : { page: "#ffffff", text: "#161b22", soft: "#5b6472", line: "#9aa4b2", accent: "#0b5cad" }; }

  const looks = new Map();

  function lit() {
    // The nodes that stay bright while one is chosen, words are searched or a bundle is open; null: all of them.
    // In a large picture the lines of the chosen node are enough: to dim thousands of nodes takes a second.
    if (state.chosen && visible.size > 700) return state.open ? new Set([state.open, state.chosen, ...members.get(state.open)]) : null;
    if (state.chosen) {
      const near = new Set([state.chosen]);
      for (const line of linesOf.get(state.chosen) || []) { near.add(line.from); near.add(line.to); }
      if (state.open) for (const one of members.get(state.open)) near.add(one);
      return near;
    }
    if (state.open) return new Set([state.open, ...members.get(state.open)]);
    return state.found;
  }

  function drawnNode(one, bright) {
    const kind = data.kinds[one.group], mine = info(one.id), mode = state.dark ? "dark" : "light", own = ink();
    const dim = bright !== null && !bright.has(one.id), chosen = one.id === state.chosen;
    const [fill, line] = kind[mode];
    let border = line, width = 1.5, dashes = false;
    if (one.group === "claim" && mine.verdict) {
      border = VERDICTS[mode][mine.verdict];
      width = mine.verdict === "wrong" ? 3 : 2;
      dashes = mine.verdict === "caution" ? [5, 3] : mine.verdict === "disputed" ? [2, 2] : false;
    }
    if (one.group === "unopened") dashes = [4, 3];
    if (one.group === "bundle" && one.id === state.open) width = 4;
    if (chosen) { width += 2; border = own.accent; }
    const made = {
      id: one.id, x: one.x, y: one.y, label: one.label, shape: one.shape, size: one.size, borderWidth: width, borderWidthSelected: width,
      color: { background: fill, border: border }, opacity: dim ? 0.13 : 1,
      font: { size: one.letters, color: dim ? "rgba(128,128,128,0.25)" : own.text, face: "system-ui, Segoe UI, Noto Sans, DejaVu Sans, sans-serif", multi: false, strokeWidth: dim ? 0 : 3, strokeColor: own.page },
      shapeProperties: { borderDashes: dashes },
    };
    if (["claim", "measure", "bundle"].includes(one.group)) made.font.strokeWidth = 0;
    if (one.shape === "box") { made.margin = { top: 7, bottom: 7, left: 10, right: 10 }; made.shapeProperties.borderRadius = 5; }
    if (one.shape === "pentagon" || one.shape === "document") {
      looks.set(one.id, made);
      made.shape = "custom";
      if (one.shape === "document") made.size = one.room[0] / 2; // until it is drawn the library takes this for its box
      made.ctxRenderer = ownShape(one.shape, one.id, one.size);
    }
    return made;
  }

  function ownShape(shape, id, half) {
    // The library keeps the first renderer of a node; what it looks like now is read when it is drawn.
    return function ({ ctx, x, y }) {
      const look = looks.get(id), lines = look.label.split("\n"), size = look.font.size, step = size + 3;
      ctx.font = size + "px " + look.font.face;
      const wide = Math.max(...lines.map((one) => ctx.measureText(one).width)), inside = shape === "document";
      const w = inside ? Math.max(wide + 26, 34) : 2 * half, h = inside ? lines.length * step + 16 : 2 * half - 2;
      function words(top) {
        if (size * network.getScale() < 5) return;
        ctx.textAlign = "center"; ctx.textBaseline = "middle"; ctx.fillStyle = look.font.color;
        lines.forEach((one, n) => {
          if (look.font.strokeWidth && !inside) { ctx.lineWidth = 3; ctx.strokeStyle = look.font.strokeColor; ctx.lineJoin = "round"; ctx.strokeText(one, x, top + (n + 0.5) * step); }
          ctx.fillText(one, x, top + (n + 0.5) * step);
        });
      }
      return {
        drawNode() {
          ctx.save();
          ctx.globalAlpha = look.opacity; ctx.fillStyle = look.color.background; ctx.strokeStyle = look.color.border; ctx.lineWidth = look.borderWidth;
          if (look.shapeProperties.borderDashes) ctx.setLineDash(look.shapeProperties.borderDashes);
          ctx.beginPath();
          if (inside) {
            const fold = 10, l = x - w / 2, r = x + w / 2, t = y - h / 2, b = y + h / 2;
            ctx.moveTo(l, t); ctx.lineTo(r - fold, t); ctx.lineTo(r, t + fold); ctx.lineTo(r, b); ctx.lineTo(l, b); ctx.closePath(); ctx.fill(); ctx.stroke();
            ctx.beginPath(); ctx.moveTo(r - fold, t); ctx.lineTo(r - fold, t + fold); ctx.lineTo(r, t + fold); ctx.stroke();
          } else {
            for (let n = 0; n < 5; n++) ctx.lineTo(x + half * Math.sin(n * 2 * Math.PI / 5), y - half * Math.cos(n * 2 * Math.PI / 5));
            ctx.closePath(); ctx.fill(); ctx.stroke();
          }
          ctx.restore();
          if (inside) { ctx.save(); words(y - h / 2 + 8); ctx.restore(); }
        },
        drawExternalLabel() { if (!inside) { ctx.save(); words(y + half + 2); ctx.restore(); } },
        nodeDimensions: { width: w, height: h },
      };
    };
  }

  function drawnLine(line, bright) {
    const own = ink(), mine = bright === null || (bright.has(line.from) && bright.has(line.to));
    const touched = state.chosen !== null && (line.from === state.chosen || line.to === state.chosen);
    const inChoice = bright !== null && mine && !state.chosen;
    // Equal words at one end are told once; the line that is touched always says what it is.
    const words = line.label && (touched || (!line.again && (inChoice || ((labelsOnLines || state.first) && bright === null))));
    const color = touched ? own.accent : own.line;
    return {
      id: line.id, from: line.from, to: line.to, label: words ? line.label : " ", width: touched ? 2 : 1,
      color: { color: color, highlight: color, hover: color, opacity: !mine || (bright !== null && state.chosen && !touched) ? 0.06 : line.faint && !touched ? 0.28 : data.many && !touched ? 0.4 : 0.85 },
      font: { size: 14, color: own.soft, strokeWidth: 4, strokeColor: own.page, face: "system-ui, Segoe UI, Noto Sans, DejaVu Sans, sans-serif", multi: false, align: "horizontal" },
      arrows: line.label ? undefined : { to: { enabled: false } }, dashes: Boolean(line.faint), hidden: Boolean(line.faint) && !faintAtRest && !touched,
    };
  }

  // --- what is shown -------------------------------------------------------------------------------------------------

  const filter = { source: byId("source"), finding: byId("finding"), verdict: byId("verdict"), from: byId("from"), to: byId("to") };
  function value(name) { return filter[name] ? filter[name].value : ""; }
  function isFiltered() { return Boolean(value("source") || value("finding") || value("verdict") || value("from") || value("to")); }

  function claimFits(mine) {
    if (value("source") && mine.source !== value("source")) return false;
    if (value("verdict") && mine.verdict !== value("verdict")) return false;
    const wanted = value("finding"), found = mine.findings || [];
    if (wanted === "none" && found.some((one) => one[0] !== "info")) return false;
    if (wanted.startsWith("s:") && !found.some((one) => one[0] === wanted.slice(2))) return false;
    if (wanted.startsWith("c:") && !found.some((one) => one[1] === wanted.slice(2))) return false;
    const from = value("from"), to = value("to"), date = mine.date || "";
    if ((from || to) && !date) return false;
    if (from && date < from.slice(0, date.length)) return false;
    if (to && date > to.slice(0, date.length)) return false;
    return true;
  }

  function fitting() {
    // Ids of all nodes that the filters let through, those inside closed bundles too.
    const fits = new Set(), filtered = isFiltered();
    for (const one of data.nodes) {
      if (one.group === "claim" && !state.off.has("claim") && claimFits(info(one.id))) fits.add(one.id);
    }
    for (const one of data.nodes) {
      if (one.group === "claim" || state.off.has(one.group)) continue;
      if (one.group === "bundle") { if (members.get(one.id).some((each) => fits.has(each))) fits.add(one.id); continue; }
      if (!filtered || data.focus.includes(one.id)) { fits.add(one.id); continue; }
      const claims = linesOf.get(one.id).map((line) => (line.from === one.id ? line.to : line.from)).filter((each) => nodeOf.get(each).group === "claim");
      if (claims.some((each) => fits.has(each))) fits.add(one.id);
    }
    return fits;
  }

  const nodes = new vis.DataSet([]), lines = new vis.DataSet([]);
  let network = null, visible = new Set(), fits = new Set();

  // What each node and line was last drawn as: only what changed is given to the library again.
  const nodeKeys = new Map(), lineKeys = new Map();
  function changedNodes(shown, bright) {
    const changed = [];
    for (const one of shown) {
      const key = [bright !== null && !bright.has(one.id), one.id === state.chosen, one.id === state.open, state.dark, one.x, one.y].join();
      if (nodeKeys.get(one.id) !== key) { nodeKeys.set(one.id, key); changed.push(drawnNode(one, bright)); }
    }
    return changed;
  }
  function changedLines(shown, bright) {
    const changed = [];
    for (const line of shown) {
      const touched = state.chosen !== null && (line.from === state.chosen || line.to === state.chosen);
      const key = [touched, bright === null, bright !== null && bright.has(line.from) && bright.has(line.to), bright !== null && state.chosen !== null, state.dark].join();
      if (lineKeys.get(line.id) !== key) { lineKeys.set(line.id, key); changed.push(drawnLine(line, bright)); }
    }
    return changed;
  }

  function sync() {
    fits = fitting();
    const wanted = new Set();
    for (const id of fits) {
      if (state.first) { if (first.has(id)) wanted.add(id); continue; }
      const bundle = info(id).bundle;
      if (!bundle || bundle === state.open || (isFiltered() && !members.has(id) && members.get(bundle).filter((one) => fits.has(one)).length <= 12)) wanted.add(id);
    }
    const gone = [...visible].filter((id) => !wanted.has(id));
    for (const id of gone) nodeKeys.delete(id);
    nodes.remove(gone);
    visible = wanted;
    arrange();
    const bright = lit();
    nodes.update(changedNodes(data.nodes.filter((one) => wanted.has(one.id)), bright));
    const shown = data.edges.filter((line) => wanted.has(line.from) && wanted.has(line.to));
    const kept = new Set(shown.map((line) => line.id));
    const dropped = lines.getIds().filter((id) => !kept.has(id));
    for (const id of dropped) lineKeys.delete(id);
    lines.remove(dropped);
    lines.update(changedLines(shown, bright));
    rows();
    tell();
  }

  // --- laying out again ------------------------------------------------------------------------------------------------

  const GAP = 22;
  function arrange() {
    // What is left after a filter is laid out again; all of it goes back to where it was.
    const again = state.first || isFiltered() || state.off.size > 0;
    const shown = data.nodes.filter((one) => visible.has(one.id));
    if (!again) { for (const one of shown) Object.assign(one, home.get(one.id)); return; }
    if (data.layout === "layers") columns(shown); else blocks(shown);
  }
  function middle(one, left, top) {
    const inside = ["claim", "measure", "bundle", "source", "unopened", "calculation"].includes(one.group) && one.shape !== "hexagon";
    one.x = Math.round(left + one.room[0] / 2);
    one.y = Math.round(inside ? top + one.room[1] / 2 : top + one.size + 4);
  }
  function columns(shown) {
    // The columns stay; in each the nodes close up in their order.
    const by = new Map();
    for (const one of shown) { const at = home.get(one.id).x; by.set(at, (by.get(at) || []).concat([one])); }
    for (const own of by.values()) {
      own.sort((a, b) => home.get(a.id).y - home.get(b.id).y);
      let top = -own.reduce((sum, one) => sum + one.room[1] + GAP, 0) / 2;
      for (const one of own) { middle(one, home.get(one.id).x - one.room[0] / 2, top); top += one.room[1] + GAP; }
    }
  }
  function blocks(shown) {
    // Each thing with its claims below it; the blocks fill as many columns as stand side by side in letters of full size.
    const groups = new Map(), there = new Set(shown.map((one) => one.id));
    for (const one of shown) if (one.group !== "claim") groups.set(one.id, [one]);
    for (const one of shown) {
      if (one.group !== "claim") continue;
      const near = () => (linesOf.get(one.id) || []).map((line) => (line.from === one.id ? line.to : line.from)).find((id) => there.has(id) && groups.has(id));
      const hub = info(one.id).hub, at = there.has(hub) && groups.has(hub) ? hub : near() || one.id;
      groups.set(at, (groups.get(at) || []).concat([one]));
    }
    const parts = [...groups.values()].sort((a, b) => b.length - a.length);
    const wide = Math.max(...shown.map((one) => one.room[0])) + 2 * GAP;
    const tall = (part) => part.reduce((sum, one) => sum + one.room[1] + GAP, GAP);
    const room = Math.max(1, Math.floor((canvas.clientWidth - 20) / wide));
    const across = Math.min(parts.length, room);
    const bottoms = new Array(across).fill(0);
    for (const part of parts) {
      const at = bottoms.indexOf(Math.min(...bottoms));
      let top = bottoms[at];
      for (const one of part) { middle(one, at * wide + (wide - one.room[0]) / 2, top); top += one.room[1] + GAP; }
      bottoms[at] += tall(part);
    }
  }

  function paint() {
    const bright = lit();
    nodes.update(changedNodes(data.nodes.filter((one) => visible.has(one.id)), bright));
    lines.update(changedLines(data.edges.filter((line) => visible.has(line.from) && visible.has(line.to)), bright));
  }

  const allRows = [...document.querySelectorAll("#tables tr[data-id]")];
  function rows() {
    for (const row of allRows) {
      const id = row.dataset.id;
      const hide = !fits.has(id) || (state.found !== null && !state.found.has(id));
      if (row.hidden !== hide) row.hidden = hide;
      row.classList.toggle("chosen", id === state.chosen);
    }
    shorten();
  }

  const MOST_ROWS = 40, lengthened = new Set();
  function shorten() {
    // A long table ends after forty rows until more are asked for: nobody scrolls through a thousand cards.
    for (const table of document.querySelectorAll("#tables table")) {
      const open = [...table.tBodies[0].rows].filter((row) => !row.hidden), more = table.parentElement.querySelector(".more");
      const long = open.length > MOST_ROWS && !lengthened.has(table);
      open.forEach((row, n) => row.classList.toggle("beyond", long && n >= MOST_ROWS && row.dataset.id !== state.chosen));
      more.hidden = !long;
      more.textContent = "Show all " + open.length.toLocaleString("en") + " rows";
    }
  }
  for (const table of document.querySelectorAll("#tables table")) {
    const more = make("button", "", "more");
    more.type = "button";
    more.addEventListener("click", () => { lengthened.add(table); shorten(); });
    table.after(more);
  }

  function tell() {
    const claims = data.nodes.filter((one) => one.group === "claim").length;
    const left = [...fits].filter((id) => nodeOf.get(id).group === "claim").length;
    const number = (one) => one.toLocaleString("en");
    const words = canvas.clientWidth ? [number(visible.size) + " of " + number(data.nodes.length) + " nodes drawn"] : [];
    if (claims) words.push(number(left) + " of " + number(claims) + " claims fit the filters");
    if (state.found) words.push(number(state.found.size) + " match the search");
    if (value("from") || value("to")) words.push("claims without a date are hidden");
    byId("shown").textContent = words.join("; ") + ".";
  }

  // --- cards ---------------------------------------------------------------------------------------------------------

  function factList(facts) {
    const list = make("dl");
    for (const [name, words] of facts) {
      list.append(make("dt", name), make("dd", words, name === "verdict" ? "v-" + words.split(/[:\s]/)[0] : undefined));
    }
    return list;
  }

  function brief(facts) {
    // The conditions last and cut: they can be long, and the panel has them whole.
    const short = (words) => (words.length > 200 ? words.slice(0, 198) + " …" : words);
    return [...facts.filter((one) => one[0] !== "conditions"), ...facts.filter((one) => one[0] === "conditions").map((one) => [one[0], one[1].split("; ").filter((part) => !part.endsWith("=unstated")).join("; ")])].map((one) => [one[0], short(one[1])]);
  }

  function showTip(id, at) {
    const mine = info(id);
    tip.replaceChildren(make("b", mine.label + " · " + data.kinds[nodeOf.get(id).group].name), factList(brief(mine.facts || [])));
    tip.hidden = false;
    const stage = canvas.getBoundingClientRect(), width = tip.offsetWidth, height = tip.offsetHeight, x = stage.left + at.x, y = stage.top + at.y;
    const tall = document.documentElement.clientHeight, wide = document.documentElement.clientWidth;
    const right = x + 40 + width < wide - 6;
    tip.style.left = Math.max(4, right ? x + 40 : x - width - 40) + "px";
    tip.style.top = Math.max(4, Math.min(y - 20, tall - height - 6)) + "px";
  }
  function hideTip() { tip.hidden = true; }

  function open(id) {
    const mine = info(id), kind = nodeOf.get(id).group;
    const close = make("button", "×", "close");
    close.type = "button";
    close.setAttribute("aria-label", "Close details");
    close.addEventListener("click", () => { clear(); canvas.focus(); });
    const linked = make("ul");
    for (const line of linesOf.get(id)) {
      const other = line.from === id ? line.to : line.from;
      if (!fits.has(other) || nodeOf.get(other).group === "bundle" && info(id).bundle === other) continue;
      if (linked.childElementCount >= 60) { linked.append(make("li", "and " + (linesOf.get(id).length - 60) + " more")); break; }
      const item = make("li"), go = make("button", info(other).label);
      go.type = "button";
      go.addEventListener("click", () => choose(other, { show: true, move: true }));
      item.append(make("span", (line.from === id ? "" : "← ") + (line.label || "linked to") + " "), go);
      linked.append(item);
    }
    details.replaceChildren(close, make("h2", mine.label), make("p", data.kinds[kind].name + " · " + id, "count"), factList([...(mine.facts || []), ...(mine.more || [])]));
    if (kind === "bundle") details.append(bundleButton(id));
    if (linked.childElementCount) details.append(make("h3", "Lines"), linked);
    details.hidden = false;
    details.scrollTop = 0;
  }

  function bundleButton(id) {
    const button = make("button", state.open === id ? "Close the bundle" : "Open the bundle");
    button.type = "button";
    button.addEventListener("click", () => toggleBundle(id));
    return button;
  }

  // --- choosing ------------------------------------------------------------------------------------------------------

  function extent(all) {
    // The whole picture or what matters in it.
    if (!first.size) return;
    state.first = !all;
    byId("first").setAttribute("aria-pressed", String(!all));
    byId("whole").setAttribute("aria-pressed", String(all));
  }

  function toggleBundle(id) {
    extent(true);
    state.open = state.open === id ? null : id;
    state.chosen = null;
    sync();
    if (state.open) {
      fit(members.get(id).filter((one) => visible.has(one)));
      open(id);
      say(members.get(id).length + " claims opened");
    }
  }

  function choose(id, how) {
    const bundle = info(id).bundle;
    if (!visible.has(id)) extent(true);
    if (bundle && state.open !== bundle && !visible.has(id)) { state.open = bundle; state.chosen = id; sync(); }
    if (!visible.has(id)) { reset(); }
    state.chosen = id;
    paint();
    rows();
    if (how.show) open(id);
    if (how.move) {
      network.setSize("100%", "100%"); // the panel may have made the picture narrower
      const scale = Math.max(network.getScale(), 0.75);
      network.moveTo({ position: { x: nodeOf.get(id).x, y: nodeOf.get(id).y }, scale: scale, animation: calm || data.many ? false : { duration: 250, easingFunction: "easeInOutQuad" } });
    }
    say(info(id).label + ", " + data.kinds[nodeOf.get(id).group].name);
  }

  function clear() {
    state.chosen = null;
    state.found = null;
    details.hidden = true;
    results.hidden = true;
    hideTip();
    if (state.open) { state.open = null; sync(); } else { paint(); rows(); tell(); }
  }

  function reset() {
    for (const one of Object.values(filter)) if (one) one.value = "";
    state.off.clear();
    for (const one of document.querySelectorAll(".kind")) one.setAttribute("aria-pressed", "true");
    byId("search").value = "";
    state.found = null;
    state.chosen = null;
    results.hidden = true;
    sync();
  }

  function say(words) { told.textContent = words; }

  // --- search --------------------------------------------------------------------------------------------------------

  let index = null;
  function search() {
    const words = byId("search").value.toLowerCase().split(/\s+/).filter(Boolean);
    state.chosen = null;
    if (!words.length) { state.found = null; results.hidden = true; paint(); rows(); tell(); return; }
    index = index || data.nodes.map((one) => [one.id, [one.id, info(one.id).label, ...(info(one.id).facts || []).map((fact) => fact[1])].join(" ").toLowerCase()]);
    const hits = index.filter(([id, text]) => fits.has(id) && nodeOf.get(id).group !== "bundle" && words.every((word) => text.includes(word))).map(([id]) => id);
    const rank = (id) => (info(id).label.toLowerCase().startsWith(words[0]) ? 0 : info(id).label.toLowerCase().includes(words[0]) ? 1 : 2);
    hits.sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
    state.found = new Set(hits);
    for (const id of hits) if (info(id).bundle) state.found.add(info(id).bundle);
    results.replaceChildren(...hits.slice(0, 8).map((id) => {
      const item = make("li"), go = make("button", info(id).label);
      go.type = "button";
      go.append(make("small", data.kinds[nodeOf.get(id).group].name + " · " + id));
      go.addEventListener("click", () => { results.hidden = true; choose(id, { show: true, move: true }); });
      item.append(go);
      return item;
    }));
    if (!hits.length) results.replaceChildren(make("li", "nothing matches"));
    else if (hits.length > 8) results.append(make("li", "and " + (hits.length - 8) + " more, bright in the picture and listed below"));
    results.hidden = false;
    paint();
    rows();
    tell();
  }

  // --- wiring --------------------------------------------------------------------------------------------------------

  function reading() {
    // The order of the arrow keys: columns from left to right, or rows from above.
    return data.nodes.filter((one) => visible.has(one.id)).sort((a, b) => (data.layout === "layers" ? a.x - b.x || a.y - b.y : Math.round(a.y / 60) - Math.round(b.y / 60) || a.x - b.x)).map((one) => one.id);
  }

  function step(by) {
    const order = reading();
    if (!order.length) return;
    const at = state.chosen === null ? (by > 0 ? -1 : order.length) : order.indexOf(state.chosen);
    const next = order[(at + by + order.length) % order.length];
    choose(state.chosen === null && data.focus.length && visible.has(data.focus[0]) ? data.focus[0] : next, { show: !details.hidden, move: false });
    bringIntoView(state.chosen);
    showTip(state.chosen, network.canvasToDOM(nodeOf.get(state.chosen)));
  }

  function bringIntoView(id) {
    const at = network.canvasToDOM(nodeOf.get(id)), edge = 60;
    const outside = at.x < edge || at.y < edge || at.x > canvas.clientWidth - edge || at.y > canvas.clientHeight - edge;
    if (outside || network.getScale() < 0.45) network.moveTo({ position: { x: nodeOf.get(id).x, y: nodeOf.get(id).y }, scale: Math.max(network.getScale(), 0.6), animation: false });
  }

  function zoom(by) { network.moveTo({ scale: Math.min(4, Math.max(0.02, network.getScale() * by)), animation: false }); }

  function fit(ids) {
    // The library knows the size of a shape only after drawing it; here it was computed before.
    const shown = (Array.isArray(ids) ? ids : [...visible]).map((id) => nodeOf.get(id));
    if (!shown.length || !canvas.clientWidth) return;
    let left = Infinity, right = -Infinity, top = Infinity, bottom = -Infinity;
    for (const one of shown) {
      const below = ["claim", "measure", "bundle", "source", "unopened"].includes(one.group) ? one.room[1] / 2 : one.room[1] - one.size - 4;
      left = Math.min(left, one.x - one.room[0] / 2); right = Math.max(right, one.x + one.room[0] / 2);
      top = Math.min(top, one.y - Math.min(one.size + 4, one.room[1] / 2)); bottom = Math.max(bottom, one.y + below);
    }
    const scale = Math.min(1.2, (canvas.clientWidth - 40) / (right - left), (canvas.clientHeight - 40) / (bottom - top));
    network.moveTo({ position: { x: (left + right) / 2, y: (top + bottom) / 2 }, scale: scale, animation: false });
    return { left, right, top, bottom, scale };
  }

  function squeeze(all) {
    // Columns that are a little too wide for the frame move together: their gaps give way, their boxes and letters do not.
    const excess = all ? all.right - all.left - (canvas.clientWidth - 40) : 0;
    const shown = [...visible].map((id) => nodeOf.get(id)), places = shown.map((one) => one.x);
    const first = Math.min(...places), across = Math.max(...places) - first;
    if (data.layout !== "layers" || excess <= 0 || excess > across * 0.16) return all;
    for (const one of shown) {
      one.x = first + (one.x - first) * (1 - excess / across);
      network.moveNode(one.id, one.x, one.y);
    }
    return fit();
  }

  function begin() {
    if (!canvas.clientWidth) return;
    let all = squeeze(fit());
    const missing = all ? all.bottom - all.top + 44 - canvas.clientHeight : 0;
    if (missing > 0 && missing < 400 && document.documentElement.clientWidth > 720) {
      // A picture that is a little higher than its frame is given a higher frame.
      byId("stage").style.height = byId("stage").clientHeight + missing + "px";
      byId("stage").style.maxHeight = "none";
      network.setSize("100%", "100%");
      network.redraw();
      all = fit();
    }
    if (!all || all.scale >= 1) return;
    // Letters are read at first sight (14 px), so a picture that is larger than its frame is opened at what was asked for, or
    // at its beginning, from where it can be moved; "Fit" shows it whole.
    const focus = data.focus.find((id) => visible.has(id));
    const inBlocks = data.layout !== "layers" && (data.layout === "blocks" || state.first || isFiltered() || state.off.size);
    const at = !inBlocks && focus !== undefined
      ? { x: nodeOf.get(focus).x, y: nodeOf.get(focus).y }
      : { x: all.left + canvas.clientWidth / 2 - 14, y: all.top + canvas.clientHeight / 2 - 14 };
    if (!inBlocks && data.layout === "layers") {
      // What a figure was computed from stands on the right: it is seen at first, and what rests on it as far as there is room.
      const half = canvas.clientWidth / 2, isNarrow = all.right - all.left < canvas.clientWidth;
      at.x = isNarrow ? (all.left + all.right) / 2 : Math.min(Math.max(at.x, all.right + 50 - half), at.x + half - 96);
    }
    network.moveTo({ position: at, scale: 1, animation: false });
  }

  canvas.addEventListener("keydown", (event) => {
    const keys = {
      ArrowRight: () => step(1), ArrowDown: () => step(1), ArrowLeft: () => step(-1), ArrowUp: () => step(-1),
      Enter: () => activate(), " ": () => activate(), Escape: clear, "+": () => zoom(1.3), "-": () => zoom(1 / 1.3), 0: () => fit(),
    };
    if (!keys[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    keys[event.key]();
  });
  function activate() {
    if (state.chosen === null) { step(1); return; }
    if (members.has(state.chosen)) toggleBundle(state.chosen);
    else { open(state.chosen); hideTip(); details.focus(); }
  }
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && event.target !== canvas) { const inside = details.contains(event.target); clear(); if (inside) canvas.focus(); }
  });
  canvas.addEventListener("focusin", () => network.setOptions({ interaction: { zoomView: true } }));
  canvas.addEventListener("focusout", () => { network.setOptions({ interaction: { zoomView: false } }); hideTip(); });
  canvas.addEventListener("pointerdown", () => canvas.focus({ preventScroll: true }));
  byId("search").addEventListener("input", search);
  byId("search").addEventListener("keydown", (event) => {
    const first = results.querySelector("button");
    if (event.key === "Enter" && first) { event.preventDefault(); first.click(); }
    if (event.key === "ArrowDown" && first && !results.hidden) { event.preventDefault(); first.focus(); }
  });
  results.addEventListener("keydown", (event) => {
    const all = [...results.querySelectorAll("button")], at = all.indexOf(document.activeElement);
    if (event.key === "ArrowDown" && all[at + 1]) { event.preventDefault(); all[at + 1].focus(); }
    if (event.key === "ArrowUp") { event.preventDefault(); (all[at - 1] || byId("search")).focus(); }
  });
  document.addEventListener("pointerdown", (event) => { if (!event.target.closest(".search")) results.hidden = true; });
  for (const one of Object.values(filter)) if (one) one.addEventListener("change", () => { state.chosen = null; extent(true); sync(); begin(); });
  for (const button of document.querySelectorAll(".kind")) {
    button.addEventListener("click", () => {
      const kind = button.dataset.kind, off = !state.off.has(kind);
      if (off) state.off.add(kind); else state.off.delete(kind);
      button.setAttribute("aria-pressed", String(!off));
      extent(true);
      sync();
      begin();
    });
  }
  byId("reset").addEventListener("click", () => { clear(); extent(true); reset(); fit(); });
  if (first.size) {
    byId("first").addEventListener("click", () => { clear(); reset(); extent(false); sync(); begin(); });
    byId("whole").addEventListener("click", () => { clear(); extent(true); reset(); begin(); });
  }
  byId("draw").addEventListener("click", () => {
    const drawn = document.documentElement.classList.toggle("with-picture");
    byId("draw").setAttribute("aria-expanded", String(drawn));
    byId("draw").textContent = drawn ? "Hide the picture" : "Draw the picture";
    if (drawn) { network.setSize("100%", "100%"); sync(); begin(); network.redraw(); byId("stage").scrollIntoView({ block: "start" }); }
  });
  if (narrow.matches) byId("narrow").open = false;
  const further = byId("further");
  if (further) further.addEventListener("click", () => {
    for (const row of document.querySelectorAll("tr.further")) row.hidden = false;
    further.hidden = true;
    further.setAttribute("aria-expanded", "true");
  });
  byId("fit").addEventListener("click", () => fit());
  byId("closer").addEventListener("click", () => zoom(1.3));
  byId("farther").addEventListener("click", () => zoom(1 / 1.3));
  byId("theme").addEventListener("click", () => {
    document.documentElement.dataset.theme = isDark() ? "light" : "dark";
    state.dark = isDark();
    paint();
  });
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { state.dark = isDark(); paint(); });
  byId("tables").addEventListener("click", (event) => {
    const row = event.target.closest("tr[data-id]");
    if (!row || !event.target.closest("button.pick")) return;
    choose(row.dataset.id, { show: true, move: true });
    byId("stage").scrollIntoView({ block: "nearest", behavior: calm ? "auto" : "smooth" });
    details.focus({ preventScroll: true });
  });

  network = new vis.Network(canvas, { nodes: nodes, edges: lines }, data.options);
  network.on("hoverNode", (event) => { showTip(event.node, event.pointer.DOM); canvas.style.cursor = "pointer"; });
  network.on("blurNode", () => { hideTip(); canvas.style.cursor = ""; });
  network.on("dragStart", hideTip);
  network.on("zoom", hideTip);
  network.on("click", (event) => {
    const id = event.nodes[0];
    hideTip();
    if (id === undefined) { if (!state.open || state.chosen) { state.chosen = null; details.hidden = true; paint(); rows(); } return; }
    if (members.has(id)) toggleBundle(id);
    else choose(id, { show: true, move: false });
  });
  network.on("dragEnd", (event) => {
    for (const id of event.nodes) Object.assign(nodeOf.get(id), network.getPositions([id])[id]);
  });
  sync();
  begin();
  if (!canvas.clientWidth) document.documentElement.dataset.drawn = "0"; // on a phone the cards come first
  network.once("afterDrawing", () => { document.documentElement.dataset.drawn = String(Math.round(performance.now())); });
  network.redraw();
  // For programs that drive the page: where a node is, and to choose one.
  window.kgView = Object.freeze({
    at: (id) => { const box = canvas.getBoundingClientRect(), at = network.canvasToDOM({ x: nodeOf.get(id).x, y: nodeOf.get(id).y }); return { x: box.left + at.x, y: box.top + at.y }; },
    choose: (id) => choose(id, { show: true, move: true }),
    drawn: () => [...visible],
    everything: () => { extent(true); sync(); begin(); },
    scale: () => network.getScale(),
    chosen: () => state.chosen,
  });
})();
