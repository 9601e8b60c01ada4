/** A table as CSV (RFC 4180), escaped against CSV injection: a model's text must not run as a formula. */
export function tableToCsv(table: HTMLTableElement): string {
  return [...table.rows]
    .map((row) => [...row.cells].map((cell) => escapeField(getCellText(cell))).join(','))
    .join('\r\n');
}

/** Formulas as TeX: their rendering is also duplicated for screen readers. */
function getCellText(cell: Element): string {
  const copy = cell.cloneNode(true) as Element;
  for (const formula of copy.querySelectorAll('[data-tex]')) {
    formula.replaceWith(formula.getAttribute('data-tex') ?? '');
  }
  for (const line of copy.querySelectorAll('br')) {
    line.replaceWith('\n');
  }
  return (copy.textContent ?? '').trim();
}

function escapeField(text: string): string {
  const isNumber = /^[-+]?[\d.,]+\s?%?$/.test(text);
  const safe = /^[=+\-@\t]/.test(text) && !isNumber ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
