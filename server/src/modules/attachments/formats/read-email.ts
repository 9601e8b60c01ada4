import PostalMime, { type Address } from 'postal-mime';
import { type DocumentText, ReadWarnings, wholeText } from '../document.ts';
import { htmlToMarkdown } from './read-html.ts';

/** Headers and body of an email; attachments only by name. */
export async function readEmail(bytes: Uint8Array): Promise<DocumentText> {
  const warnings = new ReadWarnings();
  const email = await PostalMime.parse(bytes);
  const html = email.html ?? '';
  const body = email.text?.trim() || (html ? htmlToMarkdown(html, { hasLayoutTables: true }) : '');
  const files = email.attachments.map(({ filename, disposition, related, mimeType }) => {
    const isInline = related === true || disposition === 'inline';
    const name = filename ?? (isInline ? `an inline ${mimeType}` : 'unnamed');
    const isPicture = isInline && mimeType.startsWith('image/');
    warnings.add(isPicture ? 'pictures' : 'attachments', name);
    return name;
  });
  const head = [
    ['From', email.from ? written(email.from) : ''],
    ['To', (email.to ?? []).map(written).join(', ')],
    ['Cc', (email.cc ?? []).map(written).join(', ')],
    ['Date', email.date ?? ''],
    ['Subject', email.subject ?? ''],
    ['Attachments (not read)', files.join(', ')],
  ]
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}: ${value}`);
  return wholeText(`${head.join('\n')}\n\n${body}`, warnings);
}

function written({ name, address = '' }: Address): string {
  return name ? `${name} <${address}>` : address;
}
