import { isUtf8 } from 'node:buffer';
import { canonicalKey, translatedFields } from '@knowhow/shared/skills/edited-translations';
import { type EditableField, skillFieldList } from '@knowhow/shared/skills/skill-fields';
import type { SkillTranslations } from '@knowhow/shared/skills/skill-translations';
import { type Document, isMap, isScalar, isSeq, Pair, Scalar, YAMLMap } from 'yaml';
import { composeYaml, type Fields, YamlError } from './parse-yaml.ts';
import { maxFrontmatterLength, readSkillDocument } from './read-skill-document.ts';
import { asText } from './write-skill-file.ts';

/** Values of fields; an empty one removes the field. Words are separated by commas. */
export interface FieldTexts extends Partial<Record<EditableField, string>> {
  /** All translations, by canonical language tags. Entries with an invalid tag stay. */
  translations?: SkillTranslations;
}

/**
 * Edits fields of a `SKILL.md` in place, and adds new ones where the specification wants them.
 * Other fields, comments and the body are preserved.
 *
 * @returns undefined if only a person can do it: the frontmatter has issues, or other fields would
 * change
 */
export function editFields(bytes: Uint8Array, texts: FieldTexts): string | undefined {
  const parts = isUtf8(bytes) ? splitFile(Buffer.from(bytes).toString('utf8')) : undefined;
  const document = parts && composed(parts.frontmatter);
  if (!parts || !document || !isMap(document.contents)) {
    return undefined;
  }
  const keys = [...(readSkillDocument(bytes).fields.get('metadata')?.entries?.keys() ?? [])];
  const edits = [...listFieldEdits(texts), ...listTranslationEdits(texts, keys)];
  for (const edit of edits) {
    setField(document.contents, edit);
  }
  const yaml = stringified(document, parts.frontmatter);
  const edited = yaml && `${parts.head}${yaml.replaceAll('\n', parts.lineEnd)}${parts.rest}`;
  return edited && isFaithful(bytes, Buffer.from(edited), edits) ? edited : undefined;
}

/** One field with its new text. */
interface Edit {
  /** Its names; the first is written if it is new. */
  names: readonly string[];
  /** At the top level, below `metadata`, or at both. */
  place: 'top' | 'metadata' | 'both';
  text: string;
}

function listFieldEdits(texts: FieldTexts): Edit[] {
  return skillFieldList.flatMap(({ key, names, isSpecified = false }) => {
    const text = texts[key as EditableField];
    return text === undefined ? [] : [{ names, place: isSpecified ? 'top' : 'both', text }];
  });
}

/** @param keys the entries of `metadata`, which may have other spellings of a tag */
function listTranslationEdits({ translations }: FieldTexts, keys: readonly string[]): Edit[] {
  if (!translations) {
    return [];
  }
  const named = new Map<string, string[]>();
  for (const key of keys) {
    const canonical = canonicalKey(key);
    if (canonical !== undefined) {
      named.set(canonical, [...(named.get(canonical) ?? []), key]);
    }
  }
  const wanted = translatedFields.flatMap((field) =>
    Object.entries(translations[field]).map(([tag, text]) => [`${field}.${tag}`, text] as const),
  );
  const texts = new Map([...[...named.keys()].map((key) => [key, ''] as const), ...wanted]);
  return [...texts].map(([key, text]) => {
    const names = new Set([...(named.get(key) ?? []), key]);
    return { names: [...names], place: 'metadata', text };
  });
}

interface FileParts {
  /** The opening line of dashes. */
  head: string;
  frontmatter: string;
  /** The closing line of dashes, and the body. */
  rest: string;
  lineEnd: string;
}

function splitFile(text: string): FileParts | undefined {
  const head = /^\uFEFF?---[ \t]*(\r?\n)/.exec(text);
  const end = head ? /^---[ \t]*(?:\r?\n|$)/m.exec(text.slice(head[0].length)) : undefined;
  if (!head || !end || end.index > maxFrontmatterLength) {
    return undefined;
  }
  const from = head[0].length;
  return {
    head: head[0],
    frontmatter: text.slice(from, from + end.index).replaceAll('\r\n', '\n'),
    rest: text.slice(from + end.index),
    lineEnd: head[1] ?? '\n',
  };
}

function composed(frontmatter: string): Document | undefined {
  try {
    return composeYaml(frontmatter, true).document;
  } catch (error) {
    if (error instanceof YamlError) {
      return undefined;
    }
    throw error;
  }
}

function stringified(document: Document, frontmatter: string): string | undefined {
  try {
    return document.toString({ lineWidth: 0, indentSeq: !/:[ \t]*\n- /.test(frontmatter) });
  } catch {
    // A removed anchor is still in use.
    return undefined;
  }
}

