import { decodeBytes, encodingName } from '@knowhow/shared/decode-bytes';
import { type DocumentText, ReadWarnings, requireText, wholeText } from '../document.ts';

/** Encodings by `\fcharset` number (RTF 1.9.1). */
const charsets: Readonly<Record<number, string>> = {
  0: 'windows-1252',
  77: 'macintosh',
  128: 'shift_jis',
  129: 'euc-kr',
  134: 'gbk',
  136: 'big5',
  161: 'windows-1253',
  162: 'windows-1254',
  163: 'windows-1258',
  177: 'windows-1255',
  178: 'windows-1256',
  186: 'windows-1257',
  204: 'windows-1251',
  222: 'windows-874',
  238: 'windows-1250',
};
const codePages: Readonly<Record<number, string>> = {
  932: 'shift_jis',
  936: 'gbk',
  949: 'euc-kr',
  950: 'big5',
  874: 'windows-874',
  10000: 'macintosh',
  65001: 'utf-8',
};

/** Groups without document text. */
const destinations: ReadonlySet<string> = new Set(
  'fonttbl colortbl stylesheet info pict object themedata datastore listtable listoverridetable rsidtbl generator xmlnstbl fldinst nonshppict filetbl revtbl latentstyles mmathPr'.split(
    ' ',
  ),
);
/** Text for control words and symbols. */
const written: Readonly<Record<string, string>> = {
  par: '\n\n',
  line: '\n',
  sect: '\n\n',
  page: '\n\n',
  row: '\n',
  cell: ' | ',
  tab: '\t',
  nestcell: ', ',
  nestrow: '; ',
  emdash: '—',
  endash: '–',
  bullet: '•',
  '~': '\u00a0',
  lquote: '‘',
  rquote: '’',
  ldblquote: '“',
  rdblquote: '”',
  _: '-',
  '\n': '\n\n',
  '\r': '',
};

interface Group {
  isSkipped: boolean;
  /** Number of replacement characters after `\u` for older readers. */
  replaced: number;
  font: number | undefined;
}

const token =
  /\\([a-z]{1,32})(-?\d{1,10})? ?|\\'([\da-f]{2})|\\([^a-z])|([{}])|([^\\{}\r\n]+)|[\r\n]+|\\/giy;

/** The text of an RTF document; table rows become lines. */
export function readRtf(bytes: Uint8Array): DocumentText {
  const warnings = new ReadWarnings();
  const reader = new RtfReader(warnings);
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  token.lastIndex = 0;
  for (let found = token.exec(source); found; found = token.exec(source)) {
    reader.take(found);
    if (reader.binary > 0) {
      token.lastIndex += reader.binary;
      reader.binary = 0;
    }
  }
  const text = reader
    .finish()
    .replace(/(?<![ \t])[ \t]+\n/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
  return wholeText(requireText(text), warnings);
}

class RtfReader {
  /** Number of following binary bytes to skip. */
  binary = 0;
  readonly #out: string[] = [];
  readonly #groups: Group[] = [];
  readonly #fonts = new Map<number, string>();
  readonly #warnings: ReadWarnings;
  #group: Group = { isSkipped: false, replaced: 1, font: undefined };
  #encoding = 'windows-1252';
  /** Bytes not decoded yet. */
  #bytes: number[] = [];
  #toReplace = 0;
  #isOptional = false;
  #definesFont: number | undefined;
  #isInFonts = 0;

  constructor(warnings: ReadWarnings) {
    this.#warnings = warnings;
  }

  take([, word, parameter, hex, symbol, brace, text]: RegExpExecArray): void {
    if (hex !== undefined) {
      this.#addBytes([Number.parseInt(hex, 16)]);
    } else if (text !== undefined) {
      this.#addBytes([...text].map((character) => character.charCodeAt(0)));
    } else if (brace === '{') {
      this.#flush();
      this.#groups.push({ ...this.#group });
    } else if (brace === '}') {
      this.#flush();
      this.#group = this.#groups.pop() ?? this.#group;
      this.#isInFonts = this.#groups.length < this.#isInFonts ? 0 : this.#isInFonts;
    } else if (symbol === '*') {
      this.#isOptional = true;
      return;
    } else if (symbol !== undefined) {
      this.#write(/[\\{}]/.test(symbol) ? symbol : (written[symbol] ?? ''));
    } else if (word !== undefined) {
      this.#command(word, parameter === undefined ? undefined : Number(parameter));
    }
    this.#isOptional = false;
  }

  finish(): string {
    this.#flush();
    return this.#out.join('');
  }

  #command(word: string, parameter: number | undefined): void {
    switch (word) {
      case 'ansicpg':
        this.#encoding =
          codePages[parameter ?? 0] ?? encodingName(`windows-${parameter}`) ?? this.#encoding;
        return;
      case 'mac':
        this.#encoding = 'macintosh';
        return;
      case 'f':
        this.#flush();
        this.#definesFont = parameter;
        this.#group.font = parameter;
        return;
      case 'fcharset':
        if (this.#isInFonts > 0 && this.#definesFont !== undefined) {
          this.#fonts.set(this.#definesFont, charsets[parameter ?? 0] ?? '');
        }
        return;
      case 'plain':
        this.#flush();
        this.#group.font = undefined;
        return;
      case 'uc':
        this.#group.replaced = Math.min(Math.max(parameter ?? 1, 0), 10);
        return;
      case 'u':
        this.#write(String.fromCharCode((parameter ?? 0) & 0xffff));
        this.#toReplace = this.#group.replaced;
        return;
      case 'bin':
        this.binary = Math.max(0, parameter ?? 0);
        return;
      case 'deleted':
        if (parameter !== 0) {
          this.#warnings.add('deletions');
          this.#group.isSkipped = true;
        }
        return;
      default:
        this.#enterDestination(word);
        this.#write(written[word] ?? '');
    }
  }

  #enterDestination(word: string): void {
    const isShown = /^(?:shptxt|shpinst|footnote|annotation|nesttableprops|pn|listtext)$/.test(
      word,
    );
    if (!destinations.has(word) && !(this.#isOptional && !isShown)) {
      return;
    }
    if (word === 'pict' && !this.#group.isSkipped) {
      this.#warnings.add('pictures');
    } else if (word === 'object' && !this.#group.isSkipped) {
      this.#warnings.add('embedded');
    }
    this.#isInFonts = word === 'fonttbl' ? this.#groups.length : this.#isInFonts;
    this.#group.isSkipped = true;
  }

  #addBytes(bytes: number[]): void {
    const dropped = Math.min(this.#toReplace, bytes.length);
    this.#toReplace -= dropped;
    if (!this.#group.isSkipped) {
      for (const byte of bytes.slice(dropped)) {
        this.#bytes.push(byte);
      }
    }
  }

  #write(text: string): void {
    this.#flush();
    if (!this.#group.isSkipped) {
      this.#out.push(text);
    }
  }

  #flush(): void {
    if (this.#bytes.length > 0) {
      const encoding = this.#fonts.get(this.#group.font ?? -1) || this.#encoding;
      this.#out.push(decodeBytes(Uint8Array.from(this.#bytes), encoding));
      this.#bytes = [];
    }
  }
}
