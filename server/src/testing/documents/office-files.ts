import { packParts } from '../../archives/office-parts.ts';

const relationships = 'http://schemas.openxmlformats.org/package/2006/relationships';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const types = '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>';

/** A document of Office, of its parts by their names. */
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

/** A heading, and a table with one row. */
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

/** Sheets by their names, with rows of texts and numbers. */
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

/** Slides of one line; they are shown in the opposite order of their files. */
export function pptx(slides: readonly string[], notes: string): Uint8Array {
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
    [`ppt/slides/_rels/slide${count}.xml.rels`]: relations([
      'notesSlide',
      '../notesSlides/notesSlide1.xml',
    ]),
    'ppt/notesSlides/notesSlide1.xml': `<p:notes ${drawing} xmlns:p="p">${line(notes)}</p:notes>`,
    ...Object.fromEntries(files),
  });
}
