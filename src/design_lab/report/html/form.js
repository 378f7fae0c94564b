(() => {
  const by = (id) => document.getElementById(id);
  const form = by("form");
  const { key, file, header } = form.dataset;
  const rows = Array.from(form.querySelectorAll("[data-row]"), (row) => ({
    data: row.dataset,
    values: Array.from(row.querySelectorAll("[data-value]")),
    comment: row.querySelector("textarea"),
    fault: row.querySelector(".fault"),
  }));
  const fields = rows.flatMap((row) => [...row.values, row.comment]);

  // What stands in a row: a score as typed, or the verdict that is chosen.
  const given = ({ values }) =>
    values.length === 1 ? values[0].value.trim() : (values.find((one) => one.checked)?.value ?? "");
  const words = ({ comment }) => comment.value.replace(/\s+/g, " ").trim();
  const isScore = (row) => row.data.min !== undefined;

  // Why the value or the comment of a row can't stay so; empty where they can.
  function wrong(row) {
    const text = given(row);
    if (isScore(row) && text !== "") {
      const { min, max } = row.data;
      const bounds = `a number from ${min} to ${max}`;
      if (/,\d{3}$/.test(text)) return `Write ${bounds}, decimals with a point.`;
      const score = text.replace(",", ".");
      if (!/^[+-]?(\d+\.?\d*|\.\d+)$/.test(score)) return `Write ${bounds}.`;
      if (Number(score) < Number(min) || Number(score) > Number(max)) return `Write ${bounds}.`;
    }
    return isScore(row) && /^\d+$/.test(words(row)) ? "Write a comment in words." : "";
  }

  function line(row) {
    const text = given(row);
    const value = isScore(row) && text !== "" && !wrong(row) ? String(Number(text.replace(",", "."))) : text;
    return `${row.data.row},${value},${words(row) && `"${words(row).replaceAll('"', '""')}"`}\r\n`;
  }

  // A text area makes other ends of its lines.
  const csv = () => `${header}\r\n${rows.map(line).join("")}`;

  const tell = (place, text) => {
    if (place.textContent !== text) place.textContent = text;
  };

  function show() {
    for (const row of rows) {
      const problem = wrong(row);
      const idle = words(row) && given(row) === "" ? "This comment counts only with a choice." : "";
      tell(row.fault, problem || idle);
      const target = problem.startsWith("Write a comment") ? row.comment : row.values[0];
      for (const one of [row.values[0], row.comment])
        one.setAttribute("aria-invalid", String(problem !== "" && one === target));
    }
    const left = rows.filter((row) => given(row) === "" || wrong(row)).length;
    tell(by("left"), left ? `${left} of ${rows.length} left` : `All ${rows.length} are filled in`);
    by("csv").value = csv();
  }

  // The first field to be seen to, a wrong one before an open one.
  function go(found) {
    const row = rows.find(found);
    if (!row) return false;
    (row.comment.getAttribute("aria-invalid") === "true" ? row.comment : row.values[0]).focus();
    return true;
  }

  function keep() {
    try {
      localStorage.setItem(
        key,
        JSON.stringify(fields.map((one) => (one.type === "radio" ? one.checked : one.value))),
      );
    } catch {
      by("unkept").hidden = false;
    }
  }

  function recall() {
    try {
      const kept = JSON.parse(localStorage.getItem(key) ?? "[]");
      fields.forEach((one, index) => {
        if (one.type === "radio") one.checked = kept[index] === true;
        else if (typeof kept[index] === "string") one.value = kept[index];
      });
    } catch {
      by("unkept").hidden = false;
    }
  }

  // What is wrong would be refused later, with the whole form.
  function isReady() {
    const ready = !go(wrong);
    tell(by("said"), ready ? "" : "First correct the marked fields.");
    return ready;
  }

  form.addEventListener("input", () => {
    tell(by("said"), "");
    show();
    keep();
  });
  by("next").addEventListener(
    "click",
    () => go((row) => wrong(row)) || go((row) => given(row) === "") || by("download").focus(),
  );
  by("download").addEventListener("click", () => {
    if (!isReady()) return;
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([csv()], { type: "text/csv" }));
    link.download = file;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  });
  by("copy").addEventListener("click", () => {
    if (!isReady()) return;
    by("csv").select();
    tell(by("said"), document.execCommand("copy") ? "Copied." : "The text is selected: copy it.");
  });
  by("forget").addEventListener("click", () => {
    if (!confirm("Delete everything typed on this page?")) return;
    for (const one of fields) {
      if (one.type === "radio") one.checked = false;
      else one.value = "";
    }
    show();
    try {
      localStorage.removeItem(key);
    } catch {
      // Nothing was kept.
    }
  });

  // Of a pair that somebody is at, the two designs stand side by side, in the order of the pair.
  const designs = Array.from(form.querySelectorAll(".designs > .design"));
  const only = (labels) => {
    for (const design of designs) {
      const place = labels.indexOf(design.id.slice(2));
      design.hidden = labels.length > 0 && place < 0;
      design.style.order = String(place);
    }
  };
  const wide = matchMedia("(min-width: 60rem)");
  for (const pair of form.querySelectorAll("[data-pair]"))
    pair.addEventListener("focusin", () => only(wide.matches ? pair.dataset.pair.split(" ") : []));
  by("all")?.addEventListener("click", () => only([]));

  recall();
  show();
  keep();
})();
