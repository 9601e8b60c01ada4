import { type Attachment, attachmentSchema } from '@knowhow/shared/chat/attachments';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  openDocument,
  pptx,
  wordDocument,
  workbook,
} from '../../../testing/documents/office-files.ts';
import { fontOf, pdf } from '../../../testing/documents/pdf.ts';
import { says, scriptedModel } from '../../../testing/scripted-model.ts';
import {
  startTestServer,
  type TestServer,
  type Visitor,
} from '../../../testing/start-test-server.ts';
import { takeTurn } from '../../../testing/take-turn.ts';

const model = scriptedModel(says('Read.'));
let server: TestServer;
let visitor: Visitor;
beforeAll(async () => {
  server = await startTestServer({ model: model.ask });
  visitor = server.visitor();
  await visitor('/api/auth/me');
});
afterAll(() => server.close());

/** The details that a user sees of a file, and what the model gets. */
async function read(name: string, content: string | Uint8Array) {
  const response = await visitor(`/api/files?name=${encodeURIComponent(name)}`, {
    method: 'POST',
    headers: { 'content-type': 'application/octet-stream' },
    body: content,
  });
  const file: Attachment = attachmentSchema.parse(await response.json());
  await takeTurn(visitor, { message: 'Read', attachments: [file.id] });
  const said = model.requests.at(-1)?.messages[0]?.content ?? '';
  return { file, said: said.slice(said.indexOf('<attachment'), said.indexOf('</attachment>')) };
}

