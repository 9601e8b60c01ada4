/** A PDF font that references a character map which is not embedded. */
export function fontOf(map: string, ordering: string): string {
  const system = `<</Registry(Adobe)/Ordering(${ordering})/Supplement 2>>`;
  const descriptor =
    '<</Type/FontDescriptor/FontName/Song/Flags 4/FontBBox[0 0 1000 1000]/Ascent 800/Descent -200/ItalicAngle 0/StemV 80>>';
  const descendant = `<</Type/Font/Subtype/CIDFontType0/BaseFont/Song/CIDSystemInfo${system}/FontDescriptor ${descriptor}>>`;
  return `<</Type/Font/Subtype/Type0/BaseFont/Song/Encoding/${map}/DescendantFonts[${descendant}]>>`;
}

/**
 * A PDF with one line per page; lines in angle brackets are hexadecimal.
 *
 * @param trailer additional trailer entries
 */
export function pdf(
  pages: readonly string[],
  trailer = '',
  font = '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
): string {
  const first = 4;
  const kids = pages.map((_, index) => `${first + 2 * index} 0 R`);
  const objects = [
    '<</Type/Catalog/Pages 2 0 R/OpenAction<</S/JavaScript/JS(app.alert\\(1\\))>>>>',
    `<</Type/Pages/Kids[${kids.join(' ')}]/Count ${pages.length}>>`,
    font,
    ...pages.flatMap((line, index) => {
      const shown = line.startsWith('<') ? line : `(${line})`;
      const content = line === '' ? '' : `BT /F1 24 Tf 20 100 Td ${shown} Tj ET`;
      return [
        `<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]/Contents ${first + 2 * index + 1} 0 R/Resources<</Font<</F1 3 0 R>>>>>>`,
        `<</Length ${content.length}>>stream\n${content}\nendstream`,
      ];
    }),
  ];
  let text = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const at = text.length;
    text += `${index + 1} 0 obj${object}endobj\n`;
    return `${String(at).padStart(10, '0')} 00000 n \n`;
  });
  const size = objects.length + 1;
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${offsets.join('')}`;
  return `${text}${table}trailer<</Size ${size}/Root 1 0 R${trailer}>>\nstartxref\n${text.length}\n%%EOF`;
}
