/** The button in a table that an arrow key moves to (roving tab stop). */
export function nextCell(table: HTMLTableElement | null, key: string): HTMLElement | undefined {
  const now = table?.ownerDocument.activeElement;
  const cell = now?.closest('td');
  const row = cell?.closest('tr');
  if (!table || !now || !cell || !row) {
    return undefined;
  }
  const rows = [...(table.tBodies[0]?.rows ?? [])];
  const at = rows.indexOf(row);
  const column = cell.cellIndex;
  const target = {
    ArrowLeft: row.cells[column - 1],
    ArrowRight: row.cells[column + 1],
    ArrowUp: rows[at - 1]?.cells[column],
    ArrowDown: rows[at + 1]?.cells[column],
    Home: row.cells[1],
    End: row.cells[row.cells.length - 1],
  }[key];
  const button = target?.querySelector<HTMLElement>('button') ?? undefined;
  if (button) {
    now.setAttribute('tabindex', '-1');
    button.setAttribute('tabindex', '0');
  }
  return button;
}
