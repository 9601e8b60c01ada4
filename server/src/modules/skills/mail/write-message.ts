import { fillIn } from '@knowhow/shared/fill-in';
import { findLanguage, findTexts } from '../../../platform/lib/locales.ts';
import type { MailMessage } from '../../../platform/lib/open-smtp.ts';

export interface Line {
  text: string;
  path: string;
}

interface Recipient {
  name: string;
  address: string;
  /** A language tag. */
  language: string;
}

/** Number of lines; the rest is counted. */
const maxLines = 20;

/** @param publicUrl without it, the message has no links */
export function writeNotices(
  to: Recipient,
  lines: readonly Line[],
  publicUrl: string | undefined,
): MailMessage {
  const { mail } = findTexts(to.language);
  const [first] = lines;
  const more = lines.length - maxLines;
  const shown = lines.slice(0, maxLines).map(({ text, path }) => [text, ...link(publicUrl, path)]);
  const parts = [
    ...shown.map((each) => each.join('\n')),
    ...(more > 0 ? [fillIn(mail.more, { count: more })] : []),
    `-- \n${fillIn(mail.footer, { address: publicUrl ?? 'Knowhow' })}`,
  ];
  return {
    ...addressed(to),
    subject:
      first && lines.length === 1 ? first.text : fillIn(mail.subject, { count: lines.length }),
    text: `${parts.join('\n\n')}\n`,
  };
}

/** The message by which an administrator tests the settings. */
export function writeTest(to: Recipient): MailMessage {
  const { mail } = findTexts(to.language);
  return { ...addressed(to), subject: mail.testSubject, text: `${mail.testText}\n` };
}

function addressed({ name, address, language }: Recipient) {
  return { to: { name, address }, language: findLanguage(language) };
}

function link(publicUrl: string | undefined, path: string): string[] {
  return publicUrl === undefined ? [] : [new URL(path, publicUrl).href];
}
