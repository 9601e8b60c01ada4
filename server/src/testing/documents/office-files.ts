import { packParts } from '../../modules/skills/archives/office-parts.ts';

const relationships = 'http://schemas.openxmlformats.org/package/2006/relationships';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const types = '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>';

/** An Office document from its parts by name. */
export function officeFile(parts: Record<string, string>): Uint8Array {
  const bytes = Object.entries({ '[Content_Types].xml': types, ...parts }).map(
    ([name, xml]) => [name, new TextEncoder().encode(xml)] as const,
  );
  return packParts(new Map(bytes));
}

function relations(...targets: [type: string, target: string][]): string {
  const all = targets.map(
    ([type, target], index) =>
      `<Relationship Id="rId${index + 1}" Type="${office}/${type}" Target="${target}"/>`,
  );
  return `<Relationships xmlns="${relationships}">${all.join('')}</Relationships>`;
}

const wordNamespaces = [
  ['w', 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'],
  ['m', 'http://schemas.openxmlformats.org/officeDocument/2006/math'],
  ['mc', 'http://schemas.openxmlformats.org/markup-compatibility/2006'],
  ['wp', 'http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing'],
  ['wps', 'http://schemas.microsoft.com/office/word/2010/wordprocessingShape'],
  ['a', 'http://schemas.openxmlformats.org/drawingml/2006/main'],
  ['v', 'urn:schemas-microsoft-com:vml'],
]
  .map(([prefix, name]) => `xmlns:${prefix}="${name}"`)
  .join(' ');

/**
 * A Word document.
 *
 * @param body paragraphs and tables
 * @param parts additional parts of `word/`
 */
export function wordDocument(body: string, parts: Record<string, string> = {}): Uint8Array {
  const others = Object.entries(parts).map(([name, content]) => [
    `word/${name}`,
    content.replace('>', ` ${wordNamespaces}>`),
  ]);
  return officeFile({
    '_rels/.rels': relations(['officeDocument', 'word/document.xml']),
    'word/document.xml': `<w:document ${wordNamespaces}><w:body>${body}</w:body></w:document>`,
    ...Object.fromEntries(others),
  });
}

/**
 * A workbook with sheets given as XML.
 *
 * @param sheets content of each `worksheet`, and attributes of its `sheet` element
 */
export function workbook(
  sheets: readonly { content: string; attributes?: string }[],
  { styles = '', properties = '' } = {},
): Uint8Array {
  const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
  const listed = sheets.map(
    ({ attributes = '' }, index) =>
      `<sheet name="S${index + 1}" sheetId="${index + 1}" r:id="rId${index + 1}" ${attributes}/>`,
  );
  const targets = sheets.map((_, index): [string, string] => [
    'worksheet',
    `worksheets/sheet${index + 1}.xml`,
  ]);
  const files = sheets.map(({ content }, index) => [
    `xl/worksheets/sheet${index + 1}.xml`,
    `<worksheet ${main}>${content}</worksheet>`,
  ]);
  return officeFile({
    '_rels/.rels': relations(['officeDocument', 'xl/workbook.xml']),
    'xl/workbook.xml': `<workbook ${main} xmlns:r="${office}">${properties}<sheets>${listed.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations(...targets, ['styles', 'styles.xml']),
    'xl/styles.xml': `<styleSheet ${main}>${styles}</styleSheet>`,
    ...Object.fromEntries(files),
  });
}

/**
 * An OpenDocument file.
 *
 * @param kind such as `text`
 * @param body content of `office:body`
 */
export function openDocument(kind: string, body: string): Uint8Array {
  const bytes = new Map([
    ['mimetype', new TextEncoder().encode(`application/vnd.oasis.opendocument.${kind}`)],
    [
      'content.xml',
      new TextEncoder().encode(
        `<office:document-content><office:body><office:${kind}>${body}</office:${kind}></office:body></office:document-content>`,
      ),
    ],
  ]);
  return packParts(bytes);
}

/** A Word document with a heading and a one-row table. */
export function docx(heading: string, cells: readonly string[]): Uint8Array {
  const paragraph = (text: string, style = '') =>
    `<w:p>${style && `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>`}<w:r><w:t>${text}</w:t></w:r></w:p>`;
  const row = cells.map((cell) => `<w:tc>${paragraph(cell)}</w:tc>`).join('');
  return officeFile({
    '_rels/.rels': relations(['officeDocument', 'word/document.xml']),
    'word/styles.xml':
      '<w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/></w:style></w:styles>',
    'word/_rels/document.xml.rels': relations(['styles', 'styles.xml']),
    'word/document.xml': `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${paragraph(heading, 'Heading1')}<w:tbl><w:tr>${row}</w:tr></w:tbl></w:body></w:document>`,
  });
}

/** A workbook with sheets by name, and rows of texts and numbers. */
export function xlsx(
  sheets: Record<string, readonly (readonly (string | number)[])[]>,
): Uint8Array {
  const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
  const names = Object.keys(sheets);
  const cell = (value: string | number, column: number, row: number) => {
    const at = `r="${String.fromCharCode(65 + column)}${row + 1}"`;
    return typeof value === 'number'
      ? `<c ${at}><v>${value}</v></c>`
      : `<c ${at} t="inlineStr"><is><t>${value}</t></is></c>`;
  };
  const files = Object.values(sheets).map((rows, index) => [
    `xl/worksheets/sheet${index + 1}.xml`,
    `<worksheet ${main}><sheetData>${rows.map((row, number) => `<row r="${number + 1}">${row.map((value, column) => cell(value, column, number)).join('')}</row>`).join('')}</sheetData></worksheet>`,
  ]);
  return officeFile({
    '_rels/.rels': relations(['officeDocument', 'xl/workbook.xml']),
    'xl/workbook.xml': `<workbook ${main} xmlns:r="${office}"><sheets>${names.map((name, index) => `<sheet name="${name}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`).join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations(
      ...names.map((_, index): [string, string] => [
        'worksheet',
        `worksheets/sheet${index + 1}.xml`,
      ]),
    ),
    ...Object.fromEntries(files),
  });
}

/**
 * A presentation with one line per slide, in reverse order of the files.
 *
 * @param related additional relations of the first slide: last segment of the type, and target
 */
export function pptx(
  slides: readonly string[],
  notes: string,
  related: readonly [type: string, target: string][] = [],
): Uint8Array {
  const drawing = 'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"';
  const line = (text: string) => `<a:p><a:r><a:t>${text}</a:t></a:r></a:p>`;
  const count = slides.length;
  const files = slides.map((text, index) => [
    `ppt/slides/slide${count - index}.xml`,
    `<p:sld ${drawing} xmlns:p="p">${line(text)}</p:sld>`,
  ]);
  return officeFile({
    'ppt/presentation.xml': `<p:presentation xmlns:p="p" xmlns:r="${office}"><p:sldIdLst>${slides.map((_, index) => `<p:sldId id="${256 + index}" r:id="rId${index + 1}"/>`).join('')}</p:sldIdLst></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': relations(
      ...slides.map((_, index): [string, string] => ['slide', `slides/slide${count - index}.xml`]),
    ),
    [`ppt/slides/_rels/slide${count}.xml.rels`]: relations(
      ['notesSlide', '../notesSlides/notesSlide1.xml'],
      ...related,
    ),
    'ppt/notesSlides/notesSlide1.xml': `<p:notes ${drawing} xmlns:p="p">${line(notes)}</p:notes>`,
    ...Object.fromEntries(files),
  });
}
