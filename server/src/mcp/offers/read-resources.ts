import { isRecord } from '@knowhow/shared/is-record';
import { withoutNul } from '@knowhow/shared/names';
import { wellFormed } from '../well-formed.ts';

/** A resource as its server describes it, within bounds. All of it is the words of the server. */
export interface ServerResource {
  uri: string;
  title: string;
  description: string;
  /** In bytes, where the server says it. */
  size?: number;
}

const maxResources = 500;
const maxUri = 2000;
const maxTitle = 200;
const maxDescription = 500;

/** What of a server's list can be used: each address once. Nothing in it is trusted. */
export function readResources(listed: readonly unknown[]): ServerResource[] {
  const resources = new Map<string, ServerResource>();
  for (const item of listed) {
    const { uri, title, name, description, size } = isRecord(item) ? item : {};
    if (typeof uri !== 'string' || uri === '' || uri.length > maxUri || resources.has(uri)) {
      continue;
    }
    resources.set(uri, {
      uri,
      title: clean(title, maxTitle) || clean(name, maxTitle) || uri.slice(0, maxTitle),
      description: clean(description, maxDescription),
      ...(typeof size === 'number' && Number.isSafeInteger(size) && size >= 0 ? { size } : {}),
    });
    if (resources.size === maxResources) {
      break;
    }
  }
  return [...resources.values()];
}

function clean(text: unknown, most: number): string {
  return typeof text === 'string' ? withoutNul(wellFormed(text.slice(0, most))) : '';
}

/**
 * The bytes of what `resources/read` answers: its texts in their order, else the first of its files. Undefined where
 * it has none.
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