type Location = { map: YAMLMap; pair: Pair };

function setField(root: YAMLMap, { names, place, text }: Edit): void {
  const metadata = pairOf(root, 'metadata');
  const below = place !== 'top' && isMap(metadata?.value) ? metadata.value : undefined;
  const maps = [...(place === 'metadata' ? [] : [root]), ...(below ? [below] : [])];
  // In the order in which names of the field are looked up.
  const locations = names.flatMap((name) =>
    maps.flatMap((map): Location[] => {
      const pair = pairOf(map, name);
      return pair ? [{ map, pair }] : [];
    }),
  );
  const [first, ...others] = locations;
  for (const { map, pair } of text === '' ? locations : others) {
    removePair(map, pair);
  }
  if (text !== '' && first) {
    first.pair.value = withText(first.pair.value, text);
  } else if (text !== '') {
    const map = place === 'top' ? root : (below ?? addMetadata(root, metadata));
    map.add(new Pair(new Scalar(names[0]), new Scalar(text)));
  } else if (metadata && below?.items.length === 0) {
    removePair(root, metadata);
  }
}

function pairOf(map: YAMLMap, name: string): Pair | undefined {
  return map.items.find(({ key }) => isScalar(key) && key.value === name);
}

/**
 * Replaces an empty value. Any other value that is not a map is found when the result is checked.
 */
function addMetadata(root: YAMLMap, metadata: Pair | undefined): YAMLMap {
  const map = new YAMLMap();
  if (metadata) {
    metadata.value = map;
  } else {
    root.add(new Pair(new Scalar('metadata'), map));
  }
  return map;
}

/** Keeps comments before the pair, by moving them to the next one. */
function removePair(map: YAMLMap, pair: Pair): void {
  const at = map.items.indexOf(pair);
  map.items.splice(at, 1);
  const comment = isScalar(pair.key) ? pair.key.commentBefore : undefined;
  const next = map.items[at]?.key;
  if (comment && isScalar(next)) {
    next.commentBefore = [comment, next.commentBefore].filter(Boolean).join('\n');
  } else if (comment) {
    map.comment = [comment, map.comment].filter(Boolean).join('\n');
  }
}

/** Preserves lists, quotes and comments. */
function withText(old: unknown, text: string): unknown {
  if (isSeq(old)) {
    const known = new Map(old.items.filter(isScalar).map((item) => [String(item.value), item]));
    old.items = wordsOf(text).map((word) => known.get(word) ?? new Scalar(word));
    return old;
  }
  const scalar = new Scalar(text);
  if (isScalar(old)) {
    const isQuoted = old.type === 'QUOTE_DOUBLE' || old.type === 'QUOTE_SINGLE';
    scalar.type = isQuoted ? old.type : undefined;
    scalar.comment = old.comment;
    scalar.commentBefore = old.commentBefore;
  }
  return scalar;
}

function wordsOf(text: string): string[] {
  return text.split(',').map((word) => word.trim());
}

/** Whether the edited fields have the new values, and all others are unchanged. */
function isFaithful(before: Uint8Array, after: Uint8Array, edits: readonly Edit[]): boolean {
  const [old, now] = [readSkillDocument(before), readSkillDocument(after)];
  const names = new Set(edits.flatMap((edit) => edit.names));
  return (
    old.body === now.body &&
    JSON.stringify(untouched(old.fields, names)) === JSON.stringify(untouched(now.fields, names)) &&
    edits.every(({ names, place, text }) => {
      const written = names.map((name) => textAt(now.fields, name, place));
      return (written.find((each) => each !== undefined) ?? '') === text;
    })
  );
}

function untouched(fields: Fields, names: ReadonlySet<string>): unknown[] {
  return [...fields]
    .filter(([key]) => !names.has(key))
    .map(([key, { text, value, entries }]) => {
      const kept = [...(entries ?? [])].filter(([entry]) => !names.has(entry));
      const isOwn = key === 'metadata' && (entries !== undefined || (value ?? '') === '');
      return isOwn ? [key, kept] : [key, text, value];
    })
    .filter(([key, kept]) => key !== 'metadata' || !Array.isArray(kept) || kept.length > 0);
}

function textAt(fields: Fields, name: string, place: Edit['place']): string | undefined {
  const top = place === 'metadata' ? undefined : fields.get(name);
  if (top || place === 'top') {
    return top && (top.text ?? asText(top.value));
  }
  const { entries, value } = fields.get('metadata') ?? {};
  const own = entries?.has(name) ? (value as Record<string, unknown>)[name] : undefined;
  return entries?.get(name) ?? (own === undefined ? undefined : asText(own));
}
