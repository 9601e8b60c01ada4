import PostalMime, { type Address } from 'postal-mime';
import { type DocumentText, wholeText } from '../document.ts';
import { readMarkup } from './read-html.ts';

/** Who wrote a message to whom, when and what; of files in it, their names. */
export async function readEmail(bytes: Uint8Array): Promise<DocumentText> {
  const email = await PostalMime.parse(bytes);
  const body = email.text?.trim() || (email.html ? readMarkup(email.html).text : '');
  const files = email.attachments.map(({ filename }) => filename ?? 'unnamed');
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
  return wholeText(`${head.join('\n')}\n\n${body}`);
}

function written({ name, address = '' }: Address): string {
  return name ? `${name} <${address}>` : address;
}