const paragraph = (text: string) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`;
const cell = (text: string, properties = '') =>
  `<w:tc><w:tcPr>${properties}</w:tcPr>${paragraph(text)}</w:tc>`;
const row = (...cells: string[]) => `<w:tr>${cells.join('')}</w:tr>`;
const table = (...rows: string[]) => `<w:tbl>${rows.join('')}</w:tbl>`;
const starts = '<w:vMerge w:val="restart"/>';
const continues = '<w:vMerge/>';
const spans = '<w:gridSpan w:val="2"/>';
const head = row(cell('Item'), cell('Q'), cell('Sum'));

describe('a table of a Word document has one cell per column', () => {
  test.each([
    [
      'with cells merged downwards',
      table(
        head,
        row(cell('A', starts), cell('Q1'), cell('3')),
        row(cell('', continues), cell('Q2'), cell('4')),
      ),
      '| Item | Q | Sum |\n| --- | --- | --- |\n| A | Q1 | 3 |\n| | Q2 | 4 |',
    ],
    [
      'with cells merged to the right',
      table(head, row(cell('All', spans), cell('7'))),
      '| Item | Q | Sum |\n| --- | --- | --- |\n| All | | 7 |',
    ],
    [
      'with cells merged in both directions',
      table(
        head,
        row(cell('A', spans + starts), cell('1')),
        row(cell('', spans + continues), cell('2')),
        row(cell('B'), cell('Q'), cell('3')),
      ),
      '| A | | 1 |\n| | | 2 |\n| B | Q | 3 |',
    ],
    [
      'with merged cells and bookmarks between the rows',
      table(
        head,
        '<w:bookmarkStart w:id="1" w:name="x"/>',
        row(cell('A', starts), cell('Q1'), cell('3')),
        '<w:bookmarkEnd w:id="1"/>',
        row(cell('', continues), cell('Q2'), cell('4')),
      ),
      '| A | Q1 | 3 |\n| | Q2 | 4 |',
    ],
    [
      'with a row that starts at a later column',
      table(
        head,
        `<w:tr><w:trPr><w:gridBefore w:val="2"/></w:trPr>${cell('9')}</w:tr>`,
        row(cell('A')),
      ),
      '| | | 9 |\n| A | | |',
    ],
    [
      'with bars and line breaks in a cell',
      table(
        head,
        row(cell('a|b'), `<w:tc>${paragraph('one')}${paragraph('two')}</w:tc>`, cell('c')),
      ),
      '| a\\|b | one two | c |',
    ],
    [
      'with a table in a cell',
      table(
        head,
        row(cell('A'), `<w:tc>${table(row(cell('x'), cell('y')))}<w:p/></w:tc>`, cell('1')),
      ),
      '| Item | Q | Sum |\n| --- | --- | --- |\n| A | x, y | 1 |',
    ],
  ])('%s', async (_, body, wanted) => {
    const { said } = await read('table.docx', wordDocument(body));
    expect(said.replace(/\| +(?=\|)/g, '| ')).toContain(wanted);
  });
});

describe('a Word document is read including', () => {
  const box = `<w:txbxContent>${paragraph('In the box')}</w:txbxContent>`;
  const drawing = `<w:drawing><wp:anchor><a:graphic><a:graphicData><wps:wsp><wps:txbx>${box}</wps:txbx></wps:wsp></a:graphicData></a:graphic></wp:anchor></w:drawing>`;
  const old = `<w:pict><v:shape><v:textbox>${box}</v:textbox></v:shape></w:pict>`;
  test.each([
    ['a text box', `<w:p><w:r>${drawing}</w:r></w:p>`],
    ['a text box of an older Word', `<w:p><w:r>${old}</w:r></w:p>`],
    [
      'a text box in both forms',
      `<w:p><w:r><mc:AlternateContent><mc:Choice Requires="wps">${drawing}</mc:Choice><mc:Fallback>${old}</mc:Fallback></mc:AlternateContent></w:r></w:p>`,
    ],
  ])('%s', async (_, body) => {
    const { said } = await read('box.docx', wordDocument(body));
    expect(said.split('In the box')).toHaveLength(2);
  });

  test('headers, footers and comments', async () => {
    const { said } = await read(
      'whole.docx',
      wordDocument(paragraph('Body'), {
        'header1.xml': `<w:hdr>${paragraph('Draft 3')}</w:hdr>`,
        'header2.xml': `<w:hdr>${paragraph('Draft 3')}</w:hdr>`,
        'footer1.xml': `<w:ftr>${paragraph('Internal')}</w:ftr>`,
        'comments.xml': `<w:comments><w:comment w:author="Una">${paragraph('Why?')}</w:comment></w:comments>`,
      }),
    );
    expect(said).toContain(
      'Body\n\n[Header]\nDraft 3\n\n[Footer]\nInternal\n\n[Comments]\n- Una: Why?',
    );
  });

  test('formulas as text, and a note about omitted parts', async () => {
    const formula =
      '<m:oMathPara><m:oMath><m:f><m:num><m:r><m:t>a</m:t></m:r></m:num><m:den><m:r><m:t>b</m:t></m:r></m:den></m:f></m:oMath></m:oMathPara>';
    const deleted = '<w:del><w:r><w:delText>Old</w:delText></w:r></w:del>';
    const { file, said } = await read(
      'formula.docx',
      wordDocument(`<w:p>${formula}${deleted}</w:p>`),
    );
    expect(said).toContain('(a)/(b)');
    expect(said).toContain('[Formulas that were read as plain text (1).');
    expect(file.warnings).toEqual([
      { kind: 'formulas', count: 1 },
      { kind: 'deletions', count: 1 },
    ]);
  });
});

describe('a workbook shows', () => {
  const formats = [20, 46, 14, 22, 10, 164, 165];
  const styles = `<numFmts><numFmt numFmtId="164" formatCode="#,##0.00\\ [$€-407]"/><numFmt numFmtId="165" formatCode="[h]:mm"/></numFmts><cellXfs><xf numFmtId="0"/>${formats.map((id) => `<xf numFmtId="${id}"/>`).join('')}</cellXfs>`;
  const sheetOf = (cells: string) => ({
    content: `<sheetData><row r="1"><c r="A1"><v>1</v></c>${cells}</row></sheetData>`,
  });
  test.each([
    ['a time', '<c r="B1" s="1"><v>0.75</v></c>', '18:00'],
    ['a duration', '<c r="B1" s="2"><v>1.25</v></c>', '30:00'],
    ['a duration in its own format', '<c r="B1" s="7"><v>2.5006944</v></c>', '60:01'],
    ['a date', '<c r="B1" s="3"><v>45292</v></c>', '2024-01-01'],
    ['the first of March 1900', '<c r="B1" s="3"><v>61</v></c>', '1900-03-01'],
    ['the first of January 1900', '<c r="B1" s="3"><v>1</v></c>', '1900-01-01'],
    ['a date with a time', '<c r="B1" s="4"><v>45292.5</v></c>', '2024-01-01 12:00'],
    ['a percentage', '<c r="B1" s="5"><v>0.125</v></c>', '12.50%'],
    ['a currency amount', '<c r="B1" s="6"><v>12.5</v></c>', '12.50 €'],
    ['an error', '<c r="B1" t="e"><f>A1/0</f><v>#DIV/0!</v></c>', '#DIV/0!'],
    ['a boolean', '<c r="B1" t="b"><v>1</v></c>', 'TRUE'],
    ['a formula without a result', '<c r="B1"><f>A1*2</f><v/></c>', '=A1*2 (not calculated)'],
    ['an empty result', '<c r="B1" t="str"><f>""</f><v></v></c><c r="C1"><v>3</v></c>', ' '],
    ['a bar', '<c r="B1" t="inlineStr"><is><t>a|b</t></is></c>', 'a\\|b'],
  ])('%s', async (_, cells, wanted) => {
    const { said } = await read('sums.xlsx', workbook([sheetOf(cells)], { styles }));
    expect(said).toContain(`| 1 | ${wanted} |`.replace('|   |', '|  |'));
  });

  test('dates in the 1904 date system', async () => {
    const properties = '<workbookPr date1904="1"/>';
    const content = sheetOf('<c r="B1" s="3"><v>43830</v></c>');
    const { said } = await read('mac.xlsx', workbook([content], { styles, properties }));
    expect(said).toContain('| 1 | 2024-01-01 |');
  });

  test('hidden parts, marked as such', async () => {
    const content =
      '<cols><col min="2" max="2" hidden="1"/></cols><sheetData><row r="1"><c r="A1"><v>1</v></c><c r="B1"><v>2</v></c></row><row r="2" hidden="1"><c r="A2"><v>3</v></c></row></sheetData>';
    const sheets = [{ content }, { content: '<sheetData/>', attributes: 'state="hidden"' }];
    const { file, said } = await read('hidden.xlsx', workbook(sheets));
    expect(said).toContain('| 1 | (hidden column) 2 |');
    expect(said).toContain('| (hidden row) 3 |');
    expect(said).toContain('[Sheet S2]\n(hidden sheet)');
    expect(file.warnings?.map(({ kind }) => kind)).toEqual(['hidden']);
  });
});

describe('a PDF', () => {
  test('names the pages without text to the user and the model', async () => {
    const { file, said } = await read('part.pdf', pdf(['Herons', '', 'Storks', '']));
    expect(said).toContain('[Page 2]\n[Page 2: no text, perhaps a scan]');
    expect(said).toContain('could not be read: 2, 4.');
    expect(file.warnings).toEqual([{ kind: 'empty-pages', count: 2, names: ['2', '4'] }]);
  });

  test.each([
    ['Chinese', 'UniGB-UCS2-H', 'GB1', '<5408540C>', '合同'],
    ['traditional Chinese', 'UniCNS-UCS2-H', 'CNS1', '<54087D04>', '合約'],
    ['Japanese', '90ms-RKSJ-H', 'Japan1', '<93fa967b>', '日本'],
    ['Korean', 'KSCms-UHC-H', 'Korea1', '<c7d1b1b9>', '한국'],
  ])('is read in %s', async (_, map, ordering, line, wanted) => {
    const { said } = await read('cjk.pdf', pdf([line], '', fontOf(map, ordering)));
    expect(said).toContain(wanted);
  });
});

describe('a text', () => {
  test.each([
    [
      'an Excel CSV',
      'a.csv',
      Buffer.from('Preis;10 \x80 \x96 \x84gut\x93\x85\x99', 'latin1'),
      'Preis;10 € – „gut“…™',
      [],
    ],
    [
      'a page',
      'a.html',
      Buffer.from('<meta charset="iso-8859-1"><p>10 \x80</p>', 'latin1'),
      '10 €',
      [],
    ],
    [
      'a mail',
      'a.eml',
      Buffer.from(
        'Subject: =?windows-1252?Q?10_=80?=\r\nContent-Type: text/html; charset=windows-1252\r\n\r\n<p>\x84x\x93</p>',
        'latin1',
      ),
      '10 €\n\n„x“',
      [],
    ],
    [
      'Japanese',
      'a.txt',
      Buffer.from('82b182ea82cd93fa967b8cea82c582b78142', 'hex'),
      'これは日本語です。',
      ['shift_jis'],
    ],
    [
      'Russian',
      'a.txt',
      Buffer.from('cff0e8e2e5f22c20eae0ea20e4e5ebe03f', 'hex'),
      'Привет, как дела?',
      ['windows-1251'],
    ],
    [
      'UTF-16 without a byte order mark',
      'a.txt',
      Buffer.from('Hello there', 'utf16le'),
      'Hello there',
      ['utf-16le'],
    ],
    [
      'RTF',
      'a.rtf',
      String.raw`{\rtf1\ansi\ansicpg1252{\fonttbl{\f0 Arial;}{\f1\fcharset204 Arial;}}\f0 10 \'80 \u8211? \b bold\b0\par{\f1 \'cf\'f0\'e8}\par\trowd a\cell b\cell\row}`,
      '10 € – bold\n\nПри\n\na | b |',
      [],
    ],
  ])('decodes %s', async (_, name, content, wanted, encodings) => {
    const { file, said } = await read(name, content);
    expect(said).toContain(wanted);
    expect((file.warnings ?? []).flatMap(({ names = [] }) => names)).toEqual(encodings);
  });
});

