import type { Diagnostic } from '@knowhow/shared/skills/skills';
import { diagnose } from './diagnostics.ts';
import { findResource, likelyFile, locateResource, withoutOwnName } from './find-resource.ts';
import { reveal } from './hidden-characters.ts';

/** Limits of checked paths, and of reported missing files; the rest is counted. */
const maxPaths = 200;
const maxReported = 20;
/** Comparing names is slow. */
const maxCompared = 300;

const endings =
  'md|txt|json|ya?ml|toml|csv|tsv|xml|html?|css|svg|png|jpe?g|gif|webp|pdf|docx|xlsx|pptx|py|sh|mjs|cjs|js|tsx?|rb|go|r|sql|ps1|ipynb|tex|j2|tmpl';
/** All repetitions are bounded, to prevent ReDoS. */
const link = /\]\(<?([^()\s<>]{1,300})>?(?:[ \t][^()\n]{0,200})?\)/g;
const mention = new RegExp(
  `(?<![\\w./@:-])(?:\\./)?((?:references|assets|scripts)/[\\w./-]{1,200}\\.(?:${endings}))(?![\\w/-])`,
  'gi',
);
const isFile = new RegExp(`^[\\w .%/\\\\()-]+\\.(?:${endings})$`, 'i');

interface NamedPath {
  path: string;
  /** From 1, in the text. */
  line: number;
}

/**
 * Files that the instructions name and that are missing in the skill's folder, each with a similar
 * existing file, if any. Files of other skills are not checked.
 *
 * @param text the instructions
 * @param firstLine the line of `SKILL.md` where they begin, from 1
 */
export function judgeReferences(
  { text, firstLine }: { text: string; firstLine: number },
  { id, files }: Folder,
): Diagnostic[] {
  const missing = namedPaths(text).flatMap(({ path, line }) => {
    const { wanted, file } = lookUp(path, { id, files });
    return wanted === undefined || file !== undefined
      ? []
      : [{ path: wanted, line: firstLine - 1 + line }];
  });
  const others = files.filter((file) => file !== 'SKILL.md').slice(0, maxCompared);
  const reported = missing.slice(0, maxReported).map(({ path, line }) => {
    const nearest = likelyFile(path, others);
    const file = reveal(path);
    return nearest === undefined
      ? diagnose('file-missing', { text: 'file-named', values: { file }, line })
      : diagnose('file-missing', {
          text: 'file-named-nearest',
          values: { file, nearest: reveal(nearest) },
          line,
        });
  });
  const more = missing.length - reported.length;
  const all = { text: 'files-number', values: { number: missing.length } } as const;
  return more > 0 ? [...reported, diagnose('file-missing', all)] : reported;
}

/** The files of a skill's folder that its instructions name, in order. */
export function namedFiles(text: string, folder: Folder): string[] {
  return [...new Set(namedPaths(text).flatMap(({ path }) => lookUp(path, folder).file ?? []))];
}

interface Folder {
  id: string;
  /** The paths of all its files. */
  files: readonly string[];
}

/** Resolves a path: its location in this folder, unless it is elsewhere, and the file there. */
function lookUp(path: string, { id, files }: Folder): { wanted?: string; file?: string } {
  const location = locateResource(path, id);
  if (location?.skill !== id) {
    return {};
  }
  const wanted = location.path;
  const file =
    findResource(wanted, files) ?? findResource(withoutOwnName({ skill: id, path: wanted }), files);
  return { wanted, ...(file === undefined ? {} : { file }) };
}

/** Links outside of code blocks, and paths in folders for resources. */
function namedPaths(text: string): NamedPath[] {
  const asked = new Map<string, number>();
  let isCode = false;
  for (const [index, line] of text.split('\n').entries()) {
    const isFence = /^[ \t]{0,3}(?:```|~~~)/.test(line);
    isCode = isFence ? !isCode : isCode;
    const links = isCode || isFence ? [] : line.replace(/`[^`]*`/g, '').matchAll(link);
    for (const path of [...pathsIn(links), ...pathsIn(line.matchAll(mention))]) {
      if (asked.size < maxPaths && !asked.has(path)) {
        asked.set(path, index + 1);
      }
    }
  }
  return [...asked].map(([path, line]) => ({ path, line }));
}

function pathsIn(found: Iterable<RegExpExecArray>): string[] {
  return [...found]
    .map(([, path = '']) => path.replace(/^\.\//, '').replace(/[#?].*$/, ''))
    .filter((path) => isFile.test(path) && !path.startsWith('/'));
}
