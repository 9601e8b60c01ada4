import { isRecord } from '@knowhow/shared/is-record';
import { cleanText, wellFormed } from '../clean-text.ts';

/** A resource as described by its server, within limits. Its texts are untrusted. */
export interface ServerResource {
  uri: string;
  title: string;
  description: string;
  /** In bytes, if the server specifies it. */
  size?: number;
}

const maxResources = 500;
const maxUri = 2000;
const maxTitle = 200;
const maxDescription = 500;

/**
 * Extracts the valid resources of a server's list, without duplicate URIs. The input is untrusted.
 */
export function readResources(listed: readonly unknown[]): ServerResource[] {
  const resources = new Map<string, ServerResource>();
  for (const item of listed) {
    const { uri, title, name, description, size } = isRecord(item) ? item : {};
    if (typeof uri !== 'string' || uri === '' || uri.length > maxUri || resources.has(uri)) {
      continue;
    }
    resources.set(uri, {
      uri,
      title: cleanText(title, maxTitle) || cleanText(name, maxTitle) || uri.slice(0, maxTitle),
      description: cleanText(description, maxDescription),
      ...(typeof size === 'number' && Number.isSafeInteger(size) && size >= 0 ? { size } : {}),
    });
    if (resources.size === maxResources) {
      break;
    }
  }
  return [...resources.values()];
}

/**
 * The content of a `resources/read` result: its texts, or else its first blob. Undefined if there
 * is none.
 */
export function resourceBytes(answer: unknown): Buffer | undefined {
  const given = isRecord(answer) && Array.isArray(answer.contents) ? answer.contents : [];
  const parts = given.filter(isRecord);
  const texts = parts.flatMap(({ text }) => (typeof text === 'string' ? [text] : []));
  if (texts.length > 0) {
    return Buffer.from(wellFormed(texts.join('\n\n')));
  }
  const file = parts.find(({ blob }) => typeof blob === 'string');
  return typeof file?.blob === 'string' ? Buffer.from(file.blob, 'base64') : undefined;
}
