// A quiz: every row has its choices; keys are shown when all is answered.
if (data.quiz) {
  const rows = [...document.querySelectorAll("tr.q")], given = {};
  const keyOf = (k) => new TextDecoder().decode(Uint8Array.from(atob(data.quiz[k].key), (c) => c.charCodeAt(0)));
  const right = (k) => given[k].trim().toLowerCase() === keyOf(k).trim().toLowerCase();
  const finish = () => {
    const done = Object.keys(given).length;
    byId("score").textContent = `${done} of ${rows.length} answered`;
    if (done < rows.length) return;
    rows.forEach((row, k) => {
      row.querySelector(".verdict").textContent = right(k) ? " right" : ` wrong: ${keyOf(k)}`;
    });
    byId("score").textContent = `${rows.filter((_, k) => right(k)).length} of ${rows.length} right`;
    byId("given").hidden = false;
    byId("given").value = JSON.stringify(data.quiz.map((q, k) => ({ id: q.id, answer: given[k] })));
  };
  rows.forEach((row, k) => {
    row.onclick = null;
    const choices = [...row.querySelectorAll(".choice")];
    choices.forEach((choice) => {
      const field = choice.tagName === "INPUT";
      choice[field ? "onchange" : "onclick"] = () => {
        given[k] = field ? choice.value : choice.textContent;
        choices.forEach((other) => other.classList.toggle("chosen", other === choice));
        if (field && choice.value === "") delete given[k];
        finish();
      };
    });
  });
  finish();
}
