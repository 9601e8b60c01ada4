import { randomBytes } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { strToU8, zipSync } from 'fflate';

const mebibyte = 1024 * 1024;

/**
 * Documents that are far more expensive to parse than their size suggests, worst first. The short form uses
 * the first ones.
 */
export function hostileDocuments(): Record<string, () => Buffer> {
  return {
    'twice-deflated.pdf': () =>
      pdf(deflateSync(deflateSync(Buffer.alloc(300 * mebibyte, ' '))), '/FlateDecode/FlateDecode'),
    'bomb.docx': () => docx('<w:p><w:r><w:t>a</w:t></w:r></w:p>'.repeat(4_000_000)),
    'operators.pdf': () =>
      pdf(deflateSync(Buffer.from('q Q '.repeat(20 * mebibyte))), '/FlateDecode'),
    'run-lengths.pdf': () =>
      pdf(
        deflateSync(Buffer.from('\u0081 '.repeat(20_000_000), 'latin1')),
        '/FlateDecode/RunLengthDecode',
      ),
    'codes.pdf': () =>
      pdf(
        deflateSync(Buffer.from('\u0080\u000b`P'.repeat(5_000_000), 'latin1')),
        '/FlateDecode/LZWDecode',
      ),
    'predicted.pdf': () =>
      pdf(
        deflateSync(Buffer.alloc(300 * mebibyte, '\u0002abc')),
        '/FlateDecode',
        '/DecodeParms<</Predictor 12/Columns 100000000>>',
      ),
    'arrays.pdf': () => Buffer.from(`%PDF-1.4\n1 0 obj${'['.repeat(7_000_000)}`),
    'deep.docx': () => docx('<w:tbl><w:tr><w:tc>'.repeat(200_000)),
    'comments.docx': () => docx('<![CDATA[a]]><!--b-->'.repeat(3_000_000)),
    'entities.docx': () => docx('&b8;', billionLaughs()),
    'merged.xlsx': () => xlsx('<mergeCell ref="A1:XFD1048576"/>'.repeat(300_000)),
    'far.xlsx': () =>
      xlsx('<sheetData><row r="1048576"><c r="XFD1048576"><v>1</v></c></row></sheetData>'),
    'strings.xlsx': () => xlsx('', '<si><t>a</t></si>'.repeat(1_500_000)),
    'groups.rtf': () => Buffer.from(`{\\rtf1 ${'{'.repeat(4_000_000)}`),
    'binary.rtf': () => Buffer.from(`{\\rtf1 \\bin2147483647 ${'\\*\\pict '.repeat(500_000)}`),
    'deep.html': () => Buffer.from(`<html>${'<b><i><a>'.repeat(800_000)}`),
    'legacy.txt': () => Buffer.from('\u0081\u0030\u0081\u0030'.repeat(2_000_000), 'latin1'),
    'noise.txt': () => randomBytes(8 * mebibyte).fill('a', 0, 100),
  };
}

function pdf(content: Buffer, filters: string, more = ''): Buffer {
  const head = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R/Resources<<>>>>endobj
4 0 obj<</Length ${content.length}/Filter[${filters}]${more}>>stream
`;
  const tail = '\nendstream endobj\ntrailer<</Root 1 0 R>>\n';
  return Buffer.concat([Buffer.from(head), content, Buffer.from(tail)]);
}

function docx(body: string, before = ''): Buffer {
  return office({ 'word/document.xml': `${before}<w:document><w:body>${body}` });
}

function xlsx(sheet: string, strings = ''): Buffer {
  const relation = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${type}" Target="${target}"/>`;
  const relations = [
    relation('r1', 'worksheet', 'sheet.xml'),
    relation('r2', 'sharedStrings', 'strings.xml'),
  ];
  return office({
    'xl/workbook.xml':
      '<workbook><sheets><sheet name="s" sheetId="1" r:id="r1"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels': `<Relationships>${relations.join('')}</Relationships>`,
    'xl/sheet.xml': `<worksheet><dimension ref="A1:XFD1048576"/>${sheet}</worksheet>`,
    'xl/strings.xml': `<sst>${strings}</sst>`,
  });
}

function office(parts: Record<string, string>): Buffer {
  const files = Object.entries({ '[Content_Types].xml': '<Types/>', ...parts });
  return Buffer.from(
    zipSync(Object.fromEntries(files.map(([name, xml]) => [name, strToU8(xml)])), { level: 1 }),
  );
}

/** Nested XML entities (billion laughs): 10 to the power of 9 characters. */
function billionLaughs(): string {
  const entities = Array.from({ length: 9 }, (_, at) => {
    const inner = at === 0 ? 'aaaaaaaaaa' : `&b${at - 1};`.repeat(10);
    return `<!ENTITY b${at} "${inner}">`;
  });
  return `<!DOCTYPE a [${entities.join('')}]>`;
}
