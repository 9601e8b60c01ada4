import { isUtf8 } from 'node:buffer';
import { decodeBytes, encodingName } from '@knowhow/shared/decode-bytes';
import { analyse } from 'chardet';

/** A text and its detected encoding, as named in the WHATWG Encoding Standard. */
export interface DecodedText {
  text: string;
  encoding: string;
  /** Whether the encoding was ambiguous: not declared, and more than one fits. */
  isGuessed: boolean;
}

/** Bytes inspected to detect the encoding. */
const sampleBytes = 64 * 1024;

/**
 * Decodes a text by its byte order mark, its declared encoding, as UTF-8, or by heuristics, in this
 * order. Linear time.
 *
 * @param named the encoding declared by the text or the protocol
 */
export function detectAndDecode(bytes: Uint8Array, named?: string): DecodedText {
  const marked = encodingOfMark(bytes);
  for (const label of [marked, encodingName(named)]) {
    const text = label === undefined ? undefined : decodeStrictly(bytes, label);
    if (label !== undefined && text !== undefined) {
      return { text, encoding: label, isGuessed: false };
    }
  }
  const wide = detectWideEncoding(bytes);
  if (wide !== undefined) {
    return { text: decodeBytes(bytes, wide), encoding: wide, isGuessed: true };
  }
  if (isUtf8(bytes)) {
    return { text: decodeBytes(bytes), encoding: 'utf-8', isGuessed: false };
  }
  const sample = sampleOf(bytes);
  if (looksWestern(sample)) {
    return { text: decodeBytes(bytes, 'windows-1252'), encoding: 'windows-1252', isGuessed: false };
  }
  const encoding = eastAsianEncoding(sample) ?? singleByteEncoding(sample);
  return { text: decodeBytes(bytes, encoding), encoding, isGuessed: true };
}

function encodingOfMark([first, second]: Uint8Array): string | undefined {
  if (first === 0xff && second === 0xfe) {
    return 'utf-16le';
  }
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined;
}

/** UTF-16 without a byte order mark: nearly every other byte of Latin text is zero. */
export function detectWideEncoding(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  const length = Math.min(bytes.length, sampleBytes) & ~1;
  let even = 0;
  let odd = 0;
  for (let at = 0; at < length; at += 2) {
    even += bytes[at] === 0 ? 1 : 0;
    odd += bytes[at + 1] === 0 ? 1 : 0;
  }
  const most = length / 2;
  if (length < 4 || bytes.length % 2 === 1) {
    return undefined;
  }
  if (odd > most * 0.7 && even === 0) {
    return 'utf-16le';
  }
  return even > most * 0.7 && odd === 0 ? 'utf-16be' : undefined;
}

/** The beginning, up to a line end, so that no character is split. */
function sampleOf(bytes: Uint8Array): Uint8Array {
  if (bytes.length <= sampleBytes) {
    return bytes;
  }
  const end = bytes.subarray(0, sampleBytes).lastIndexOf(0x0a);
  return bytes.subarray(0, end > 0 ? end : sampleBytes);
}

function decodeStrictly(bytes: Uint8Array, label: string): string | undefined {
  try {
    return decodeBytes(bytes, label, { fatal: true });
  } catch {
    return undefined;
  }
}

/** Western text has no longer runs of non-ASCII bytes, nor more accented letters. */
const maxWestern = { bytesInRow: 3, lettersInRow: 2, shareOfLetters: 0.4 };
/** Symbols that do not occur within words of Western text. */
const symbolInWord = /\p{L}[¡-¦¨-¬®-´¶¸-»¼-¾‡†‰ˆ˜•™]\p{L}/u;

/** In Western text, accented letters are rare and hardly ever adjacent. */
function looksWestern(sample: Uint8Array): boolean {
  const text = decodeBytes(sample, 'windows-1252');
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const accented = text.match(/[^\P{L}A-Za-z]/gu)?.length ?? 0;
  return (
    accented <= letters * maxWestern.shareOfLetters &&
    longestRun(text, /[^\0-\x7f]+/g) <= maxWestern.bytesInRow &&
    longestRun(text, /[^\P{L}A-Za-z]+/gu) <= maxWestern.lettersInRow &&
    // Control characters, and Icelandic letters that appear when Turkish text is decoded as
    // Western.
    !/[\x80-\x9fÞþÐðÝ]/.test(text) &&
    !symbolInWord.test(text)
  );
}