test.each([
  ['fake.png', 'PNG'],
  ['fake.pdf', 'PDF'],
  ['fake.DOCX', 'DOCX'],
  ['prog.exe', 'EXE'],
  ['notes.txt', undefined],
  ['data.csv', undefined],
])('warns that %s is only text if its extension says otherwise', async (name, ending) => {
  const { file } = await read(name, 'Plain words.');
  expect(file.warnings).toEqual(
    ending === undefined ? undefined : [{ kind: 'ending', count: 1, names: [ending] }],
  );
});

describe('an OpenDocument', () => {
  test('text has its headings, tables and spaces', async () => {
    const body =
      '<text:h text:outline-level="2">Plan</text:h><text:p>a<text:s text:c="1"/>b</text:p><table:table><table:table-row><table:table-cell table:number-columns-spanned="2"><text:p>All</text:p></table:table-cell><table:covered-table-cell/></table:table-row><table:table-row><table:table-cell><text:p>1</text:p></table:table-cell><table:table-cell><text:p>2</text:p></table:table-cell></table:table-row></table:table>';
    const { said } = await read('plan.odt', openDocument('text', body));
    expect(said).toMatch(/## Plan\n\na b\n\n\| All \| +\|\n\| --- \| --- \|\n\| 1 \| 2 \|/);
  });

  test('workbook has its sheets, and presentations have their slides', async () => {
    const sheets =
      '<table:table table:name="Costs"><table:table-row><table:table-cell table:number-columns-repeated="2"/><table:table-cell><text:p>5</text:p></table:table-cell><table:table-cell table:number-columns-repeated="16000"/></table:table-row></table:table>';
    const workbookFile = await read('sums.ods', openDocument('spreadsheet', sheets));
    expect(workbookFile.file.parts).toEqual({ kind: 'sheet', count: 1 });
    expect(workbookFile.said).toMatch(/\[Sheet Costs\]\n\| +\| +\| 5 \|/);
    const slides =
      '<draw:page draw:name="p1"><draw:frame><draw:text-box><text:p>Hi</text:p></draw:text-box></draw:frame></draw:page>';
    const { said } = await read('talk.odp', openDocument('presentation', slides));
    expect(said).toContain('[Slide 1]\nHi');
  });
});

test('names the unread attachments of a mail', async () => {
  const lines = [
    'Content-Type: multipart/mixed; boundary=x',
    '',
    '--x\r\nContent-Type: text/plain\r\n\r\nSee below.',
    '--x\r\nContent-Disposition: attachment; filename=a.zip\r\n\r\nPK\r\n--x--',
  ];
  const { file } = await read('mail.eml', lines.join('\r\n'));
  expect(file.warnings).toEqual([{ kind: 'attachments', count: 1, names: ['a.zip'] }]);
});

test('presentation without omitted parts has no warning', async () => {
  expect((await read('talk.pptx', pptx(['Hi'], 'Smile.'))).file.warnings).toBeUndefined();
});

test('names the charts, images and objects of a presentation that are not read', async () => {
  const slides = pptx(['Sales'], 'Smile.', [
    ['chart', '../charts/chart1.xml'],
    ['chartEx', '../charts/chartEx1.xml'],
    ['image', '../media/image1.png'],
    ['oleObject', '../embeddings/oleObject1.bin'],
  ]);
  const { file, said } = await read('sales.pptx', slides);
  expect(said).toContain('[Slide 1]\nSales\n\nNotes: Smile.');
  expect(said).toContain('[Charts that were not read (2). Tell the user if it matters.]');
  expect(file.warnings).toEqual([
    { kind: 'charts', count: 2 },
    { kind: 'pictures', count: 1 },
    { kind: 'embedded', count: 1 },
  ]);
});

test.each([
  [
    'to the right',
    '<row r="1"><c r="A1" t="str"><v>All</v></c><c r="B1"/><c r="C1"><v>7</v></c></row>',
    'A1:B1',
    '| All |  | 7 |',
  ],
  [
    'downwards',
    '<row r="1"><c r="A1" t="str"><v>A</v></c><c r="B1"><v>1</v></c></row><row r="2"><c r="A2"/><c r="B2"><v>2</v></c></row>',
    'A1:A2',
    '| A | 1 |\n| --- | --- |\n|  | 2 |',
  ],
  [
    'without cells for covered ones',
    '<row r="1"><c r="A1" t="str"><v>A</v></c><c r="D1"><v>1</v></c></row>',
    'A1:C1',
    '| A |  |  | 1 |',
  ],
])(
  'a workbook with cells merged %s has one cell for each column',
  async (_, rows, range, wanted) => {
    const content = `<sheetData>${rows}</sheetData><mergeCells count="1"><mergeCell ref="${range}"/></mergeCells>`;
    const { said } = await read('merged.xlsx', workbook([{ content }]));
    expect(said).toContain(wanted);
  },
);

test.each([
  ['0.00%', '0.1234', '12.34%'],
  ['0.##%', '0.1234', '12.34%'],
  [`0.${'0'.repeat(200)}%`, '0.5', `50.${'0'.repeat(30)}%`],
])('a workbook with the number format %s is read', async (code, value, wanted) => {
  const styles = `<numFmts><numFmt numFmtId="200" formatCode="${code}"/></numFmts><cellXfs><xf numFmtId="200"/></cellXfs>`;
  const content = `<sheetData><row r="1"><c r="A1" s="0"><v>${value}</v></c></row></sheetData>`;
  const { said } = await read('share.xlsx', workbook([{ content }], { styles }));
  expect(said).toContain(`| ${wanted} |`);
});

test('a mail with only images is read by its headers', async () => {
  const lines = ['Subject: Our heron', 'Content-Type: text/html', '', '<img src="cid:heron">'];
  const { said } = await read('heron.eml', lines.join('\r\n'));
  expect(said).toContain('Subject: Our heron');
});

test('an RTF document with a million consecutive blanks is read', async () => {
  const { said } = await read('a.rtf', `{\\rtf1 Herons${' '.repeat(1_000_000)}wade.}`);
  expect(said).toContain('Herons');
});
