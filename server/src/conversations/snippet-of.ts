import type { SearchHit } from '@knowhow/shared/chat/conversations';
import { foldedText } from '../storage/folded-text.ts';

/** Characters before the word, and with it and behind it. */
const before = 40;
const behind = 140;
/** Of so many places the one with most of the words around it is taken. */
const mostPlaces = 50;

type Snippet = Omit<SearchHit, 'messageId'>;

/** What a text says where most of the words of a search are together, in one line, with the words marked. */
export function snippetOf(text: string, words: readonly string[]): Snippet {
  const folded = words.map(foldedText).filter((word) => word !== '');
  const place = unfolded(text, bestPlace(foldedText(text), folded));
  const from = wholeWord(text, Math.max(0, place - before), place);
  const to = wholeWord(text, Math.min(text.length, place + behind), text.length);
  const line = `${from > 0 ? '…' : ''}${inOneLine(text.slice(from, to), words)}${to < text.length ? '…' : ''}`;
  return { text: line, marks: marksIn(line, folded) };
}

/** Where the longest of the words stands with most of the others around it. */
function bestPlace(text: string, words: readonly string[]): number {
  const [longest = '', ...others] = [...words].sort((one, other) => other.length - one.length);
  const best = { at: 0, count: -1 };
  let at = text.indexOf(longest);
  for (let place = 0; at >= 0 && place < mostPlaces; place += 1) {
    const around = text.slice(Math.max(0, at - before), at + behind);
    const count = others.filter((word) => around.includes(word)).length;
    if (count > best.count) {
      Object.assign(best, { at, count });
    }
    at = text.indexOf(longest, at + Math.max(1, longest.length));
  }
  return best.at;
}

/** Where a place of the folded text is in the text itself. */
function unfolded(text: string, place: number): number {
  let left = place;
  let at = 0;
  for (const step of [4096, 64, 1]) {
    for (let next = at; next < text.length; at = next) {
      next = Math.min(text.length, at + step);
      const { length } = foldedText(text.slice(at, next));
      if (length > left) {
        break;
      }
      left -= length;
    }
  }
  return at;
}

/** The next beginning of a word, where there is one near. */
function wholeWord(text: string, at: number, most: number): number {
  if (at === 0 || at === text.length) {
    return at;
  }
  const next = text.slice(at, Math.min(most, at + 20)).search(/(?<=\s)\S/);
  // Never between the two halves of one character.
  const half = /[\uDC00-\uDFFF]/.test(text.charAt(at)) ? 1 : 0;
  return at + (next < 0 ? half : next);
}

/** Without the marks of Markdown, unless somebody looks for them. */
function inOneLine(text: string, words: readonly string[]): string {
  const marks = /[*`#|>]+/g;
  const plain = words.some((word) => word.search(marks) >= 0) ? text : text.replace(marks, ' ');
  return plain.replace(/[\s\p{Cc}]+/gu, ' ').trim();
}

/** The places of what is one of the words, in order, none twice. */
function marksIn(line: string, words: readonly string[]): Snippet['marks'] {
  const letters = [...line].map((letter) => ({ letter, folded: foldedText(letter) }));
  const folded = letters.map((letter) => letter.folded).join('');
  const isMarked = new Array<boolean>(folded.length).fill(false);
  for (const word of words) {
    for (let at = folded.indexOf(word); at >= 0; at = folded.indexOf(word, at + word.length)) {
      isMarked.fill(true, at, at + word.length);
    }
  }
  const marks: Snippet['marks'] = [];
  let place = 0;
  let foldedPlace = 0;
  for (const { letter, folded: part } of letters) {
    const last = marks.at(-1);
    // An accent of its own goes with its letter.
    const isIn = part === '' ? last?.to === place : isMarked[foldedPlace];
    if (isIn && last?.to === place) {
      last.to += letter.length;
    } else if (isIn) {
      marks.push({ from: place, to: place + letter.length });
    }
    place += letter.length;
    foldedPlace += part.length;
  }
  return marks;
}
