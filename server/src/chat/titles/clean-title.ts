import { nameOf } from '@knowhow/shared/names';

const longest = 80;
const titleSchema = nameOf(longest);
/** What turns the direction of writing: a title stands among others. */
const directions = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** The title in what a model wrote; undefined when that is none: nothing, several lines, or too long. */
export function cleanTitle(written: string): string | undefined {
  const lines = written
    .split(/[\r\n]+/)
    .map(plain)
    .filter((line) => line !== '');
  const [line] = lines;
  return lines.length === 1 ? titleSchema.safeParse(line).data : undefined;
}

/** Without what models put around a title. */
function plain(line: string): string {
  return line
    .replace(directions, '')
    .trim()
    .replace(/^(?:#+\s+)?(?:(?:title|titel)\s*:\s*)?/i, '')
    .replace(/^[*_`"'“”„‘’«»\s]+|[*_`"'“”‘’«»\s]+$/gu, '')
    .replace(/\.$/, '')
    .replace(/\s+/g, ' ')
    .trim();
}
