import mammoth from 'mammoth';
import { packParts } from '../../archives/office-parts.ts';
import { DocumentFault, type DocumentText } from '../document.ts';
import { textParts } from './office-xml.ts';
import { readMarkup } from './read-html.ts';

/** The text of a Word document, with headings, lists and tables as Markdown writes them. */
export async function readDocx(bytes: Uint8Array): Promise<DocumentText> {
  const packed = packParts(textParts(bytes));
  const buffer = Buffer.from(packed.buffer, packed.byteOffset, packed.length);
  const noPictures = mammoth.images.imgElement(async () => ({ src: '' }));
  const { value } = await mammoth
    .convertToHtml({ buffer }, { convertImage: noPictures })
    .catch((error: unknown) => {
      throw new DocumentFault('broken', error);
    });
  return readMarkup(value.replace(cell, withoutParagraphs));
}

const cell = /<t[dh]\b[^>]*>[\s\S]*?<\/t[dh]>/g;

/** A row of a table is one line. */
function withoutParagraphs(html: string): string {
  return html.replace(/<\/?p>/g, ' ');
}
