import { nameOf } from '@knowhow/shared/names';

const maxLength = 80;
const titleSchema = nameOf(maxLength);
/** Bidirectional control characters, which would affect text around the title. */
const directions = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Sanitizes a title written by a model; undefined if it is empty, too long or has several lines. */
export function cleanTitle(written: string): string | undefined {
  const lines = written
    .split(/[\r\n]+/)
    .map(stripMarkup)
    .filter((line) => line !== '');
  const [line] = lines;
  return lines.length === 1 ? titleSchema.safeParse(line).data : undefined;
}

/** Strips markup, labels and quotes that models put around a title. */
function stripMarkup(line: string): string {
  return line
    .replace(directions, '')
    .trim()
    .replace(/^(?:#+\s+)?(?:(?:title|titel)\s*:\s*)?/i, '')
    .replace(/^[*_`"'“”„‘’«»\s]+|[*_`"'“”‘’«»\s]+$/gu, '')
    .replace(/\.$/, '')
    .replace(/\s+/g, ' ')
    .trim();
}
