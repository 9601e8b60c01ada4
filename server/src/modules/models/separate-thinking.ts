import type { StreamAnswer } from './guard-answer.ts';
import type { ModelEvent } from './model.ts';

/** Tags in which models write their thinking if the server does not extract it. */
const tags = [
  ['<think>', '</think>'],
  ['<thinking>', '</thinking>'],
  ['<thought>', '</thought>'],
  ['<reasoning>', '</reasoning>'],
  ['<seed:think>', '</seed:think>'],
  ['[THINK]', '[/THINK]'],
  ['◁think▷', '◁/think▷'],
] as const;

const openTags = tags.map(([open]) => open);
const closeTags = tags.map(([, close]) => close);
const allTags = [...openTags, ...closeTags];
const maxTagLength = Math.max(...allTags.map(({ length }) => length));

/**
 * Separates a leading thinking block from an answer's text, as sent by servers without a reasoning parser:
 * `<think>…</think>` and similar. The block may follow whitespace, be split into chunks, or lack its end. A closing
 * tag without an opening one turns all text before it into thinking. It only counts outside code and quotes, and
 * unless a sentence mentions it. Later tags stay part of the text.
 */
export function separateThinking(stream: StreamAnswer): StreamAnswer {
  return async function* answer(request, signal) {
    let reader = new LeadingThinking();
    for await (const event of stream(request, signal)) {
      switch (event.type) {
        case 'text':
          yield* reader.take(event.text);
          break;
        case 'thinking':
          reader.hasThought = true;
          yield event;
          break;
        case 'retry':
          reader = new LeadingThinking();
          yield event;
          break;
        case 'tool-call':
        case 'stop':
          yield* reader.end();
          yield event;
          break;
        default:
          yield event;
      }
    }
    yield* reader.end();
  };
}

type Phase = 'start' | 'thinking' | 'after' | 'text' | 'plain';

class LeadingThinking {
  /** Whether the server sends thinking itself; text before a closing tag is then not thinking. */
  hasThought = false;
  #phase: Phase = 'start';
  /** Text that is not classified yet. */
  #pending = '';
  #closeTag = '';
  #hasBegun = false;
  readonly #place = new TextPosition();

  *take(text: string): Generator<ModelEvent> {
    if (this.#phase === 'plain') {
      yield { type: 'text', text };
      return;
    }
    this.#pending += text;
    for (let phase: Phase | undefined; phase !== this.#phase; ) {
      phase = this.#phase;
      yield* this.#step();
    }
  }

  /** Emits what was held back, at the end of the text. */
  *end(): Generator<ModelEvent> {
    const text = this.#pending;
    const isOpen = this.#phase === 'thinking';
    this.#pending = '';
    const close = closeTags.find((tag) => startsWith(text, tag));
    if (this.#phase === 'text' && close && this.#place.isEndOfThinking(text.slice(close.length))) {
      yield { type: 'text-was-thinking' };
      yield* this.#say('text', text.slice(close.length).trimStart());
    } else if (this.#phase !== 'after') {
      yield* this.#say(isOpen ? 'thinking' : 'text', text);
    }
    this.#phase = isOpen ? 'thinking' : 'plain';
  }