function longestRun(text: string, run: RegExp): number {
  let longest = 0;
  for (const [found] of text.matchAll(run)) {
    longest = Math.max(longest, found.length);
  }
  return longest;
}

const commonSimplified =
  '的一是不了在有人我他这个们中来上大为和国地到以说时要就出会可也你对生能而子得于着下自之年过发后作里用道行所然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心本前开但因只从想实日者意无力与长把机民第公工使情明性知全三关点业外将两高间由问最重并物手应向文体政相利等产或新制加月合特代内信表化位次度通教提立及比员解名论处各入条平系题活别变总何电数少报结反目量再建务做接必场件计管期市直资金指统区保至社决科司基书则设式路记品告类求据程交规号签订';
const commonTraditional =
  '的一是不了在有人我他這個們中來上大為和國地到以說時要就出會可也你對生能而子得於著下自之年過發後作裡用道行所然家種事成方多經麼去法學如都同現當沒動面起看定天分還進好小部其些主樣理心本前開但因只從想實日者意無力與長把機民第公工使情明性知全三關點業外將兩高間由問最重並物手應向文體政相利等產或新制加月合特代內信表化位次度通教提立及比員解名論處各入條平系題活別變總何電數少報結反目量再建務做接必場件計管期市直資金指統區保至社決科司基書則設式路記品告類求據程交規號';
const commonHangul =
  '이다는을의에가고하지로은기사리도한인어자아서시나대해정스일부를등수그보라전있제장주상구원여게니면만성안우들것으과소조트마관오유국공동었진신선비경미치위년문계내요드세중행재단생학방인당약회용분업무와되했습합';

/** The most common characters of each encoding. */
const eastAsian = [
  ['shift_jis', /[ぁ-んァ-ヶー、。]/u],
  ['euc-jp', /[ぁ-んァ-ヶー、。]/u],
  ['euc-kr', new RegExp(`[${commonHangul}]`, 'u')],
  ['gb18030', new RegExp(`[${commonSimplified}，。]`, 'u')],
  ['big5', new RegExp(`[${commonTraditional}，。]`, 'u')],
] as const;
/** With a lower share, it is not text in that encoding. */
const minCommon = 0.2;

/**
 * The encoding in which the bytes are valid and have the most common characters; the first on a
 * tie.
 */
function eastAsianEncoding(sample: Uint8Array): string | undefined {
  let best: { encoding: string; share: number } | undefined;
  for (const [encoding, common] of eastAsian) {
    const text = decodeStrictly(sample, encoding) ?? '';
    const characters = [...text.replace(/[\0-\x7f]+/g, '')];
    const share =
      characters.filter((character) => common.test(character)).length / (characters.length || 1);
    if (share >= minCommon && share > (best?.share ?? 0)) {
      best = { encoding, share };
    }
  }
  return best?.encoding;
}

/** ISO encodings detected by chardet are nearly always their Windows superset. */
const windowsNames: Readonly<Record<string, string>> = {
  'ISO-8859-2': 'windows-1250',
  'ISO-8859-6': 'windows-1256',
  'ISO-8859-7': 'windows-1253',
  'ISO-8859-8': 'windows-1255',
};
const minConfidence = 20;

/** Detects by letter frequencies; falls back to windows-1252. */
function singleByteEncoding(sample: Uint8Array): string {
  const singles = analyse(sample).filter(({ name }) => /^(?:windows|ISO-8859|KOI8)/.test(name));
  const [best] = singles;
  const isLikely = best !== undefined && best.confidence >= minConfidence;
  const label = isLikely ? (windowsNames[best.name] ?? best.name) : 'windows-1252';
  return encodingName(label) ?? 'windows-1252';
}
