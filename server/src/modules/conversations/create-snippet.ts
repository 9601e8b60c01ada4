import type { SearchHit } from '@knowhow/shared/chat/conversations';
import { foldedText } from '../../platform/storage/folded-text.ts';

/** Characters of context before and after the match. */
const contextBefore = 40;
const contextAfter = 140;
/** Maximum number of matches compared. */
const maxMatches = 50;

type Snippet = Omit<SearchHit, 'messageId'>;

/** Extracts a one-line snippet around the match with most other search words nearby, and marks the words. */
export function createSnippet(text: string, words: readonly string[]): Snippet {
  const folded = words.map(foldedText).filter((word) => word !== '');
  const position = toOriginalOffset(text, findBestMatch(foldedText(text), folded));
  const from = snapToWord(text, Math.max(0, position - contextBefore), position);
  const to = snapToWord(text, Math.min(text.length, position + contextAfter), text.length);
  const line = `${from > 0 ? '…' : ''}${toOneLine(text.slice(from, to), words)}${to < text.length ? '…' : ''}`;
  return { text: line, marks: findMarks(line, folded) };
}

/** Offset of the longest word's match that has most of the other words nearby. */
function findBestMatch(text: string, words: readonly string[]): number {
  const [longest = '', ...others] = [...words].sort((one, other) => other.length - one.length);
  const best = { at: 0, count: -1 };
  let at = text.indexOf(longest);
  for (let position = 0; at >= 0 && position < maxMatches; position += 1) {
    const around = text.slice(Math.max(0, at - contextBefore), at + contextAfter);
    const count = others.filter((word) => around.includes(word)).length;
    if (count > best.count) {
      Object.assign(best, { at, count });
    }
    at = text.indexOf(longest, at + Math.max(1, longest.length));
  }
  return best.at;
}

/** Converts an offset in the folded text to one in the original text. */
function toOriginalOffset(text: string, position: number): number {
  let remaining = position;
  let at = 0;
  for (const step of [4096, 64, 1]) {
    for (let next = at; next < text.length; at = next) {
      next = Math.min(text.length, at + step);
      const { length } = foldedText(text.slice(at, next));
      if (length > remaining) {
        break;
      }
      remaining -= length;
    }
  }
  return at;
}

/** The next start of a word, if it is near. */
function snapToWord(text: string, at: number, end: number): number {
  if (at === 0 || at === text.length) {
    return at;
  }
  const next = text.slice(at, Math.min(end, at + 20)).search(/(?<=\s)\S/);
  // Never splits a surrogate pair.
  const half = /[\uDC00-\uDFFF]/.test(text.charAt(at)) ? 1 : 0;
  return at + (next < 0 ? half : next);
}

/** Strips Markdown marks, unless the search contains them, and collapses whitespace. */
function toOneLine(text: string, words: readonly string[]): string {
  const marks = /[*`#|>]+/g;
  const plain = words.some((word) => word.search(marks) >= 0) ? text : text.replace(marks, ' ');
  return plain.replace(/[\s\p{Cc}]+/gu, ' ').trim();
}

/** Ranges that match a word, in order and without overlaps. */
function findMarks(line: string, words: readonly string[]): Snippet['marks'] {
  const letters = [...line].map((letter) => ({ letter, folded: foldedText(letter) }));
  const folded = letters.map((letter) => letter.folded).join('');
  const isMarked = new Array<boolean>(folded.length).fill(false);
  for (const word of words) {
    for (let at = folded.indexOf(word); at >= 0; at = folded.indexOf(word, at + word.length)) {
      isMarked.fill(true, at, at + word.length);
    }
  }
  const marks: Snippet['marks'] = [];
  let position = 0;
  let foldedPosition = 0;
  for (const { letter, folded: part } of letters) {
    const last = marks.at(-1);
    // A combining accent belongs to the previous letter.
    const isIn = part === '' ? last?.to === position : isMarked[foldedPosition];
    if (isIn && last?.to === position) {
      last.to += letter.length;
    } else if (isIn) {
      marks.push({ from: position, to: position + letter.length });
    }
    position += letter.length;
    foldedPosition += part.length;
  }
  return marks;
}
