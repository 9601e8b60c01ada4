/** Rows with aligned columns; the last column is not padded. */
export function renderTable(rows: readonly (readonly (string | number)[])[]): string {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [index, cell] of row.entries()) {
      widths[index] = Math.max(widths[index] ?? 0, String(cell).length);
    }
  }
  return rows
    .map((row) =>
      row
        .map((cell, index) => pad(cell, index === row.length - 1 ? 0 : (widths[index] ?? 0)))
        .join('  '),
    )
    .join('\n');
}

function pad(cell: string | number, width: number): string {
  return typeof cell === 'number' ? String(cell).padStart(width) : cell.padEnd(width);
}
