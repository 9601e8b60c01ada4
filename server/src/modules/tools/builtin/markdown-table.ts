export interface TableCell {
  text: string;
  columns: number;
  rows: number;
}

/**
 * Limits per table against inflated spans: columns per cell, and empty cells filled in for merged
 * ones.
 */
const maxSpan = 1000;
const maxFilled = 200_000;

/**
 * Collects table cells and renders a GFM table: one cell per grid column, merged cells only in
 * their first row and column, a header row, and `|` escaped.
 */
export class MarkdownTable {
  readonly #rows: string[][] = [];
  /** For each column, the number of rows a cell above still spans. */
  #taken: number[] = [];
  #filled = 0;

  addRow(): void {
    const row: string[] = [];
    this.#rows.push(row);
    this.#fill(row);
  }

  addCell({ text, columns, rows }: TableCell): void {
    if (this.#rows.length === 0) {
      this.addRow();
    }
    const row = this.#rows.at(-1) ?? [];
    const at = row.length;
    row.push(cellText(text));
    const span = Math.min(columns, maxSpan, 1 + maxFilled - this.#filled);
    for (let column = 0; column < span; column += 1) {
      if (column > 0) {
        row.push('');
        this.#filled += 1;
      }
      if (rows > 1) {
        this.#taken[at + column] = rows - 1;
      }
    }
    this.#fill(row);
  }

  /** Fills columns that are spanned by cells above. */
  #fill(row: string[]): void {
    for (
      let remainingRows = this.#taken[row.length];
      remainingRows;
      remainingRows = this.#taken[row.length]
    ) {
      this.#taken[row.length] = remainingRows - 1;
      this.#filled += 1;
      row.push('');
      if (this.#filled > maxFilled) {
        this.#taken = [];
      }
    }
  }

  /** The table; empty if no cell has text. */
  toString(): string {
    const rows = this.#rows.filter((row) => row.some((cell) => cell !== ''));
    const [head] = rows;
    if (!head) {
      return '';
    }
    const width = rows.reduce((most, row) => Math.max(most, row.length), 0);
    const padded = rows.length * width <= maxFilled * 5;
    const [first, ...rest] = rows.map((row) => lineOf(row, padded ? width : row.length));
    return [first, `|${' --- |'.repeat(width)}`, ...rest].join('\n');
  }

  /** The table in one line, for nesting in a cell. */
  toLine(): string {
    return this.#rows
      .map((row) => row.filter((cell) => cell !== '').join(', '))
      .filter((row) => row !== '')
      .join('; ');
  }
}

function lineOf(row: readonly string[], width: number): string {
  const missing = Math.max(0, width - row.length);
  return `| ${row.join(' | ')} |${'  |'.repeat(missing)}`;
}

function cellText(text: string): string {
  return text.replace(/\s+/g, ' ').trim().replace(/\\?\|/g, '\\|');
}
