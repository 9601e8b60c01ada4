import { expect, it } from 'vitest';
import { tableToCsv } from './table-csv.ts';

function tableOf(html: string): HTMLTableElement {
  const table = document.createElement('table');
  table.innerHTML = html;
  return table;
}

it('converts a table to CSV without spreadsheet formulas (CSV injection)', () => {
  const table = tableOf(
    '<thead><tr><th>a, b</th><th>say "x"</th></tr></thead>' +
      '<tbody><tr><td>=1+1</td><td>-5</td></tr><tr><td>one<br>two</td>' +
      '<td><span data-tex="x^2">xx2</span></td></tr></tbody>',
  );
  expect(tableToCsv(table)).toBe('"a, b","say ""x"""\r\n\'=1+1,-5\r\n"one\ntwo",x^2');
});
