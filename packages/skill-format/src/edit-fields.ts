import { isUtf8 } from 'node:buffer';
import { type EditableField, skillFieldList } from '@knowhow/shared/skills/skill-fields';
import { type Document, isMap, isScalar, isSeq, Pair, Scalar, YAMLMap } from 'yaml';
import { composeYaml, type Fields, YamlError } from './parse-yaml.ts';
import { maxFrontmatterLength, readSkillDocument } from './read-skill-document.ts';
import { asText } from './write-skill-file.ts';

/** Values of fields; an empty one removes the field. Words are separated by commas. */
export type FieldTexts = Partial<Record<EditableField, string>>;

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
  for (const { key, names, isSpecified = false } of touchedFields(texts)) {
    setField(document.contents, { names, isSpecified }, texts[key as EditableField] ?? '');
  }
  const yaml = stringified(document, parts.frontmatter);
  const edited = yaml && `${parts.head}${yaml.replaceAll('\n', parts.lineEnd)}${parts.rest}`;
  return edited && isFaithful(bytes, Buffer.from(edited), texts) ? edited : undefined;
}

function touchedFields(texts: FieldTexts) {
  return skillFieldList.filter(({ key }) => texts[key as EditableField] !== undefined);
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

type Target = { names: readonly string[]; isSpecified: boolean };
type Location = { map: YAMLMap; pair: Pair };

function setField(root: YAMLMap, { names, isSpecified }: Target, text: string): void {
  const metadata = pairOf(root, 'metadata');
  const below = !isSpecified && isMap(metadata?.value) ? metadata.value : undefined;
  const maps = below ? [root, below] : [root];
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
    const map = isSpecified ? root : (below ?? addMetadata(root, metadata));
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
function isFaithful(before: Uint8Array, after: Uint8Array, texts: FieldTexts): boolean {
  const [old, now] = [readSkillDocument(before), readSkillDocument(after)];
  const touched = touchedFields(texts);
  const names = new Set(touched.flatMap((field) => field.names));
  return (
    old.body === now.body &&
    JSON.stringify(untouched(old.fields, names)) === JSON.stringify(untouched(now.fields, names)) &&
    touched.every(({ key, names: [name, ...aliases], isSpecified }) => {
      const written = [name, ...aliases].map((each) => textAt(now.fields, each, isSpecified));
      return (written.find((text) => text !== undefined) ?? '') === texts[key as EditableField];
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

function textAt(fields: Fields, name: string, isSpecified = false): string | undefined {
  const top = fields.get(name);
  if (top || isSpecified) {
    return top && (top.text ?? asText(top.value));
  }
  const { entries, value } = fields.get('metadata') ?? {};
  const own = entries?.has(name) ? (value as Record<string, unknown>)[name] : undefined;
  return entries?.get(name) ?? (own === undefined ? undefined : asText(own));
}