  *#step(): Generator<ModelEvent> {
    switch (this.#phase) {
      case 'start':
        return this.#readStart();
      case 'thinking':
        return yield* this.#readThinking();
      case 'after':
        return this.#readAfter();
      case 'text':
        return yield* this.#readText();
      case 'plain':
        yield* this.#say('text', this.#pending);
        this.#pending = '';
    }
  }

  #readStart(): void {
    const text = this.#pending.trimStart();
    const open = this.hasThought ? undefined : openTags.find((tag) => startsWith(text, tag));
    if (open) {
      this.#closeTag = closeTags[openTags.indexOf(open)] ?? '';
      this.#pending = text.slice(open.length);
      this.#phase = 'thinking';
      return;
    }
    const close = closeTags.find((tag) => startsWith(text, tag));
    if (close) {
      this.#pending = text.slice(close.length);
      this.#phase = 'after';
      return;
    }
    if (!allTags.some((tag) => startsWith(tag, text))) {
      this.#phase = this.hasThought ? 'plain' : 'text';
    }
  }

  *#readThinking(): Generator<ModelEvent> {
    const tag = this.#closeTag;
    if (!this.#hasBegun) {
      this.#pending = this.#pending.trimStart();
      this.#hasBegun = this.#pending !== '';
    }
    const at = indexOf(this.#pending, tag);
    if (at >= 0) {
      yield* this.#say('thinking', this.#pending.slice(0, at).trimEnd());
      this.#pending = this.#pending.slice(at + tag.length);
      this.#phase = 'after';
      return;
    }
    const heldBack = partialTagLength(this.#pending, [tag]);
    yield* this.#say('thinking', this.#pending.slice(0, this.#pending.length - heldBack));
    this.#pending = this.#pending.slice(this.#pending.length - heldBack);
  }

  #readAfter(): void {
    this.#pending = this.#pending.trimStart();
    if (this.#pending !== '') {
      this.#phase = 'plain';
    }
  }

  /** Reads text in which a closing tag may occur. Each character is read once, except for the last ones. */
  *#readText(): Generator<ModelEvent> {
    const text = this.#pending;
    let emitted = 0;
    let isUndecided = false;
    for (let at = nextTag(text, 0); at < text.length; at = nextTag(text, at + 1)) {
      const head = text.slice(at, at + maxTagLength);
      const tag = allTags.find((each) => startsWith(head, each));
      const end = at + (tag?.length ?? 0);
      isUndecided = tag
        ? text.length < end + lookahead
        : partialTagLength(head, allTags) === text.length - at;
      if (!tag && !isUndecided) {
        continue;
      }
      yield* this.#sayText(text.slice(emitted, at));
      emitted = at;
      if (isUndecided) {
        break;
      }
      if (openTags.some((open) => open === tag)) {
        this.#phase = 'plain';
        break;
      }
      if (this.#place.isEndOfThinking(text.slice(end, end + lookahead))) {
        yield { type: 'text-was-thinking' };
        emitted = end;
        this.#phase = 'after';
        break;
      }
    }
    if (this.#phase === 'text' && !isUndecided) {
      yield* this.#sayText(text.slice(emitted));
      emitted = text.length;
    }
    this.#pending = text.slice(emitted);
  }

  *#sayText(text: string): Generator<ModelEvent> {
    this.#place.pass(text);
    yield* this.#say('text', text);
  }

  *#say(type: 'text' | 'thinking', text: string): Generator<ModelEvent> {
    if (text !== '') {
      yield { type, text };
    }
  }
}

/** Characters after a closing tag that show whether a sentence mentions it. */
const lookahead = 2;

/** Position within a text: inside code, within a line, after which characters. */
class TextPosition {
  #isInFence = false;
  #backticks = 0;
  /** The first non-blank characters of the line. */
  #head = '';
  #last = '\n';
  #lastWord = '';

  pass(text: string): void {
    for (const character of text) {
      if (character === '\n') {
        this.#isInFence = this.#isInFence !== /^(```|~~~)/.test(this.#head);
        this.#backticks = 0;
        this.#head = '';
      } else {
        this.#backticks += character === '`' ? 1 : 0;
        this.#head += this.#head.length < 3 && character.trim() !== '' ? character : '';
      }
      this.#last = character;
      this.#lastWord = character.trim() === '' ? this.#lastWord : character;
    }
  }

  /**
   * Whether a closing tag here ends thinking, rather than being mentioned in code, quotes or a sentence.
   *
   * @param after the next characters
   */
  isEndOfThinking(after: string): boolean {
    const isInCode = this.#isInFence || this.#backticks % 2 === 1;
    const isQuoted = /["'`“„«(‘‚]/.test(this.#last);
    const isAfterBlank = /[^\S\n]/.test(this.#last);
    const isAtLineStart = this.#head === '';
    const isBeforePunctuation = /^[.,;:!?)]/.test(after);
    const isBeforeBlank = /^[^\S\r\n]/.test(after);
    const isBeforeSmallWord = /^[^\S\r\n]\p{Ll}/u.test(after);
    const isAfterSentence = isAtLineStart || /[.!?…]/.test(this.#lastWord);
    const isMentioned =
      (isAfterBlank && (isBeforePunctuation || (isBeforeBlank && !isAfterSentence))) ||
      ((isAfterBlank || isAtLineStart) && isBeforeSmallWord);
    return !isInCode && !isQuoted && !isMentioned;
  }
}

/** Case-insensitive. */
function startsWith(text: string, tag: string): boolean {
  return text.slice(0, tag.length).toLowerCase() === tag.toLowerCase();
}

/** Compares in place, because letters such as "İ" are longer in lower case. */
function indexOf(text: string, tag: string): number {
  for (let at = nextTag(text, 0); at < text.length; at = nextTag(text, at + 1)) {
    if (startsWith(text.slice(at, at + tag.length), tag)) {
      return at;
    }
  }
  return -1;
}

/** The next offset at which a tag may start. */
function nextTag(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === '<' || text[at] === '[' || text[at] === '◁') {
      return at;
    }
  }
  return text.length;
}

/** Number of characters at the end of a text that may be the start of a tag. */
function partialTagLength(text: string, of: readonly string[]): number {
  for (let length = Math.min(text.length, maxTagLength); length > 0; length -= 1) {
    const end = text.slice(-length);
    if (of.some((tag) => startsWith(tag, end) && tag.length > length)) {
      return length;
    }
  }
  return 0;
}
